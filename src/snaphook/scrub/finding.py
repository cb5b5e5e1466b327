"""Something that must not be kept or sent, and where it stands."""

from collections.abc import Iterable, Iterator

from msgspec import Struct


class Finding(Struct, frozen=True):
    """A span of a text (in bytes) and what is there: a rule's id, or a kind of personal data."""

    start: int
    end: int
    kind: str
    personal: bool = False
    rank: int = 0
    """Smaller is surer: a key with its own mark before a value that is merely named a key."""


def apart(*sets: Iterable[Finding]) -> Iterator[Finding]:
    """Yield the findings of all *sets* from left to right without overlaps.

    An earlier set goes before a later one. Within a set the finding that begins first wins; where
    several begin at one place the longest wins, and then the surest.
    """
    taken: list[Finding] = []
    for findings in sets:
        free = _free(sorted(findings, key=lambda f: (f.start, -f.end, f.rank)), taken)
        taken = sorted([*taken, *free], key=lambda f: f.start)
    return iter(taken)


def _free(findings: list[Finding], taken: list[Finding]) -> Iterator[Finding]:
    """Yield those of *findings* that overlap neither each other nor what is *taken*."""
    others = iter((*taken, Finding(_NEVER, _NEVER, "")))
    other = next(others)
    end = 0
    for finding in findings:
        while other.end <= finding.start:
            other = next(others)
        if finding.start >= end and finding.end <= other.start:
            yield finding
            end = finding.end


_NEVER = 1 << 62
