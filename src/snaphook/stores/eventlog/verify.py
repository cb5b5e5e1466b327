"""Walk the chain from its first line to its last.

segments  ->  Report: intact, or the first line that is not what it was

"Intact" is what a chain can prove of what is here. That nothing is missing at the end it cannot:
a cut tail looks like a shorter record. For that there are checkpoints, kept elsewhere.
"""

from hashlib import sha256
from pathlib import Path

from msgspec import Struct

from .chain import GENESIS, follows, take_apart, whole
from .segment import lines

REDACTED = b'{"redacted":'
"""How a body begins that was taken out on purpose."""


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
        number = 0
        for number, line in enumerate(lines(path), start=1):
            # The same as take_apart, follows and whole, in one breath: this loop is the whole cost.
            digest = line[65:129]
            body = sha256(line[130:]).hexdigest().encode()
            chain = sha256(head + digest).hexdigest().encode()
            if body != digest or not line.startswith(chain):
                if problem := _problem(line, head):
                    bad = Bad(file=str(path), line=number, what=problem)
                    return Report(
                        stream=stream.name,
                        records=records + max(0, number - 2),
                        head=head.decode(),
                        redacted=redacted,
                        bad=bad,
                    )
                redacted += 1
            head = chain
        records += max(0, number - 1)
    return Report(stream=stream.name, records=records, head=head.decode(), redacted=redacted)


def _problem(raw: bytes, head: bytes) -> str | None:
    """Return what is wrong with a line; nothing if its body was redacted in the open."""
    line = take_apart(raw)
    if line is None:
        return "is not a line of the record"
    if not follows(line, head):
        return "does not follow the line before it"
    if not whole(line) and not line.body.startswith(REDACTED):
        return "is not what was written"
    return None
