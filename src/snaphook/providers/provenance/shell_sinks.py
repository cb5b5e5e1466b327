"""What a shell command does with values.

Understood  ->  Sinks

Works on the guard's facts (programs, options, expanded words, effects), never on the command's text.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from snaphook.shell.facts import Call
from snaphook.shell.understood import Understood

from .installers import RUNNERS, packages
from .obeyed import obeyed
from .sinks import Sink, SinkKind
from .sources import call_text
from .values import Value, found_in

_INTERPRETERS_TEXT = """
    bash sh zsh dash ksh fish ash source . python python3 python2 node nodejs ruby perl php deno
    bun lua Rscript julia tsx ts-node osascript pwsh powershell tclsh groovy java jshell swift
"""
_INTERPRETERS = frozenset(_INTERPRETERS_TEXT.split())
_BUILDERS_TEXT = """
    make gmake cmake ninja npm pnpm yarn bun pip pip3 poetry uv pdm cargo go gradle gradlew mvn
    mvnw bundle rake tox nox pytest jest vitest docker docker-compose just task bazel meson ant
    dotnet mix composer rebar3 sbt stack cabal configure setup.py invoke pre-commit tsc node
"""
_BUILDERS = frozenset(_BUILDERS_TEXT.split())
"""Programs that run what the folder they stand in says."""
_FETCHERS_TEXT = """
    curl wget wget2 curlie http https httpie xh aria2c axel fetch lynx w3m
"""
_FETCHERS = frozenset(_FETCHERS_TEXT.split())
_SENDERS_TEXT = """
    nc ncat netcat socat telnet scp sftp rsync ftp tftp lftp ssh autossh mosh ssh-copy-id mail
    mailx mutt sendmail msmtp swaks neomutt himalaya aws gsutil gcloud az azcopy rclone s3cmd
    s5cmd mc restic borg croc wormhole magic-wormhole ffsend transfer.sh ngrok cloudflared bore
    lt localtunnel openssl websocat wscat grpcurl mosquitto_pub kafkacat kcat redis-cli psql
    mysql mongosh pg_dump mysqldump notify-send twilio slack-cli discord telegram-send smbclient
    ldapsearch snmpset
"""
_SENDERS = frozenset(_SENDERS_TEXT.split())
_NAMES_TEXT = """
    dig drill host kdig nslookup ping ping6 resolvectl traceroute mtr getent
