"""A checkpoint that somebody vouches for: how many lines, which head, which root, when.

stream + Signer  ->  Seal  ->  a line of seals.jsonl

Each seal names the one before it, so a missing one is missed. The frontier in it is enough to go on
from, so sealing reads only what is new, and a record whose beginning was retired can still be
proved.
"""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.storage.files import append_line
from snaphook.stores.eventlog.chain import take_apart
from snaphook.stores.eventlog.segment import lines, segments

from .keys import Signer
from .merkle import Tree

FILE = "seals.jsonl"


class Seal(Struct, frozen=True, kw_only=True):
    """After *count* lines the chain's head was *head* and the tree's root *root*."""

    stream: str
    number: int
    count: int
    head: str
    root: str
    frontier: tuple[str, ...]
    segment: str
    size: int
    """Bytes of the segment, unpacked."""
    time_ms: int
    before: str = ""
    """The hash of the seal before it; empty for the first."""
    public: str = ""
    """The key that signed, in hex; empty where nobody did."""
    signature: str = ""

    @property
    def said(self) -> bytes:
        """Return what is signed: everything but the signature, keys in order, no spaces."""
        fields = msgspec.to_builtins(self)
        fields.pop("signature")
        return json.dumps(fields, sort_keys=True, separators=(",", ":")).encode()

    @property
    def digest(self) -> str:
        """Return the hash by which the next seal names this one."""
        return sha256(self.said).hexdigest()

    @property
    def tree(self) -> Tree:
        """Return the tree as it stood."""
        return Tree(self.count, map(bytes.fromhex, self.frontier))


def seals(stream: Path) -> list[Seal]:
    """Return the seals of *stream*, oldest first; a torn last line counts for nothing."""
    return read_seals(stream / FILE)


def read_seals(file: Path) -> list[Seal]:
    """Return the seals in *file*; what is no seal stands for a seal that cannot be trusted."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        return []
    whole = raw[: raw.rfind(b"\n") + 1]
    return [_seal(line) for line in whole.splitlines() if line]


def seal(stream: Path, signer: Signer | None, *, now: float) -> list[Seal]:
    """Seal what *stream* has come to, and return the seals made; none where nothing is new.

    Every segment's end gets one of its own: from there the tree goes on when the segment is retired.
    """
    known = seals(stream)
    last = known[-1] if known else None
    tree = last.tree if last else Tree()
    place, head = (last.segment, last.size) if last else ("", 0), last.head if last else ""
    made: list[Seal] = []
    for segment, end, line in lines_after(stream, *place):
        if segment != place[0] and tree.count > (last.count if last else 0):
            last = _sealed(stream, tree, place, head, last, signer, now)
            made.append(last)
        tree.add(line[65:129])
        place, head = (segment, end), line[:64].decode()
    if tree.count > (last.count if last else 0):
        made.append(_sealed(stream, tree, place, head, last, signer, now))
    return made


def _sealed(
    stream: Path,
    tree: Tree,
    place: tuple[str, int],
    head: str,
    last: Seal | None,
    signer: Signer | None,
    now: float,
) -> Seal:
    made = Seal(
        stream=stream.name,
        number=last.number + 1 if last else 1,
        count=tree.count,
        head=head,
        root=tree.root.hex(),
        frontier=tuple(part.hex() for part in tree.frontier),
        segment=place[0],
        size=place[1],
        time_ms=int(now * 1000),
        before=last.digest if last else "",
        public=signer.public if signer else "",
    )
    if signer:
        made = replace(made, signature=signer.sign(made.said).hex())
    append_line(stream / FILE, msgspec.json.encode(made), durable=True)
    return made


def lines_after(stream: Path, segment: str = "", size: int = 0) -> Iterator[tuple[str, int, bytes]]:
    """Yield every whole line after *size* bytes of *segment*: its segment, its end, the line."""
    for path in segments(stream):
        name = path.name[:8]
        if name < segment:
            continue
        end = size if name == segment else 0
        for line in lines(path, end):
            if not line.endswith(b"\n") or take_apart(line[:-1]) is None:
                return  # being written, or damaged: 'verify' says which
            end += len(line)
            yield name, end, line


def _seal(line: bytes) -> Seal:
    try:
        return msgspec.json.decode(line, type=Seal)
    except msgspec.DecodeError:
        return Seal(
            stream="",
            number=0,
            count=0,
            head="",
            root="",
            frontier=(),
            segment="",
            size=0,
            time_ms=0,
        )
