"""Passwords that programs take as a bare argument or on standard input."""

from snaphook.scrub.rule import SecretRule
from snaphook.scrub.scan import COMMAND, Hint, any_of

_QUOTE = r"""\\{0,3}["'`]"""
_GAP = rf"(?:(?:{_QUOTE})?[ \t]{{1,8}}(?:{_QUOTE})?|{_QUOTE},[ \t]{{0,4}}{_QUOTE}){{1}}+"
"""Between two arguments, where an equals sign is part of either."""
_WORD = rf"""[^\s"'`,;|&\\-][^\s"'`,;|&\\]{{0,255}}+{_GAP}"""
_VALUE = (
    r"""(?:(?<=["'`])([^"'`\\\n$\[][^"'`\\\n]{1,255})(?=\\{0,3}["'`])"""
    r"""|([^\s"'`$<>|;&,(\[{\\-][^\s"'`|;&,\\]{1,255}))"""
)
_HTPASSWD_FLAG = rf"(?:-[bBcdDimnpsv25]{{1,6}}{_GAP}|-[bBcn]{{0,4}}[Cr](?:{_GAP})?\d{{1,9}}{_GAP})"
_HEADERS = (
    "x-api-key x-auth-token x-access-token api-key x-vault-token private-token proxy-authorization"
    " x-amz-security-token x-csrf-token x-goog-api-key ocp-apim-subscription-key x-functions-key"
    " x-auth-key authentication x-auth x-token x-secret x-api-token x-session-token x-gitlab-token"
    " x-shopify-access-token x-figma-token x-rapidapi-key x-algolia-api-key x-consul-token"
    " x-nomad-token job-token deploy-token dd-api-key dd-application-key x-newrelic-api-key"
    " x-cisco-meraki-api-key x-octopus-apikey x-jfrog-art-api x-master-key"
)
_ASKS = (
    *("sudo", "passwd", "kinit", "cryptsetup", "ssh-add"),
    *("gh", "vncpasswd", "docker", "su", "wrangler"),
)
"""Programs that ask for a password on standard input."""

