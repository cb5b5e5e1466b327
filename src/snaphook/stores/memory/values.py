"""What is remembered, where it came from, and how sure we are of it.

documents, transcripts  ->  Memory, Memory, …

Pure: no clock, no environment. A memory is known by what it says in which project: the same words
found again are the same memory, better proved.
"""

from collections.abc import Mapping
from enum import StrEnum
from hashlib import sha256

from msgspec import Struct, field

DAY = 86_400.0
ASKED = "The user asked: "
"""How a wish of the person begins."""

MOST_SOURCES = 32
"""So many sources prove a memory as well as any number; no more are kept."""


class MemoryKind(StrEnum):
    """The four things worth remembering, as the four views show them."""

    FACT = "fact"
    EXPERIENCE = "experience"
    OPINION = "opinion"
    OBSERVATION = "observation"


HALF_LIFE: Mapping[MemoryKind, float] = {
    MemoryKind.FACT: 720 * DAY,
    MemoryKind.EXPERIENCE: 180 * DAY,
    MemoryKind.OPINION: 360 * DAY,
    MemoryKind.OBSERVATION: 360 * DAY,
}
"""How long it takes an unrepeated memory to become half as sure."""
FRESH = 30 * DAY
"""So long a memory does not fade at all."""


class EntityKind(StrEnum):
    """What a memory can be about."""

    FILE = "file"
    SYMBOL = "symbol"
    TASK = "task"
    HANDLE = "handle"
    COMMAND = "command"
    ERROR = "error"


class Author(StrEnum):
    """Whose words a memory is made of."""

    PERSON = "person"
    """Typed by the person who uses the agent."""
    AGENT = "agent"
    """Written by an agent, or by the person's own team."""
    OUTSIDE = "outside"
    """Anybody else: a page, a tool's output, a checkout that nobody approved. Never told unasked."""


_TRUST = (Author.OUTSIDE, Author.AGENT, Author.PERSON)

UNTRUSTED = 0.25
"""The certainty of what came from outside: less than any judged statement has (0.3), and no
witness adds to it.
"""


class Entity(Struct, frozen=True, kw_only=True, order=True):
    """Something a memory mentions by name."""

    kind: EntityKind
    name: str

    @property
    def key(self) -> str:
        """Return ``kind:name``, which is how stores and queries spell it."""
        return f"{self.kind}:{self.name}"


class MemorySource(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The exact place a memory was taken from, and who was at work there."""

    path: str
    line: int = 0
    """Counted from 1; in a transcript, the line of the JSONL file. 0 where there are no lines."""
    section: str = ""
    """The headings above it, outermost first, with `` > `` between them."""
    run: str = ""
    task: str = ""
    session: str = ""
    agent: str = ""
    time: float = 0.0
    """When it was written, seconds since the epoch."""

    @property
    def anchor(self) -> str:
        """Return ``path:line``, which editors and terminals open."""
        return f"{self.path}:{self.line}" if self.line else self.path

    @property
    def witness(self) -> str:
        """Return who says so. One run is one witness, however often it repeats itself."""
        return self.run or self.session or self.path


class Memory(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing learned."""

    kind: MemoryKind
    text: str
    project: str = ""
    """The project's root; empty for what holds everywhere."""
    sources: tuple[MemorySource, ...]
    """Its witnesses, oldest first, one entry each; at most ``MOST_SOURCES``."""
    certainty: float = 0.8
    """How sure its first source sounded, 0 to 1; see :meth:`confidence`."""
    entities: tuple[Entity, ...] = ()
    settles: tuple[str, ...] = ()
    """The questions it answers. Of one project's memories that settle the same, the youngest counts."""
    thread: str = ""
    """The document or conversation it stands in; empty where it stands alone."""
    order: int = 0
    """Its place in the thread. Neighbours lend each other meaning; see ``recall``."""
    superseded_by: str = ""
    superseded_at: float = 0.0
    meta: dict[str, str] = field(default_factory=dict)
    """What else its extractor noted: a status, a date, a command's outcome."""
    author: Author = Author.AGENT
    quote: str = ""
    """Words of somebody else that go with it, a tool's output say: found by, shown only to who asks."""

    @property
    def id(self) -> str:
        """Return 16 hex digits that stand for what it says, in which project."""
        said = f"{self.text}\n{self.quote}" if self.quote else self.text
        return fingerprint(self.project, self.kind, said)

    @property
    def is_tellable(self) -> bool:
        """Say whether it may be told to a session that did not ask for it.

        Earlier versions kept as the person's whatever stood in the person's place; such a memory, without
        its author, is not believed.
        """
        claimed = self.text.startswith(ASKED) and self.author is not Author.PERSON
        return self.author is not Author.OUTSIDE and not claimed

    @property
    def created(self) -> float:
        """Return when it was first said."""
        return min(source.time for source in self.sources)

    @property
    def seen(self) -> float:
        """Return when it was last said."""
        return max(source.time for source in self.sources)

    @property
    def proof(self) -> int:
        """Return how many independent witnesses it has."""
        return len(self.sources)

    @property
    def current(self) -> bool:
        """Say whether nothing younger has taken its place."""
        return not self.superseded_by

    @property
    def agents(self) -> tuple[str, ...]:
        """Return the agents that said it, in order, each once."""
        return tuple(dict.fromkeys(source.agent for source in self.sources if source.agent))

    def confidence(self, now: float) -> float:
        """Return how sure we are of it at *now*; see :func:`confidence`."""
        return confidence(
            kind=self.kind, certainty=self.certainty, proof=self.proof, age=now - self.seen
        )


def confidence(*, kind: MemoryKind, certainty: float, proof: int, age: float) -> float:
    """Return how sure we are of something: ``(1 - (1 - certainty) · 0.7^(proof - 1)) · fading``.

    Every further witness takes away three tenths of the remaining doubt. For thirty days nothing
    fades; after that the confidence halves with each half-life of its kind. What came from outside
    stays as unsure as it is: saying it often is how somebody would plant it.
    """
    further = max(proof, 1) - 1 if certainty > UNTRUSTED else 0
    known = 1.0 - (1.0 - certainty) * 0.7**further
    stale = max(0.0, age - FRESH)
    return float(known * 0.5 ** (stale / HALF_LIFE[kind]))


def more_trusted(one: Author, other: Author) -> Author:
    """Return the author whose word counts more: the same said by both is the former's."""
    return max(one, other, key=_TRUST.index)


def fingerprint(project: str, kind: MemoryKind, text: str) -> str:
    """Return the id of what *text* says: case, spacing and a final full stop do not matter."""
    said = " ".join(text.casefold().split()).rstrip(".!;:, ")
    return sha256(f"{project}\0{kind}\0{said}".encode()).hexdigest()[:16]
