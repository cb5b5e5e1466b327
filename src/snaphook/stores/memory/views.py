"""The memories of a project as four documents that people read.

MemoryStore  ->  EXPERIENCES.md  FACTS.md  OPINIONS.md  OBSERVATIONS.md

They are views: written anew from the store, never read back. Each is replaced in one step.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from snaphook.storage.files import replace
from snaphook.storage.folders import make_private

from .store import MemoryStore, Which
from .values import Author, Memory, MemoryKind

FILES: Mapping[MemoryKind, str] = {
    MemoryKind.EXPERIENCE: "EXPERIENCES.md",
    MemoryKind.FACT: "FACTS.md",
    MemoryKind.OPINION: "OPINIONS.md",
    MemoryKind.OBSERVATION: "OBSERVATIONS.md",
}
TITLES: Mapping[MemoryKind, str] = {
    MemoryKind.EXPERIENCE: "Experiences: what was tried, and what came of it",
    MemoryKind.FACT: "Facts: what was decided, and what holds",
    MemoryKind.OPINION: "Opinions: what is preferred, and why",
    MemoryKind.OBSERVATION: "Observations: what was seen, measured and learned",
}
MOST = 500
"""So many of a kind are shown; the store has the rest."""


def write_views(
    store: MemoryStore, folder: Path, *, project: str, now: float, also: tuple[str, ...] = ()
) -> list[Path]:
    """Write the four views of *project*, *also* called so, into *folder*; return their paths."""
    make_private(folder)
    written = []
    for kind, name in FILES.items():
        which = Which(project=project, also=also, kinds=(kind,), superseded=True)
        memories = store.newest(which, limit=MOST)
        path = folder / name
        _replaced(path, "\n".join(_lines(kind, memories, now)) + "\n")
        written.append(path)
    return written


def _lines(kind: MemoryKind, memories: Sequence[Memory], now: float) -> Iterator[str]:
    yield from ("---", f"memory_type: {kind}", f"project_memories: {len(memories)}", "---", "")
    yield f"# {TITLES[kind]}"
    yield ""
    yield "Written by `snaphook memory`; edits are lost. `snaphook memory forget ID` removes an entry."
    current = sorted(
        (memory for memory in memories if memory.current and memory.author is not Author.OUTSIDE),
        key=lambda memory: -memory.confidence(now),
    )
    if not memories:
        yield from ("", "Nothing yet.")
    for memory in current:
        yield from ("", *_entry(memory, now))
    quoted = [memory for memory in memories if memory.author is Author.OUTSIDE]
    if quoted:
        yield from ("", "## Quoted: the words of others, told to no session unasked")
    for memory in quoted:
        yield from ("", *_entry(memory, now))
    old = [memory for memory in memories if not memory.current]
    if old:
        yield from ("", "## No longer so")
    for memory in old:
        yield from ("", *_entry(memory, now))


def _entry(memory: Memory, now: float) -> Iterator[str]:
    source = memory.sources[-1]
    said = _day(memory.created)
    if memory.proof > 1:
        said = f"{said} to {_day(memory.seen)}, {memory.proof} witnesses"
    shown = f"> {memory.text}" if memory.author is Author.OUTSIDE else memory.text
    yield f"- **{memory.id[:8]}** {shown}"
    if memory.quote:
        yield f"  > {memory.quote}"
    yield f"  (confidence {memory.confidence(now):.2f}; {said}; {source.anchor})"
    if not memory.current:
        yield f"  Replaced on {_day(memory.superseded_at)} by {memory.superseded_by[:8]}."


def _day(moment: float) -> str:
    return datetime.fromtimestamp(moment, UTC).date().isoformat()


def _replaced(path: Path, text: str) -> None:
    """Write *text* beside *path* and put it in its place, so that no reader sees half of it."""
    replace(path, text.encode())