"""
_NAMES = frozenset(_NAMES_TEXT.split())
_FORGES = frozenset(["gh", "glab", "hub", "tea"])
_PUBLISHES = frozenset(["publish", "push", "upload", "deploy", "release"])
_HARMLESS_TEXT = """
    echo printf cat ls cd pwd grep egrep fgrep rg ag ack sed awk gawk head tail less more wc
    sort uniq cut tr tee find fd test [ true false mkdir touch cp mv rm rmdir ln stat file diff
    cmp jq yq xargs date sleep which type command export set unset read local declare basename
    dirname realpath readlink tar unzip zip gzip gunzip chmod chown du df ps kill env printenv
    history man help whoami id uname hostname seq yes nl od xxd base64 md5sum sha256sum comm
    paste column fold tree bat open code vim vi nano emacs pytest mypy ruff black eslint
    prettier tsc jest vitest
"""
_HARMLESS = frozenset(_HARMLESS_TEXT.split())
_BODY = ("-d", "--data", "--data-raw", "--data-binary", "--data-urlencode", "--data-ascii", "--json", "-F",
         "--form", "--form-string", "-T", "--upload-file", "--post-data", "--post-file", "--body-data",
         "--body-file")  # fmt: skip
_METHODS = frozenset(["POST", "PUT", "PATCH", "DELETE"])


def shell_sinks(reading: Understood, command: str) -> Iterator[Sink]:
    """Yield what *command* does with values."""
    for call in reading.calls:
        if call.sure:
            yield from _of_call(call, reading)
    yield from _written(reading, command)


def _of_call(call: Call, reading: Understood) -> Iterator[Sink]:
    what = call_text(call)
    named = (*packages(call), *_set_for(call))
    if named:
        yield Sink(kind=SinkKind.INSTALL, what=what, values=named)
    yield from _run(call, what)
    if call.program == "git":
        yield from _git(call, what)
    elif call.program in _FETCHERS:
        yield _request(call, what, reading)
    elif call.program in _SENDERS or call.program in _NAMES:
        yield Sink(
            kind=SinkKind.SEND,
            what=what,
            values=_addresses(call),
            texts=_sent(call),
            paths=_files(call, reading),
        )
    elif call.program in _FORGES:
        yield from _forge(call, what, reading)
    elif code := _code(call, reading):
        yield from _inline(call, what, code)
    elif call.program not in _HARMLESS and call.program not in RUNNERS and not named:
        kind = (
            SinkKind.SEND
            if any(arg.text in _PUBLISHES for arg in call.args[:2])
            else SinkKind.CONFIGURE
        )
        if values := _addresses(call):
            yield Sink(kind=kind, what=what, values=values, texts=_sent(call))


def _set_for(call: Call) -> Iterator[Value]:
    """Yield the addresses in variables that are set for this call: ``PIP_INDEX_URL=… pip install x``."""
    for name, text in call.env.items():
        if any(word in name.upper() for word in _INDEX_VARIABLES):
            yield from (replace(value, kind="package index") for value in found_in(text))


_INDEX_VARIABLES = ("INDEX", "REGISTRY", "PROXY", "MIRROR", "FIND_LINKS", "SOURCE", "REPO", "HOST")


def _addresses(call: Call) -> tuple[Value, ...]:
    found: dict[str, Value] = {}
    told = [arg.text for arg in call.args]
    told += [arg.text for above in call.upstream for arg in above.args]
    told += [call.stdin] if call.stdin else []
    for text in told:
        for value in found_in(text):
            found.setdefault(value.text, value)
    return tuple(found.values())


def _sent(call: Call) -> tuple[str, ...]:
    words = [arg.text for arg in call.args]
    return (" ".join(words), *((call.stdin,) if call.stdin else ()))


def _files(call: Call, reading: Understood) -> tuple[str, ...]:
    """Return the files that *call* sends: those it reads itself, and those piped into it."""
    readers = {id(call), *(id(one) for one in call.upstream)}
    programs = {call.program, *(one.program for one in call.upstream)}
    return tuple(
        effect.path
        for effect in reading.effects
        if effect.act.name in ("READ", "SEND")
        and effect.path
        and (id(effect.call) in readers or effect.call.program in programs)
    )


def _request(call: Call, what: str, reading: Understood) -> Sink:
    words = [arg.text for arg in call.args]
    sends = any(word.partition("=")[0] in _BODY or word[:2] in ("-d", "-F", "-T") for word in words)
    sends = sends or any(word in _METHODS or word[2:] in _METHODS for word in words)
    sends = sends or (
        call.program in ("http", "https", "xh")
        and any("=" in word or "@" in word for word in words[1:])
    )
    kind = SinkKind.SEND if sends or call.upstream else SinkKind.FETCH
    return Sink(
        kind=kind,
        what=what,
        values=_addresses(call),
        texts=_sent(call),
        paths=_files(call, reading),
    )


def _run(call: Call, what: str) -> Iterator[Sink]:
    """Yield the file that *call* runs, or the folder that says what it runs."""
    if call.program in _INTERPRETERS:
        for arg in call.operands[:1]:
            yield Sink(kind=SinkKind.RUN, what=what, paths=(absolute(arg.text, call.cwd),))
        for above in call.upstream:
            paths = tuple(absolute(arg.text, above.cwd) for arg in above.operands)
            yield Sink(kind=SinkKind.RUN, what=what, paths=paths)
        if call.stdin:
            yield Sink(kind=SinkKind.RUN, what=what, content=call.stdin)
    elif "/" in call.name.text and not call.via:
        yield Sink(kind=SinkKind.RUN, what=what, paths=(absolute(call.name.text, call.cwd),))
    if call.program in _BUILDERS:
        yield Sink(kind=SinkKind.RUN, what=what, paths=(call.cwd,))
        local = (arg.text for arg in call.operands if arg.text.startswith((".", "/")))
        yield Sink(
            kind=SinkKind.RUN, what=what, paths=tuple(absolute(one, call.cwd) for one in local)
        )


def absolute(path: str, cwd: str) -> str:
    """Return *path* as seen from *cwd*."""
    if path.startswith("/"):
        return path
    while path.startswith("./"):
        path = path[2:]
    folder = cwd
    while path.startswith("../"):
        path, folder = path[3:], folder.rpartition("/")[0]
    return folder if path in ("", ".") else f"{folder}/{path}"


def _git(call: Call, what: str) -> Iterator[Sink]:
    words = [arg.text for arg in call.args]
    changes = call.subcommand in ("remote", "config", "submodule", "push", "bundle", "send-email")
    values = tuple(
        Value(kind="remote", text=value.text) if value.kind in ("URL", "host") else value
        for value in _addresses(call)
    )
    commits = call.cwd if call.subcommand in ("push", "bundle", "send-email") else ""
    if changes and values:
        yield Sink(
            kind=SinkKind.REMOTE,
            what=what,
            values=values,
            texts=(" ".join(words),),
            commits=commits,
        )
    elif values and call.subcommand in ("clone", "fetch", "pull", "ls-remote"):
        yield Sink(
            kind=SinkKind.FETCH, what=what, values=_addresses(call), texts=(" ".join(words),)
        )
    elif commits or call.subcommand in ("commit", "tag", "notes"):
        yield Sink(kind=SinkKind.SEND, what=what, texts=(" ".join(words),), commits=commits)


def _forge(call: Call, what: str, reading: Understood) -> Iterator[Sink]:
    words = [arg.text for arg in call.args]
    told = set(words[:3])
    if told & {
        "create",
        "comment",
        "edit",
        "review",
        "close",
        "reopen",
        "merge",
        "set",
        "upload",
        "add",
        "fork",
    } or any(
        word in _METHODS or word in ("-f", "-F", "--field", "--raw-field", "--input")
        for word in words
    ):
        permits = told & {
            "secret",
            "variable",
            "ssh-key",
            "gpg-key",
            "deploy-key",
            "collaborator",
            "auth",
        }
        kind = SinkKind.PERMIT if permits or "collaborators" in " ".join(words) else SinkKind.SEND
        yield Sink(
            kind=kind,
            what=what,
            values=_addresses(call),
            texts=_sent(call),
            paths=_files(call, reading),
        )


def _code(call: Call, reading: Understood) -> str:
    """Return the code that *call* is given in line."""
    return "\n".join(
        effect.detail
        for effect in reading.effects
        if effect.act.name == "CODE" and effect.call is call
    )


def _inline(call: Call, what: str, code: str) -> Iterator[Sink]:
    values = tuple(found_in(code))
    yield Sink(kind=SinkKind.RUN, what=what, content=code)
    if values:
        yield Sink(kind=SinkKind.SEND, what=what, values=values, texts=(code, *_sent(call)))


def _written(reading: Understood, command: str) -> Iterator[Sink]:
    """Yield the files that agents and machines obey, where the command writes one."""
    for effect in reading.effects:
        if effect.act.name in ("WRITE", "OVERWRITE", "APPEND", "MOVE", "LINK") and obeyed(
            effect.path
        ):
            yield Sink(
                kind=SinkKind.OBEY,
                what=f"write {effect.path}",
                content=command,
                paths=(effect.path,),
                values=tuple(found_in(command)),
            )
