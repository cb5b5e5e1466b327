"""Files that were written from a text from outside.

a call that ran  ->  Written entries: downloads, clones, archives, copies
"""

import itertools
from collections.abc import Callable, Iterator

from snaphook.canon import ToolEvent
from snaphook.shell.facts import Call, Effect
from snaphook.shell.understood import Understood
from snaphook.stores.provenance.entries import Written
from snaphook.stores.provenance.parts import parts
from snaphook.stores.provenance.session import Session

from .judge import COPIED
from .shell_sinks import absolute
from .tool_sinks import written as file_of
from .values import found_in
from .weight import SHORTEST_COPY

_WRITES = ("WRITE", "OVERWRITE", "APPEND", "MOVE", "LINK")
_UNPACKERS_TEXT = """
    tar unzip bsdtar 7z 7za 7zz gunzip unxz ar cpio
"""
_UNPACKERS = frozenset(_UNPACKERS_TEXT.split())
_COPIERS = frozenset(["cp", "mv", "ln", "install", "rsync"])
Named = Callable[[str], bool]


def files_written(
    event: ToolEvent,
    reading: Understood | None,
    session: Session,
    number: int,
    *,
    project: str,
    named: Named,
) -> Iterator[Written]:
    """Yield the files that the call made of texts from outside, and those it made of something else."""
    if reading is not None:
        for call in reading.calls:
            yield from _of_call(call, reading, session, number, named)
        return
    path, content = file_of(event.tool_name, event.tool_args)
    if not path:
        return
    full = path if path.startswith("/") else f"{project}/{path}"
    origin = copied_from(content, session)
    if origin is not None:
        yield Written(path=full, number=origin)
    elif session.file(full) is not None and event.tool_name == "Write":
        yield Written(path=full, number=number, gone=True)


def copied_from(content: str, session: Session) -> int | None:
    """Return the call whose result *content* was mostly copied from."""
    if not session.has_outside or len(parts(content)) < SHORTEST_COPY + 2:
        return None
    share, source = session.share(content)
    return source.number if source is not None and share >= COPIED else None


def _of_call(
    call: Call, reading: Understood, session: Session, number: int, named: Named
) -> Iterator[Written]:
    targets = [
        one for one in reading.effects if one.act.name in _WRITES and _belongs(one, call, reading)
    ]
    fetched = [
        one.detail for one in reading.effects if one.act.name == "FETCH" and one.call is call
    ]
    if call.program == "git" and call.subcommand in ("clone", "submodule"):
        yield from _cloned(call, number, named)
    elif fetched and targets:
        trusted = all(named(address) for address in fetched if address)
        for target in targets:
            yield Written(path=target.path, number=number, named=trusted)
    elif call.program in _UNPACKERS:
        yield from _unpacked(call, session)
    elif call.program in _COPIERS and len(call.operands) > 1:
        first = session.file(absolute(call.operands[0].text, call.cwd))
        if first is not None:
            copy = absolute(call.operands[-1].text, call.cwd)
            yield Written(path=copy, number=first.number, folder=first.folder, named=first.named)
    elif targets:
        yield from _printed(call, targets, session)


def _belongs(effect: Effect, call: Call, reading: Understood) -> bool:
    """Say whether *effect* is where *call* writes: its own, or the redirection of its pipeline."""
    if effect.call is call:
        return True
    redirected = effect.call.program in (">", ">>", "&>", ">|", "tee")
    return redirected and (
        len(reading.calls) == 1 or call in effect.call.upstream or effect.call.program[0] in ">&"
    )


def _cloned(call: Call, number: int, named: Named) -> Iterator[Written]:
    urls = [arg.text for arg in call.operands[1:] if list(found_in(arg.text)) or "/" in arg.text]
    if not urls:
        return
    rest = [arg.text for arg in call.operands[1:] if arg.text != urls[0] and arg.text != "add"]
    folder = rest[0] if rest else urls[0].rstrip("/").rpartition("/")[2].removesuffix(".git")
    yield Written(path=absolute(folder, call.cwd), number=number, folder=True, named=named(urls[0]))


def _unpacked(call: Call, session: Session) -> Iterator[Written]:
    """Yield where an archive from outside is unpacked; the whole folder counts."""
    for arg in call.args:
        archive = session.file(absolute(arg.text, call.cwd))
        if archive is None:
            continue
        words = [one.text for one in call.args]
        into = next(
            (
                after
                for flag, after in itertools.pairwise(words)
                if flag in ("-C", "-d", "--directory")
            ),
            "",
        )
        stem = (
            arg.text.rpartition("/")[2]
            .partition(".tar")[0]
            .partition(".zip")[0]
            .partition(".tgz")[0]
        )
        target = absolute(into or stem, call.cwd)
        yield Written(path=target, number=archive.number, folder=True, named=archive.named)


def _printed(call: Call, targets: list[Effect], session: Session) -> Iterator[Written]:
    """Yield a file that was written from words of the command or of a heredoc."""
    content = "\n".join([call.stdin or "", *(arg.text for arg in call.args)])
    origin = copied_from(content, session)
    if origin is not None:
        for target in targets:
            yield Written(path=target.path, number=origin)
