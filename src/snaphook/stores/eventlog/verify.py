"""Walk the chain from its first line to its last.

segments  ->  Report: intact, or the first line that is not what it was

"Intact" is what a chain can prove of what is here. That nothing is missing at the end it cannot:
a cut tail looks like a shorter record. For that there are checkpoints, kept elsewhere.
"""

from pathlib import Path

from msgspec import Struct

from .chain import GENESIS, follows, take_apart, whole
from .segment import lines


class Bad(Struct, frozen=True, kw_only=True):
    """The first line that does not hold, and what is wrong with it."""

    file: str
    line: int
    what: str


class Report(Struct, frozen=True, kw_only=True):
    """What a walk over one stream found."""

    stream: str
    records: int
    head: str
    redacted: int = 0
    bad: Bad | None = None


def verify(folder: Path) -> list[Report]:
    """Return a report for each stream under *folder*, in the order of their names."""
    return [_stream(stream) for stream in sorted(folder.iterdir()) if stream.is_dir()]


def segments(stream: Path) -> list[Path]:
    """Return the segments of *stream*, oldest first, packed or not."""
    return sorted(path for path in stream.iterdir() if path.suffix in (".log", ".gz"))


def _stream(stream: Path) -> Report:
    head, records, redacted = GENESIS, 0, 0
    for path in segments(stream):
        for number, raw in enumerate(lines(path), start=1):
            line = take_apart(raw)
            problem = None
            if line is None:
                problem = "is not a line of the record"
            elif not follows(line, head):
                problem = "does not follow the line before it"
            elif not whole(line):
                if line.body.startswith(b'{"redacted":'):
                    redacted += 1
                else:
                    problem = "is not what was written"
            if line is None or problem is not None:
                bad = Bad(file=str(path), line=number, what=problem or "")
                return Report(stream=stream.name, records=records, head=head.decode(), bad=bad)
            head = line.chain
            records += number > 1
    return Report(stream=stream.name, records=records, head=head.decode(), redacted=redacted)
