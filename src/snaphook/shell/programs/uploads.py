"""Programs that take local files elsewhere, or show what is in them, besides all else they do.

aws s3 cp .env s3://bucket/  ->  reads .env, sends it to s3://bucket/
openssl rsa -in key.pem      ->  reads key.pem
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect
from snaphook.shell.programs.program import on

Teller = Callable[[Call], Iterator[Action]]

_REMOTE = re.compile(
    r"^(?:s3|gs|az|https?|ftp|sftp|rsync|ssh|wasbs?|abfss?)://|^[\w.@-]{2,}:(?!\\)"
)


def copied(*verbs: str) -> Teller:
    """Return a teller for `tool verb SOURCE… TARGET`, where one end may be remote."""

    def does(call: Call) -> Iterator[Action]:
        words = call.operands
        if verbs:
            at = next((at for at, arg in enumerate(words) if arg.text in verbs), None)
            if at is None:
                return
            words = words[at + 1 :]
        if len(words) > 1 and _REMOTE.match(words[-1].text):
            for source in words[:-1]:
                if not _REMOTE.match(source.text):
                    yield from _sent(call, source, words[-1].text)

    return does


def attached(*names: str, after: tuple[str, ...] = (), to: str = "a service") -> Teller:
    """Return a teller for files named by the options *names*, or by the operands after *after*."""

    def does(call: Call) -> Iterator[Action]:
        if not call.options.starts(after):
            return
        for arg in call.options.all(*names):
            yield from _sent(call, arg, to)
        for arg in call.operands[len(after) :] if after and not names else ():
            yield from _sent(call, arg, to)

    return does


def _sent(call: Call, source: Arg, address: str) -> Iterator[Action]:
    yield on(Act.READ, call, source, recursive=True)
    yield replace(on(Act.SEND, call, source, recursive=True), detail=address)


def named(call: Call) -> Iterator[Action]:
    """Send the files of `http POST host field@file`."""
    for arg in call.operands[1:]:
        _, at, path = arg.text.partition("@")
        if at and path and "://" not in arg.text:
            yield from _sent(call, replace(arg, value=path), call.operands[0].text)


def shown(*names: str) -> Teller:
    """Return a teller for programs that show the file in one of the options *names*."""

    def does(call: Call) -> Iterator[Action]:
        for arg, after in zip(call.args, call.args[1:], strict=False):
            if arg.text in names:
                yield on(Act.READ, call, after)

    return does


def edited(call: Call) -> Iterator[Action]:
    """Show each file that an editor opens."""
    for arg in call.operands:
        yield on(Act.READ, call, arg)


def ssh_keygen(call: Call) -> Iterator[Action]:
    """Show the private key with -y, which prints what follows from it."""
    texts = [arg.text for arg in call.args]
    if "-y" in texts and "-f" in texts[:-1]:
        key = call.args[texts.index("-f") + 1]
        yield replace(on(Act.READ, replace(call, program="ssh-keygen -y"), key))


def curl(call: Call) -> Iterator[Action]:
    """Read what `file://` names."""
    for arg in call.operands:
        if arg.text.startswith("file://"):
            yield on(Act.READ, call, replace(arg, value=arg.value[len("file://") :]))


def git(call: Call) -> Iterator[Action]:
    """Read what is staged by name, and what is compared outside of history."""
    stages = call.subcommand == "add" and not call.has("--dry-run")
    if call.subcommand in ("blame", "annotate") or (
        call.subcommand in ("log", "diff") and "--" in [arg.text for arg in call.args]
    ):  # prints what the file held
        shows = call.subcommand != "log" or call.has("-p", "--patch", "-u")
        for arg in call.operands[1:] if shows else ():
            yield on(Act.READ, call, arg)
    if stages or (call.subcommand == "diff" and call.has("--no-index")):
        words = call.operands[1:]
        for arg in words if len(words) < _MANY else filter(_may_be_secret, words):
            yield on(Act.READ, call, arg)


_MANY = 100
"""Files staged at once of which only those count that may hold secrets: nobody else asks."""
_SECRET_LIKE = re.compile(
    r"\.env|key|secret|cred|pass|token|\.pem|id_|\.p12|\.pfx|rc$|htpasswd|kube|vault|\W$|[^\x00-\x7f]",
    re.IGNORECASE,
)


def _may_be_secret(arg: Arg) -> bool:
    return _SECRET_LIKE.search(arg.value) is not None


def sftp(call: Call) -> Iterator[Action]:
    """Send what the commands on standard input put."""
    for line in (call.stdin or "").splitlines():
        words = line.split()
        if words[:1] == ["put"] and len(words) > 1:
            yield from _sent(call, Arg(value=words[1], span=call.span), "the host")


def tar(call: Call) -> Iterator[Action]:
    """Send what is packed into an archive on another machine: `tar -cf host:/x …`."""
    told = " ".join([*(arg.text for arg in call.args), call.env.get("TAR_OPTIONS", "")])
    if _ARCHIVE.search(f"{told} --file={call.env.get('TAPE', '')}"):
        for arg in call.operands:
            yield from _sent(call, arg, "another machine")


def socat(call: Call) -> Iterator[Action]:
    """Send the file that one address opens to the other."""
    far = any(arg.text.upper().startswith(_FAR) for arg in call.operands)
    for arg in call.operands if far else ():
        kind, _, path = arg.text.partition(":")
        if kind.upper() in ("OPEN", "FILE", "GOPEN"):
            yield from _sent(call, replace(arg, value=path.strip('"').partition(",")[0]), "a port")
    if far and call.upstream:
        yield Effect(act=Act.SEND, call=call, span=call.span, detail="a port")


def fed(call: Call) -> Iterator[Action]:
    """Send what is piped in."""
    if call.upstream:
        yield Effect(act=Act.SEND, call=call, span=call.span, detail="another machine")


def gh(call: Call) -> Iterator[Action]:
    """Send the files of a gist, and those that hold the text of an issue, a review or a release."""
    if call.options.starts(("gist", "create")):
        for arg in call.operands[2:]:
            yield from _sent(call, arg, "a gist")
    for arg, after in zip(call.args, call.args[1:], strict=False):
        if arg.text in ("-F", "--body-file", "--notes-file") and call.subcommand != "api":
            yield from _sent(call, after, "a code host")
    if call.options.starts(("release", "upload")) or call.options.starts(("release", "create")):
        for arg in call.operands[3:]:
            yield from _sent(call, arg, "a code host")


_ARCHIVE = re.compile(r"(?:--file=|-\w{0,12}f\s{0,3})[\w.@-]{1,255}:/")
_FAR = ("TCP", "UDP", "OPENSSL", "SOCKS", "SSL")
TELLERS: Mapping[str, Teller] = {
    "tar": tar,
    "socat": socat,
    "ssh": fed,
    "aws": copied("cp", "mv", "sync"),
    "gsutil": copied("cp", "mv", "rsync"),
    "gcloud": copied("cp", "mv", "rsync", "scp"),
    "rclone": copied("copy", "copyto", "sync", "move", "moveto"),
    "s3cmd": copied("put", "sync"),
    "s5cmd": copied("cp", "sync", "mv"),
    "mc": copied("cp", "mirror", "mv"),
    "azcopy": copied("copy", "cp", "sync"),
    "rsync": copied(),
    "kubectl": copied("cp"),
    "az": attached("-f", "--file", "--source"),
    "gh": gh,
    "mutt": attached("-a"),
    "mail": attached("-a", "-A"),
    "http": named,
    "https": named,
    "xh": named,
    "openssl": shown("-in", "-inkey"),
    "gpg": shown("-d", "--decrypt"),
    "ssh-keygen": ssh_keygen,
    **dict.fromkeys(("vim", "vi", "nvim", "view", "nano", "pico", "emacs", "ed", "code"), edited),
    **dict.fromkeys(("pbcopy", "xclip", "xsel", "wl-copy", "cmp", "split", "look", "pr"), edited),
    "curl": curl,
    "git": git,
    "sftp": sftp,
}
