r"""How one line proves the line before it.

Record  ->  b"<chain> <digest> <body>\n"

The digest covers the body, the chain covers the digest and the chain before it. So a body can be
redacted later and its place in the chain still proved, while an edited, inserted, dropped or moved
line breaks the chain from there on.
"""

from hashlib import sha256
from typing import NamedTuple

GENESIS = b"0" * 64
"""The chain before the first line of a stream."""
REDACTED = b'{"redacted":'
"""How a body begins that was taken out on purpose."""


class ChainLine(NamedTuple):
    """A line of a segment, taken apart."""

    chain: bytes
    digest: bytes
    body: bytes


def link(before: bytes, body: bytes) -> tuple[bytes, bytes]:
    """Return the chain after *body*, and the whole line that says so."""
    digest = sha256(body).hexdigest().encode()
    chain = sha256(before + digest).hexdigest().encode()
    return chain, b"%b %b %b\n" % (chain, digest, body)


def take_apart(line: bytes) -> ChainLine | None:
    """Return the parts of *line* without its newline; ``None`` if it has not the shape of one."""
    parts = line.split(b" ", 2)
    if len(parts) != 3 or len(parts[0]) != 64 or len(parts[1]) != 64:
        return None
    return ChainLine(*parts)


def follows(line: ChainLine, before: bytes) -> bool:
    """Say whether *line*'s chain is the one that comes after *before*."""
    return sha256(before + line.digest).hexdigest().encode() == line.chain


def whole(line: ChainLine) -> bool:
    """Say whether *line*'s body is the one its digest was made of."""
    return sha256(line.body).hexdigest().encode() == line.digest
