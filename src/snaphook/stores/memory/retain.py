"""Keep what a run, a document or a conversation taught.

paths  ->  documents  ->  memories  ->  store

Retaining the same run twice changes nothing. A file that cannot be read is told, and the others
are kept.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from snaphook.scrub import Scrubber

from .extract.document import DocumentOrigin, Draft, Extractor, SourceDocument, remember
from .extract.heard import Heard
from .extract.markdown import from_markdown
from .extract.transcript import from_transcript, numbered
from .store import MemoryStore, Stored
from .values import Author, Memory

RUN_DOCUMENTS = ("DECISIONS.md", "THOUGHTS.md", "RESULTS.md", "LEARNINGS.md", "ASSUMPTIONS.md")
"""What a run folder is read for, in this order."""
WRITTEN = frozenset({".md", ".markdown", ".txt"})
SPOKEN = frozenset({".jsonl", ".json"})
_RUN = re.compile(r"run-\d{4,8}[\w-]*")
_BIGGEST = 8 << 20
"""Bytes of a document beyond which it is none."""
BATCH = 2_000
"""So many memories are stored in one transaction."""


Screen: TypeAlias = Callable[[SourceDocument, Iterable[Draft], Heard], Iterable[Draft]]
"""Decides whose words the drafts of a document are; it may leave some out."""


class Retained(Struct, frozen=True, kw_only=True):
    """What became of what was to be retained."""

    stored: Stored = Stored()
    documents: int = 0
    memories: int = 0
    quoted: int = 0
    """Those among them that are somebody else's words: kept, and told only to who asks."""
    skipped: tuple[str, ...] = ()
    """Why a file was not read, one line each."""


def retain(
    store: MemoryStore,
    paths: Iterable[Path],
    origin: DocumentOrigin,
    *,
    extractor: Extractor = from_markdown,
    scrubber: Scrubber | None = None,
    revive: bool = False,
    screen: Screen | None = None,
    beside: Iterable[Path] = (),
) -> Retained:
    """Keep in *store* what *paths* teach: files, run folders, transcripts.

    *beside* are transcripts of the same session that are read for who wrote what, and not retained.
    """
    skipped: list[str] = []
    memories: list[Memory] = []
    documents = 0
    heard = Heard()
    for path in beside:
        from_transcript(numbered(path), heard=heard)
    # Transcripts first: they tell which of the documents' lines the agent wrote.
    for path in sorted(found(paths, skipped), key=lambda path: path.suffix.casefold() in WRITTEN):
        try:
            memories += _memories(path, origin, extractor, scrubber, screen, heard)
            documents += 1
        except (OSError, UnicodeDecodeError) as error:
            skipped.append(f"{path}: {getattr(error, 'strerror', None) or error}")
    return Retained(
        stored=_put(store, memories, revive=revive),
        documents=documents,
        memories=len(memories),
        quoted=sum(memory.author is Author.OUTSIDE for memory in memories),
        skipped=tuple(skipped),
    )


def found(paths: Iterable[Path], skipped: list[str]) -> Iterator[Path]:
    """Yield the files that *paths* mean: of a folder its run documents, or else all it has of ours."""
    for path in paths:
        if path.is_dir():
            yield from _in_folder(path)
        elif not path.exists():
            skipped.append(f"{path}: there is no such file or folder")
        elif path.suffix.casefold() not in WRITTEN | SPOKEN:
            skipped.append(
                f"{path}: neither a document (.md, .txt) nor a transcript (.jsonl, .json)"
            )
        elif path.stat().st_size > _BIGGEST and path.suffix.casefold() in WRITTEN:
            skipped.append(f"{path}: longer than {_BIGGEST >> 20} MB, too large for a document")
        else:
            yield path


def _in_folder(folder: Path) -> Iterator[Path]:
    ours = [folder / name for name in RUN_DOCUMENTS if (folder / name).is_file()]
    if ours:
        yield from ours
        return
    for name in RUN_DOCUMENTS:
        yield from sorted(folder.rglob(name))


def _memories(
    path: Path,
    origin: DocumentOrigin,
    extractor: Extractor,
    scrubber: Scrubber | None,
    screen: Screen | None,
    heard: Heard,
) -> list[Memory]:
    drafts: Iterable[Draft]
    if path.suffix.casefold() in SPOKEN:
        document = SourceDocument(path=str(path), text="", origin=of(path, origin))
        drafts = from_transcript(numbered(path), heard=heard)
    else:
        text = path.read_text(encoding="utf-8", errors="replace")
        document = SourceDocument(path=str(path), text=text, origin=of(path, origin))
        drafts = extractor(document)
    if screen is not None:
        drafts = screen(document, drafts, heard)
    return remember(document, drafts, scrubber=scrubber)


def of(path: Path, origin: DocumentOrigin) -> DocumentOrigin:
    """Return *origin* with what the path itself tells: the run, and when it was last written."""
    run = origin.run
    if not run and not origin.session:
        named = [part for part in path.parts if _RUN.fullmatch(part)]
        run = named[-1] if named else ""
    return replace(origin, run=run, time=origin.time or path.stat().st_mtime)


def _put(store: MemoryStore, memories: Collection[Memory], *, revive: bool) -> Stored:
    total = Stored()
    every = list(memories)
    for start in range(0, len(every), BATCH):
        total += store.put(every[start : start + BATCH], revive=revive)
    return total
