"""Secrets that the session has read, found again in what a call would send.

text  ->  runs of its parts as long as a known secret  ->  the Secret

Encodings are undone first, and parts are run together: a secret cut into DNS labels, or with its dashes
gone, is the same secret.
"""

from collections.abc import Iterable

from snaphook.stores.provenance.entries import Secret
from snaphook.stores.provenance.parts import parts
from snaphook.stores.provenance.seal import digest
from snaphook.stores.provenance.session import Session

from .decodings import decoded

LONGEST = 1_000_000
_REVERSED = 400
"""Characters up to which a text is also read backwards."""


def carried(texts: Iterable[str], session: Session, key: bytes) -> Secret | None:
    """Return a secret of *session* that one of *texts* carries."""
    if not session.secrets:
        return None
    for text in texts:
        spelled = decoded(text[:LONGEST])
        tried = [text[:LONGEST], *([spelled] if spelled else ())]
        if len(text) <= _REVERSED:
            tried.append(text[::-1])
        for one in tried:
            found = _found(parts(one), session, key)
            if found is not None:
                return found
    return None


def _found(words: list[bytes], session: Session, key: bytes) -> Secret | None:
    lengths = session.secrets
    longest = max(lengths)
    for at in range(len(words)):
        length = 0
        for end in range(at, len(words)):
            length += len(words[end])
            if length > longest:
                break
            if length in lengths:
                known = lengths[length].get(digest(b"".join(words[at : end + 1]), key))
                if known is not None:
                    return known
    return None
