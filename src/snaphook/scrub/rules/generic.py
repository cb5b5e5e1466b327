"""Secrets known by their form or by the name they are given, whoever issued them."""

from snaphook.scrub.rule import SecretRule, pattern
from snaphook.scrub.scan import Hint, any_of

_QUOTE = r"""\\{0,7}["'`]"""
"""A quote, escaped once or twice where the text is part of a JSON string."""
_GAP = r"""(?:\\{0,7}["'`\])]){0,2}[ \t]{0,8}(?:=>|:=|==|=|:)[ \t]{0,8}"""
_BARE = r"""[^\s"'`,;&|<>(){}\[\]\\$]"""


def _assigned(
    id_: str, what: str, names: str, *, quoted: str, bare: str, entropy: float
) -> SecretRule:
    """Return the rule for what is assigned to one of *names*, in quotes or in one bare piece."""
    spelled = "|".join(name.replace("_", "[_-]?") for name in names.split())
    keywords = {form for name in names.split() for form in _forms(name)}
    return SecretRule(
        id=id_,
        what=what,
        keywords=tuple(sorted(keywords)),
        regex=rf"(?i:{spelled})[\w\-]{{0,24}}{_GAP}(?:{_QUOTE}({quoted}?){_QUOTE}|({bare}))",
        hints=(Hint(any_of(keywords), rf"[\w\-]{{0,24}}{_GAP}(?:{_QUOTE})?[^\s\"'`(){{}}]{{4}}"),),
        entropy=entropy,
        generic=True,
    )


def _forms(name: str) -> tuple[str, ...]:
    return name, name.replace("_", "-"), name.replace("_", "")


_BASE64URL = "[A-Za-z0-9_-]"

_OPTIONS = (
    "password|passwd|passphrase|token|api-?key|secret|secret[-_]?key|access[-_]?key|private[-_]?key"
)

_SHORT = "auth|pw|pass|passcode"
"""Options that are about something else where their name goes on: ``--auth-mode``."""
_MARK = "[a-z][a-z0-9]{0,11}(?:[_-][a-z0-9]{1,8}){0,3}[_-]"
_MARKS = "live|prod|secret|sk|key|apikey|api|tok|token|tkn|pat|auth|priv|svc|access|refresh"
_LETTERS = tuple("abcdefghijklmnopqrstuvwxyz")

