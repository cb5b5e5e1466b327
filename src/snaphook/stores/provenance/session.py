"""What one session has read, as sinks ask for it.

Entries  ->  Session  ->  where does this value come from?

In memory only; ``store`` keeps the entries on disk. Lookups are a binary search per source.
"""

from bisect import bisect_left
from codecs import encode
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from .entries import Approved, Entry, Judged, Secret, Source, Trust, Written
from .parts import LONGEST_WINDOW, fingerprint, packed, parts, stem

SHORTEST_SECRET = 6
"""Letters and digits; shorter ones would be found in every other text."""
MOST_JUDGED = 500


class Origin(Struct, frozen=True, kw_only=True):
    """A source in which a value occurs."""

    source: Source
    told: bool
    """In a passage that tells the reader to do something."""


class Session:
    """The sources, files, secrets and verdicts of one session."""

    def __init__(self, start: int) -> None:
        self._start = start
        self.sources: list[Source] = []
        self.secrets: dict[int, dict[bytes, Secret]] = {}
        self.written: dict[str, Written] = {}
        self.judged: list[Judged] = []
        self.calls = 0
        self.bytes = 0
        """What the fingerprints take in memory."""
        self._prints: list[Sequence[int]] = []
        self._told: list[Sequence[int]] = []
        self._approved: set[int] = set()
        self._outside = 0

    @property
    def has_outside(self) -> bool:
        """Whether anything from outside was read."""
        return self._outside > 0

    @property
    def has_secrets(self) -> bool:
        """Whether a secret was read."""
        return bool(self.secrets)

    def add(self, entry: Entry) -> None:
        """Take *entry* in, its fingerprints unsealed."""
        match entry:
            case Source():
                self._add_source(entry)
            case Secret():
                self.secrets.setdefault(entry.length, {})[entry.digest] = entry
            case Written(gone=True):
                self.written.pop(entry.path, None)
            case Written():
                self.written[entry.path] = entry
            case Judged():
                self.judged.append(entry)
                del self.judged[:-MOST_JUDGED]
            case Approved():
                self._approved.update(memoryview(entry.prints).cast("I"))
        self.calls = max(self.calls, getattr(entry, "number", 0))

    def _add_source(self, source: Source) -> None:
        self.sources.append(source)
        self._prints.append(memoryview(source.prints).cast("I"))
        self._told.append(memoryview(source.told).cast("I"))
        self._outside += source.trust is Trust.OUTSIDE
        self.bytes += len(source.prints) + len(source.told)

    def named(self, value: str, trusts: tuple[Trust, ...] = (Trust.PERSON, Trust.PROJECT)) -> bool:
        """Say whether the person (or the project) named *value*, or a person let it through."""
        wanted = self._windows(value)
        if wanted and all(print_ in self._approved for print_ in wanted):
            return True
        return any(
            source.trust in trusts and _has_all(prints, wanted)
            for source, prints in zip(self.sources, self._prints, strict=True)
        )

    def origins(self, value: str) -> Iterator[Origin]:
        """Yield the sources from outside in which *value* occurs, the first one first."""
        wanted = self._windows(value)
        if not wanted:
            return
        for source, prints, told in zip(self.sources, self._prints, self._told, strict=True):
            if source.trust is Trust.OUTSIDE and _has_all(prints, wanted):
                yield Origin(source=source, told=_has_all(told, wanted))

    def origin(self, value: str) -> Origin | None:
        """Return the first source of *value*, one that tells to use it before others.

        Spelled backwards or by ROT13 it is still the same value.
        """
        for spelled in (value, value[::-1], encode(value, "rot13")):
            found = list(self.origins(spelled))
            if found:
                return next((one for one in found if one.told), found[0])
            if len(value) < SHORTEST_SECRET:
                break
        return None

    def share(self, text: str) -> tuple[float, Source | None]:
        """Return which part of *text* stands in one source from outside, and in which."""
        wanted = self._windows(text)
        best, where = 0.0, None
        for source, prints in zip(self.sources, self._prints, strict=True):
            if source.trust is not Trust.OUTSIDE or not wanted:
                continue
            found = sum(_has(prints, print_) for print_ in wanted) / len(wanted)
            if found > best:
                best, where = found, source
        return best, where

    def told_to(self, words: Iterable[str]) -> Source | None:
        """Return a source that tells the reader to do what all *words* name, as an action."""
        wanted = [fingerprint(stem(word.lower().encode()), self._start) for word in words]
        if not wanted:
            return None
        for source, told in zip(self.sources, self._told, strict=True):
            if source.trust is Trust.OUTSIDE and _has_all(told, wanted):
                return source
        return None

    def asked_for(self, words: Iterable[str]) -> bool:
        """Say whether the person spoke of any of *words*, in whatever form."""
        wanted = [fingerprint(stem(word.lower().encode()), self._start) for word in words]
        return any(
            _has(prints, print_)
            for source, prints in zip(self.sources, self._prints, strict=True)
            if source.trust is Trust.PERSON
            for print_ in wanted
        )

    def prints_of(self, values: Iterable[str]) -> set[int]:
        """Return the fingerprints of *values*, for an approval."""
        return {print_ for value in values for print_ in self._windows(value)}

    def approvals(self) -> Approved:
        """Return every value that a person let through."""
        return Approved(prints=packed(self._approved))

    def file(self, path: str) -> Written | None:
        """Return where the contents of *path* came from, itself or a folder above it."""
        if not self.written:
            return None
        here = self.written.get(path)
        while here is None and "/" in path:
            path = path.rpartition("/")[0]
            above = self.written.get(path)
            here = above if above is not None and above.folder else None
        return here

    def source(self, number: int) -> Source | None:
        """Return the source that call *number* read."""
        return next((one for one in self.sources if one.number == number), None)

    def _windows(self, value: str) -> list[int]:
        """Return the fingerprints that a text with *value* in it has."""
        words = parts(value)
        if len(words) <= LONGEST_WINDOW:
            whole = b"".join(words)
            return [fingerprint(whole, self._start)] if len(whole) > 1 else []
        return [
            fingerprint(b"".join(words[at : at + LONGEST_WINDOW]), self._start)
            for at in range(len(words) - LONGEST_WINDOW + 1)
        ]


def _has(prints: Sequence[int], wanted: int) -> bool:
    at = bisect_left(prints, wanted)
    return at < len(prints) and prints[at] == wanted


def _has_all(prints: Sequence[int], wanted: Sequence[int]) -> bool:
    return bool(wanted) and all(_has(prints, print_) for print_ in wanted)