ARGUMENTS: tuple[SecretRule, ...] = (
    SecretRule(
        id="htpasswd-password",
        what="password on an htpasswd command line",
        keywords=("htpasswd",),
        # With -n there is no file: the password is the second word, otherwise the third.
        regex=rf"htpasswd(?:\.exe)?{_GAP}(?={_HTPASSWD_FLAG}{{0,6}}-\w{{0,6}}b)"
        rf"(?:(?={_HTPASSWD_FLAG}{{0,6}}-\w{{0,6}}n){_HTPASSWD_FLAG}{{1,6}}"
        rf"|(?!{_HTPASSWD_FLAG}{{0,6}}-\w{{0,6}}n){_HTPASSWD_FLAG}{{1,6}}{_WORD}){_WORD}{_VALUE}",
    ),
    SecretRule(
        id="windows-password",
        what="password on a Windows command line",
        keywords=("net user", "net use", "cmdkey", "runas", "schtasks"),
        regex=r"(?i:net user[ \t]+\S{1,64}[ \t]+"
        r"|net use[ \t]+\S{1,200}[ \t]+(?:\\\\\S{1,200}[ \t]+)?(?:/user:\S+[ \t]+)?"
        r"|cmdkey\b[^\n]{0,200}?/pass:|schtasks\b[^\n]{0,300}?/rp[ \t]+)"
        r"""["']?([^\s"'/$*\[][^\s"']{0,127})""",
    ),
    SecretRule(
        id="piped-password",
        what="password piped into a program that asks for one",
        keywords=("echo", "printf"),
        hints=(Hint(COMMAND + r"(?:echo|printf)[ \t]"),),
        regex=r"(?:echo|printf)[ \t]+(?:-[neE]+[ \t]+|\\?[\"']%s(?:\\\\?n)?\\?[\"'][ \t]+)?+\\?[\"']?"
        r"""([^\s"'`$|\\\[][^"'`$|\\\n]{0,127}?)(?:\\\\?n)?\\?["']?[ \t]*\|[ \t]*"""
        r"(?:sudo[ \t]+(?:-\w+[ \t]+)*(?:-S|--stdin)|(?:sudo[ \t]+)?"
        r"(?:chpasswd|passwd|smbpasswd|kinit|cryptsetup"
        r"|su\b|vncpasswd|gpg\b[^\n]{0,200}?--passphrase-fd)"
        r"|[^\n|;&]{0,200}?--(?:password|passphrase|token)-(?:stdin|fd)|[^\n|;&]{0,200}?--with-token"
        r"|gh[ \t]+(?:auth[ \t]+login|secret[ \t]+set)|ssh-add|faillog"
        r"|wrangler[ \t]+secret|vercel[ \t]+env|docker[ \t]+secret)",
    ),
    SecretRule(
        id="here-string-password",
        what="password given to a program that asks for one",
        keywords=("<<<",),
        regex=r"""<<<[ \t]*(?:\\{0,3}["'])?[\w.-]{1,64}:([^\s"'`$\[\\][^\s"'`\\]{0,127})""",
    ),
    SecretRule(
        id="asked-password",
        what="password given to a program that asks for one",
        keywords=_ASKS,
        hints=(Hint(COMMAND + any_of(_ASKS), r"[ \t]"),),
        program=rf"(?:{'|'.join(_ASKS)})(?=[ \t])",
        regex=rf"<<<[ \t]*(?:{_QUOTE})?+{_VALUE}",
    ),
    SecretRule(
        id="login-argument",
        what="key or token given to a command as an argument",
        keywords=(
            "cargo login",
            "vault login",
            "nuget setapikey",
            "b2 authorize-account",
            "mc alias",
            "mc config",
        ),
        regex=r"(?i:cargo login|vault login|nuget setapikey)[ \t]+(?:-\S+[ \t]+)*"
        rf"(?:{_QUOTE})?+(?:token=)?([\w.~+/=\-]{{8,512}})"
        r"|(?i:b2 authorize-account)[ \t]+\S{1,64}[ \t]+"
        rf"(?:{_QUOTE})?+([\w+/=\-]{{8,512}})",
    ),
    SecretRule(
        id="minio-secret",
        what="secret key on a MinIO client's command line",
        keywords=("mc alias set", "mc config host add"),
        regex=r"mc (?:alias set|config host add)[ \t]+\S{1,64}[ \t]+\S{1,256}[ \t]+"
        rf"\S{{1,128}}[ \t]+(?:{_QUOTE})?+([^\s\"'`$\[][^\s\"'`]{{5,128}})",
    ),
    SecretRule(
        id="aws-configure-secret",
        what="secret given to 'aws configure set'",
        keywords=("aws_secret_access_key", "aws_session_token"),
        regex=rf"aws_(?:secret_access_key|session_token)[ \t]+(?:{_QUOTE})?+([^\s\"'`$\[\\]{{16,2048}})",
    ),
    SecretRule(
        id="cookie",
        what="cookie of a session",
        keywords=("cookie",),
        hints=(Hint(r"""(?i:cookie)["'`]{0,2}[ \t]{0,4}[:=][ \t]{0,4}["'`]?[^\s"'`=;]{1,64}="""),),
        regex=r"""(?i:(?:set-)?cookie)["'`]{0,2}[ \t]{0,4}[:=][ \t]{0,4}"""
        r"""["'`]?([^\s"'`=;]{1,64}=[^\s"'`]{8,2048}(?:;[ \t][^\s"'`=;]{1,64}=[^\s"'`;]{1,2048}){0,32})""",
    ),
    SecretRule(
        id="key-header",
        what="credentials of a request header",
        keywords=tuple(_HEADERS.split()),
        hints=(Hint(any_of(_HEADERS.split()), r"""["'`]{0,2}[ \t]{0,4}:"""),),
        regex=rf"{any_of(_HEADERS.split())}"
        r"""["'`]{0,2}[ \t]{0,4}:[ \t]{0,4}["'`]?(?:(?i:basic|bearer|token)[ \t]+)?+"""
        r"""(?!\w+(?:\.[A-Za-z_]\w*)+[\s,)}\]]|[A-Za-z]+(?:-[A-Za-z]+)+["'`])([\w.~+/=\-]{6,4096}+)(?!\])""",
    ),
    SecretRule(
        id="network-password",
        what="pass phrase of a network",
        keywords=("wpa_passphrase",),
        regex=r"""wpa_passphrase[ \t]+["']?[\w.-]{1,32}["']?[ \t]+["']?([^\s"'`$\[][^\s"'`]{7,62})""",
    ),
    SecretRule(
        id="added-user-password",
        what="password of a user that a command adds or changes",
        keywords=("rabbitmqctl", "setx", "convertto-securestring"),
        regex=r"(?i:rabbitmqctl[ \t]+(?:add_user|change_password|authenticate_user)[ \t]+\S{1,64}[ \t]+"
        r"|setx[ \t]+\w{0,40}(?:pass|secret|token|key|pwd)\w{0,40}[ \t]+|convertto-securestring[ \t]+"
        rf"(?:-string[ \t]+)?)(?:{_QUOTE})?+{_VALUE}",
    ),
    SecretRule(
        id="markup-secret",
        what="secret in an element or attribute of XML",
        keywords=("<password", "<passwd", "<pwd", "<secret", "<token", "<apikey", "<passphrase"),
        regex=r"<(?i:password|passwd|pwd|secret|token|apikey|passphrase)(?:[ \t][^<>\n]{0,120})?>"
        r"([^<>\s$\[{][^<>\n]{3,255})</",
    ),
    SecretRule(
        id="attribute-secret",
        what="secret in an element that names its key",
        keywords=("key=", "name="),
        hints=(
            Hint(
                r"""(?i:key|name)=["'][\w.:-]{0,60}(?i:password|passwd|pwd|secret|token|apikey)"""
            ),
        ),
        regex=r"""(?i:key|name)=["'][\w.:-]{0,60}(?i:password|passwd|pwd|secret|token|apikey)[\w.:-]{0,40}"""
        r"""["'][ \t]{1,8}(?i:value)=["']([^"'\s$\[{%][^"'\n]{3,255})["']""",
    ),
)