GENERIC: tuple[SecretRule, ...] = (
    pattern(
        "private-key",
        "private key in PEM form",
        ("-----begin",),
        r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:[^-]|-(?!----)){0,20000}+(?:-----END [A-Z0-9 ]{0,60}-----)?",
        hint="-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY",
    ),
    pattern(
        "putty-key",
        "PuTTY private key",
        ("putty-user-key-file",),
        r"PuTTY-User-Key-File-\d(?:[^P]|P(?!rivate-MAC|uTTY-User)){0,20000}+Private-MAC: [a-f0-9]{40,64}",
    ),
    pattern(
        "age-key", "age secret key", ("age-secret-key-1",), r"(?i:age-secret-key-1)[A-Za-z0-9]{58}"
    ),
    pattern(
        "wireguard-key",
        "WireGuard private key",
        ("privatekey", "presharedkey"),
        r"(?i:privatekey|presharedkey)[ \t]{0,8}=[ \t]{0,8}([A-Za-z0-9+/]{43}=)",
    ),
    pattern(
        "ethereum-key",
        "Ethereum private key",
        ("private_key", "privatekey"),
        rf"(?i:private_?key){_GAP}[\"'`]?(0x[a-fA-F0-9]{{64}})(?![a-fA-F0-9])",
    ),
    pattern(
        "jwt",
        "JSON Web Token",
        [f"eyj{sign}" for sign in "abcdefghijklmnopqrstuvwxyz0123456789"],
        rf"eyJ{_BASE64URL}{{8,2048}}\.eyJ{_BASE64URL}{{4,8192}}\.{_BASE64URL}{{0,1024}}",
        hint=rf"eyJ{_BASE64URL}{{8}}",
    ),
    pattern(
        "url-credentials",
        "password in a URL",
        ("://",),
        r"""://[^\s:/@"'`<>]{0,128}:(?!passw(?:or)?d@)([^\s/@"'`<>$*{\[][^\s/"'`<>]{0,255})@""",
        hint=r"""://[^\s:/@"'`<>]*:[^\s/@"'`<>$*{\[]""",
    ),
    pattern(
        "authorization-header",
        "credentials of an Authorization header",
        ("authorization",),
        r"""(?i:authorization)["'`\]]{0,2}[ \t]{0,8}(?:[:=,][ \t]{0,8}["'`]?"""
        r"""(?i:basic|bearer|token|apikey|api-key|digest|negotiate|ssws|key|splunk|sso-key|genie)"""
        r"""(?:key)?[ \t]{1,4}([\w.~+/=:|\-]{8,4096})"""
        r"""|[:=][ \t]{0,8}["'`]?(?=[A-Za-z_.~+/=:|\-]{0,256}\d)([\w.~+/=:|\-]{16,4096}))""",
    ),
    pattern(
        "docker-auth",
        "registry login of a Docker config",
        ("auth",),
        r"""auth\\{0,7}"[ \t]{0,4}:[ \t]{0,4}\\{0,7}"([A-Za-z0-9+/]{16,400}={0,2})""",
        hint=r"""auth\\{0,7}"[ \t]{0,4}:[ \t]{0,4}\\{0,7}"[A-Za-z0-9+/]{16}""",
    ),
    pattern(
        "netrc",
        "password of a .netrc",
        ("machine",),
        r"machine[ \t]{1,8}\S{1,128}\s{1,8}login\s{1,8}\S{1,128}\s{1,8}password\s{1,8}([^\s\[]\S{2,127})",
        hint=r"machine[ \t]{1,8}\S{1,128}\s{1,8}login",
    ),
    pattern(
        "password-hash",
        "bcrypt hash",
        ("$2a$", "$2b$", "$2y$"),
        r"\$2[aby]\$\d\d\$[A-Za-z0-9./]{53}",
    ),
    pattern(
        "crypt-hash",
        "password hash of a shadow or htpasswd file",
        ("$6$", "$5$", "$y$", "$apr1$", "$1$", "$7$", "$8$", "$9$", "$sha1$", "$gy$"),
        r"\$(?:[156789]|g?y|apr1|sha1)\$[A-Za-z0-9./$=]{4,40}\$[A-Za-z0-9./]{22,90}",
    ),
    pattern(
        "argon2-hash",
        "Argon2 hash",
        ("$argon2",),
        r"\$argon2(?:id|i|d)\$v=\d+\$m=\d+,t=\d+,p=\d+\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{16,128}",
    ),
    SecretRule(
        id="bearer-token",
        what="bearer token",
        keywords=("bearer",),
        regex=r"(?i:bearer)[ \t]{1,4}([\w.~+/=\-]{8,4096})",
        hints=(Hint(r"(?i:bearer)[ \t]{1,4}[\w.~+/=\-]{8}"),),
        generic=True,
    ),
    SecretRule(
        id="command-line",
        what="secret on a command line",
        keywords=("-",),
        regex=rf"--?[\w-]{{0,40}}?(?i:(?:{_OPTIONS})(?:[_-][\w-]{{0,24}})?+|{_SHORT})(?:[ \t]{{1,4}}+|=)"
        rf"(?:[\"'`]([^\"'`\n]{{4,256}})[\"'`]|([^\s\"'`$<\[{{(-]{_BARE}{{3,255}}))",
        hints=(
            Hint(
                rf"--?[\w-]{{0,40}}(?i:(?:{_OPTIONS})(?:[_-][\w-]{{0,24}})?|{_SHORT})"
                r"[ \t=][ \t]{0,3}[^\s$<\[{(-]"
            ),
        ),
        generic=True,
    ),
    pattern(
        "connection-string",
        "password of a connection string",
        (";password", ";pwd", "; password", "; pwd"),
        r"""; ?(?i:password|pwd)[ \t]{0,2}=[ \t]{0,2}([^;"'`\s\[$#{<*(][^;"'`\n\\]{2,127})[;"'`]""",
        hint="; ?(?i:password|pwd)[ \t]{0,2}=",
    ),
    SecretRule(
        id="kerberos-hash",
        what="Kerberos hash",
        keywords=("$krb5",),
        regex=r"\$krb5(?:asrep|tgs|pa)\$\d\d\$[^\s\"']{40,8192}",
    ),
    SecretRule(
        id="prefixed-token",
        what="random characters behind a mark, as most services issue their tokens today",
        keywords=_LETTERS,
        # Identifiers ('toolu_…', 'chatcmpl-…') look the same: their marks name no secret; they are shorter.
        regex=rf"(?:(?=(?:[a-z0-9]{{1,12}}[_-]){{0,3}}?(?:{_MARKS})[_-]){_MARK}([A-Za-z0-9]{{20,255}})"
        rf"|(?!sha\d){_MARK}([A-Za-z0-9]{{36,255}}))(?![A-Za-z0-9/+])",
        hints=(
            Hint(
                r"(?:\A|[^A-Za-z0-9_\-/+.]|\\[nrt])[a-z][a-z0-9]{0,11}(?:[_-][a-z0-9]{1,8}){0,3}[_-]"
                "[A-Za-z0-9]{20}"
            ),
        ),
        entropy=3.6,
        scrambled=True,
    ),
    _assigned(
        "password",
        "value of something named a password",
        "password passwd passphrase pwd",
        quoted=r"[^\"'`\r\n]{4,256}",
        bare=rf"{_BARE}{{4,256}}",
        entropy=0.0,
    ),
    _assigned(
        "named-secret",
        "value of something named a secret or credential",
        "secret credential",
        quoted=r"[^\"'`\s]{6,512}",
        bare=rf"{_BARE}{{6,512}}",
        entropy=2.0,
    ),
    _assigned(
        "named-key",
        "value of something named a key or token",
        "api_key access_key secret_key private_key signing_key encryption_key token",
        quoted=r"[^\"'`\s]{12,4096}",
        bare=rf"{_BARE}{{12,4096}}",
        entropy=3.0,
    ),
    SecretRule(
        id="short-password-name",
        what="value of something named a pass, pw or creds",
        keywords=("pass", "pw", "creds", "cred", "auth", "sshpass"),
        regex=rf"(?i:(?:ssh)?pass|pw|creds?|auth){_GAP}(?:{_QUOTE}([^\"'`\r\n]{{4,256}}?){_QUOTE}|({_BARE}{{4,256}}))",
        hints=(
            Hint(r"(?i:(?:ssh)?pass|pw|creds?|auth)", rf"{_GAP}(?:{_QUOTE})?[^\s\"'`(){{}}]{{4}}"),
        ),
        entropy=1.5,
        generic=True,
        mixed=True,
    ),
    SecretRule(
        id="key-of-anything",
        what="random value of something named a key",
        keywords=("key",),
        regex=rf"(?i:key){_GAP}(?:{_QUOTE})?([A-Za-z0-9_+/=.\-]{{20,512}})(?![\w(\[])",
        hints=(Hint(r"(?i:key)", rf"{_GAP}(?:{_QUOTE})?[A-Za-z0-9_+/=.\-]{{20}}"),),
        entropy=3.3,
        generic=True,
        mixed=True,
    ),
    SecretRule(
        id="password-in-prose",
        what="password in a sentence: 'the password is …'",
        keywords=("password", "passphrase", "passwd"),
        regex=r"(?i:password|passphrase|passwd)(?: for [\w@.-]{1,40})?(?: (?:is|was)[:]?|:)? "
        rf"(?:{_QUOTE})?([^\s\"'`<>(){{}}\[\],;|\\]{{6,128}})",
        hints=(Hint("(?i:password|passphrase|passwd)(?: for [^ ]{1,40})?(?: is| was)?:? [^ ]{6}"),),
        entropy=2.5,
        generic=True,
        mixed=True,
    ),
)
