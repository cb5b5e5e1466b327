"""A tree of hashes over the lines of a stream, grown line by line.

digests  ->  root        digest + path  ->  the same root

The tree of RFC 6962: leaves and nodes are hashed apart, so that neither passes for the other. Its
frontier (the roots of its perfect parts, largest first) is all that is needed to grow it further,
even when the lines it stands for are gone. Pure.
"""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

EMPTY = sha256(b"").digest()


def leaf(digest: bytes) -> bytes:
    """Return the hash of a line, whose own *digest* it is made of."""
    return sha256(b"\0" + digest).digest()


def node(left: bytes, right: bytes) -> bytes:
    """Return the hash of two parts."""
    return sha256(b"\1" + left + right).digest()


class Tree:
    """How far a tree has grown."""

    def __init__(self, count: int = 0, frontier: Iterable[bytes] = ()) -> None:
        self.count = count
        self.frontier = list(frontier)

    def add(self, digest: bytes) -> None:
        """Grow by one line."""
        grown, count = leaf(digest), self.count
        while count & 1:
            grown = node(self.frontier.pop(), grown)
            count >>= 1
        self.frontier.append(grown)
        self.count += 1

    @property
    def root(self) -> bytes:
        """Return the hash of everything."""
        if not self.frontier:
            return EMPTY
        *rest, root = self.frontier
        for left in reversed(rest):
            root = node(left, root)
        return root


def path(
    index: int, size: int, digest_of: Callable[[int], bytes], gone: Tree | None = None
) -> list[bytes]:
    """Return the hashes that lead from line *index* to the root of the first *size* lines.

    *gone* is the tree of lines that are not there any more; *digest_of* is asked for the others.
    """
    known = _parts(gone) if gone else {}

    def part(low: int, high: int) -> bytes:
        if (low, high) in known:
            return known[low, high]
        if high - low == 1:
            return leaf(digest_of(low))
        middle = low + _split(high - low)
        return node(part(low, middle), part(middle, high))

    found: list[bytes] = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        if index < middle:
            found.append(part(middle, high))
            high = middle
        else:
            found.append(part(low, middle))
            low = middle
    return found[::-1]


def climb(digest: bytes, index: int, size: int, steps: Sequence[bytes]) -> bytes:
    """Return the root that *steps* lead to from the line *digest* at *index* of *size*."""
    sides: list[bool] = []
    low, high = 0, size
    while high - low > 1:
        middle = low + _split(high - low)
        sides.append(index < middle)
        low, high = (low, middle) if index < middle else (middle, high)
    if len(sides) != len(steps):
        raise ValueError("the path is of another length than the tree's height")
    reached = leaf(digest)
    for on_the_left, step in zip(reversed(sides), steps, strict=True):
        reached = node(reached, step) if on_the_left else node(step, reached)
    return reached


def _parts(tree: Tree) -> dict[tuple[int, int], bytes]:
    """Return the perfect parts of *tree*, by the lines they stand for."""
    parts: dict[tuple[int, int], bytes] = {}
    low = 0
    bits = [bit for bit in reversed(range(tree.count.bit_length())) if tree.count >> bit & 1]
    for bit, root in zip(bits, tree.frontier, strict=True):
        parts[low, low + (1 << bit)] = root
        low += 1 << bit
    return parts


def _split(count: int) -> int:
    """Return the largest power of two below *count*."""
    return 1 << (count - 1).bit_length() - 1
