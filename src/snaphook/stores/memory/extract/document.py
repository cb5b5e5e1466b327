"""What extractors take and give, and how a draft becomes a memory.

SourceDocument  ->  Draft, …  ->  Memory, …

Nothing is stored that was not scrubbed: secrets leave a placeholder, never a trace.
"""

from collections.abc import Callable, Iterable
from pathlib import PurePath

from msgspec import Struct, field
from msgspec.structs import replace

from snaphook.scrub import Scrubber
from snaphook.stores.memory.entities import entities
from snaphook.stores.memory.values import (
    UNTRUSTED,
    Author,
    Entity,
    Memory,
    MemoryKind,
    MemorySource,
)


class DocumentOrigin(Struct, frozen=True, kw_only=True):
    """Who was at work, where and when."""

    project: str = ""
    root: str = ""
    """The folder of the project on this machine."""
    run: str = ""
    task: str = ""
    session: str = ""
    agent: str = ""
    time: float = 0.0


class SourceDocument(Struct, frozen=True, kw_only=True):
    """A text and where it stands."""

    path: str
    text: str
    origin: DocumentOrigin = DocumentOrigin()

    @property
    def name(self) -> str:
        """Return the name that tells what it holds: ``DECISIONS`` of ``…/DECISIONS.md``."""
        return PurePath(self.path).stem.upper()


class Draft(Struct, frozen=True, kw_only=True):
    """Something worth keeping, before it is anybody's memory."""

    kind: MemoryKind
    text: str
    line: int = 0
    section: str = ""
    certainty: float = 0.7
    entities: tuple[Entity, ...] = ()
    """Beyond those that the text itself names."""
    settles: tuple[str, ...] = ()
    meta: dict[str, str] = field(default_factory=dict)
    time: float = 0.0
    """Where it is known better than for the whole document."""
    author: Author = Author.AGENT
    quote: str = ""
    """Words of somebody else that go with it; see :class:`Memory`."""


def outside(draft: Draft) -> Draft:
    """Return *draft* as the words of somebody else: quoted, unsure, and settling nothing."""
    return replace(
        draft, author=Author.OUTSIDE, certainty=min(draft.certainty, UNTRUSTED), settles=()
    )


Extractor = Callable[[SourceDocument], Iterable[Draft]]

LONGEST = 600
"""Characters of one memory; what is longer is cut at a word."""


def remember(
    document: SourceDocument, drafts: Iterable[Draft], *, scrubber: Scrubber | None = None
) -> list[Memory]:
    """Return *drafts* of *document* as memories, scrubbed, in the order in which they stand."""
    scrub = (scrubber or Scrubber(personal=False)).text
    return [_memory(document, draft, order, scrub) for order, draft in enumerate(drafts)]


def _memory(
    document: SourceDocument, draft: Draft, order: int, scrub: Callable[[str], str]
) -> Memory:
    origin = document.origin
    text = shortened(scrub(draft.text))
    named = (*entities(text), *draft.entities)
    return Memory(
        kind=draft.kind,
        text=text,
        project=origin.project,
        sources=(
            MemorySource(
                path=document.path,
                line=draft.line,
                section=scrub(draft.section),
                run=origin.run,
                task=origin.task,
                session=origin.session,
                agent=origin.agent,
                time=draft.time or origin.time,
            ),
        ),
        certainty=round(draft.certainty, 3),
        entities=tuple(dict.fromkeys(named)),
        settles=tuple(scrub(question) for question in draft.settles),
        thread=document.path,
        order=order,
        meta=draft.meta,
        author=draft.author,
        quote=shortened(scrub(draft.quote)),
    )


def shortened(text: str, most: int = LONGEST) -> str:
    """Return *text* on one line, cut at a word where it is longer than *most*."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1].rsplit(" ", 1)[0] + "…"
