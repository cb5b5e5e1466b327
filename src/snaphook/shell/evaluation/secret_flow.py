"""What a program prints when it was given a secret: text of a file of secrets, or a variable's.

Call + what it read  ->  its output, with the marks of what is in it

So that a secret stays one on its way through pipes, variables, copies and archives. What only counts,
compares or names is not told, and what answers (a server, a build) says something of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from snaphook.lazy import regex
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.paths import resolve
from snaphook.shell.text import FETCHED, KEY, SECRET, UNKNOWN, is_known, with_secrets

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

_BLIND_TEXT = """
    ls stat file test [ [[ md5sum sha256sum sha1sum sha512sum shasum cksum b2sum wc du chmod chown touch
    rm mv ssh ssh-add source . find fd ssh-keygen dotenv cmp gpg age rage sops
"""
BLIND = frozenset(_BLIND_TEXT.split())
"""Programs that use or measure a file without showing what is in it."""
QUIET = {
    "grep": ("-q", "-c", "-l", "-L"),
    "egrep": ("-q", "-c", "-l", "-L"),
    "rg": ("-q", "-c", "-l"),
    "diff": ("-q",),
    "cp": ("--attributes-only",),
}
_PASSES_TEXT = """
    cat tac nl head tail less more bat tee sort uniq shuf tr cut sed gsed awk gawk mawk grep egrep fgrep
    rg ag fold fmt column paste pr rev expand base64 base32 basenc gbase64 xxd od hexdump gzip bzip2 xz
    zstd gunzip zcat jq yq xargs perl python python3 node ruby echo printf openssl uuencode iconv strings
    envsubst sponge split tar zip cpio pv dd
"""
PASSES = frozenset(_PASSES_TEXT.split())
"""Programs whose output is made of what comes in."""
_LOADERS_TEXT = """
    dotenv dotenvx doppler infisical chamber aws-vault envchain op teller direnv
"""
LOADERS = frozenset(_LOADERS_TEXT.split())
"""Programs that run another with secrets in its environment."""
_DUMPERS = frozenset({"env", "genv", "printenv", "set", "export", "declare", "typeset", "readonly"})
_CONTAINERS = frozenset({"docker", "podman", "nerdctl", "docker-compose", "podman-compose"})
_NAMED = regex(
    r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|AUTH)S?(?:$|_ID$)|SECRET|APIKEY"
    r"|(?:DATABASE|DB|REDIS|MONGO(?:DB)?|POSTGRES(?:QL)?|MYSQL|AMQP)_UR[LI]$|(?:^|_)DSN$|CONNECTION_STRING"
)
_PUBLIC = regex(r"PUBLIC|KEY_?(?:FILE|PATH|NAME|TYPE|BOARD)|_ID$")


def names_secret(name: str) -> bool:
    """Say whether a variable of this name holds a secret, as far as names tell."""
    name = name.upper()
    return _NAMED.search(name) is not None and _PUBLIC.search(name) is None


def of_variable(name: str, frame: Frame) -> str:
    """Return what a variable holds that the command does not set: unknown, and perhaps a secret."""
    if not names_secret(name):
        return UNKNOWN
    return f"{UNKNOWN}{SECRET}" if frame.loaded else f"{UNKNOWN}{KEY}"


def dumped(guard: Evaluator, call: Call, frame: Frame) -> str | None:
    """Return what a program prints that shows every variable, or nothing where it shows none.

    The environment of this shell is the agent's own; that of a container, or one into which a file of
    secrets was loaded, is not.
    """
    if call.program not in _DUMPERS or not dumps(call):
        if call.program == "printenv":
            return "".join(f"{of_variable(arg.text, frame)}\n" for arg in call.operands) or None
        return None
    if frame.loaded or (call.remote and _has_secrets(guard, call)):
        return f"{UNKNOWN}{SECRET}\n"
    return f"{UNKNOWN}\n"


def dumps(call: Call) -> bool:
    """Say whether *call* prints the environment: `env`, `printenv`, `export -p`."""
    if call.program in ("env", "genv"):
        words = [arg for arg in call.operands if "=" not in arg.text]
        return not words and not call.has("-i", "-S")
    if call.program == "printenv":
        return not call.operands
    if call.program == "set":
        return not call.args
    return not call.args or (call.has("-p", "-x") and not call.operands)


def _has_secrets(guard: Evaluator, call: Call) -> bool:
    """Say whether the container or pod that *call* runs in was given an environment of its own."""
    if not call.remote.startswith(("container", "pod")):
        return False
    for one in reversed(guard.calls):
        if one.program in _CONTAINERS:
            starts = any(arg.text in ("run", "create") for arg in one.operands[:2])
            given = (resolve(arg.value, one.cwd) for arg in one.options.all("--env-file"))
            return not starts or any(map(guard.holds_secret, given)) or one.subcommand == "compose"
    return True


def tells_names(call: Call) -> bool:
    """Say whether a filter leaves the names and drops the values: `cut -d= -f1`, `sed s/=.*//`."""
    words = " ".join(arg.text for arg in call.args)
    return (
        (call.program == "cut" and _FIRST_FIELD.search(words) is not None)
        or (call.program in ("sed", "gsed") and _CUTS_VALUE.search(words) is not None)
        or (call.program in ("awk", "gawk") and _PRINTS_FIRST.search(words) is not None)
        or (call.program == "grep" and call.has("-o") and "=" not in words.partition(" ")[2])
    )


_FIRST_FIELD = regex(r"(?:^|\s)-d\s?['\"]?=.*-f\s?1(?:\s|$)|(?:^|\s)-f\s?1\s.*-d\s?=|-d=\s-f1")
_CUTS_VALUE = regex(r"s(.)(?:\\\()?=\.\*(?:\\\))?\1|s(.)=\[\^[^]]*\]\*\2")
_PRINTS_FIRST = regex(r"-F\s?['\"]?=.*print \$1\s*\}")


def is_blind(call: Call) -> bool:
    """Say whether *call* shows nothing of the files it reads."""
    return call.program in BLIND or call.has(*QUIET.get(call.program, ()))


def _is_silent(call: Call) -> bool:
    """Say whether *call* writes what it reads to a file, and prints nothing of it."""
    if call.program in ("tar", "gtar", "bsdtar"):
        return (
            call.has("-f") and not any(arg.text == "-" for arg in call.args) and not call.has("-O")
        )
    return call.program in _SILENT


_SILENT = frozenset(
    {"cp", "mv", "ln", "install", "rsync", "scp", "zip", "7z", "git", "docker", "kubectl"}
)


def marked(guard: Evaluator, call: Call, output: str, first: int) -> str:
    """Return *output* of *call*, marked where it holds a secret that the call was given.

    Its effects are those of the evaluation from *first* on.
    """
    if is_blind(call) or _is_silent(call):
        return output
    reads = any(
        one.act is Act.READ and one.call is call and guard.holds_secret(one.path)
        for one in guard.effects[first:]
    )
    stdin = call.stdin
    piped = stdin is not None and not stdin.isascii() and call.program in PASSES
    fetches = any(one.act is Act.FETCH and one.call is call for one in guard.effects[first:])
    if not reads and not fetches and not (piped and stdin and not is_known(stdin)):
        return output
    if tells_names(call):
        return output.replace(SECRET, "").replace(KEY, "")
    source = f"{stdin if piped else ''}{SECRET if reads else ''}{FETCHED if fetches else ''}"
    if not any(mark in source for mark in (SECRET, KEY, FETCHED)):
        return output
    return with_secrets(output if UNKNOWN in output else f"{UNKNOWN}\n", source)


def holds_secret(guard: Evaluator, path: str) -> bool:
    """Say whether *path* is a file of secrets, or what the command made of one."""
    text = guard.files.get(path)
    if text is not None:
        return SECRET in text or (UNKNOWN in text and bool(guard.is_secret(path)))
    target = guard.links.get(path)
    return bool(guard.is_secret(path)) or (target is not None and bool(guard.is_secret(target)))


def note_shown(guard: Evaluator, printed: str) -> None:
    """Note that the command prints a secret: whoever reads its output reads that."""
    call = guard.shows
    if call is None or printed.isascii() or not (SECRET in printed or KEY in printed):
        return
    path = f"{UNKNOWN}{SECRET if SECRET in printed else KEY}"
    guard.effects.append(Effect(act=Act.READ, call=call, span=call.span, path=path))
