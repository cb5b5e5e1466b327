"""What is kept of a text that a session read: fingerprints of its values, its orders and its secrets.

text  ->  fingerprints, fingerprints of the passages that tell the reader something, digests of secrets

The text itself is let go.
"""

import re
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.scrub import Scrubber
from snaphook.stores.provenance.parts import fingerprint, fingerprints, packed, parts, stem
from snaphook.stores.provenance.seal import digest
from snaphook.stores.provenance.session import SHORTEST_SECRET

from .decodings import decoded
from .hidden import uncovered
from .passages import passages
from .values import leaves

LONGEST = 4_000_000
"""Characters of one result that are looked at; hosts cut results long before."""
_scrubber = Scrubber(personal=False, salt=b"provenance: spans only")
_SECRET_FILE = re.compile(
    r"(?:^|/)(?:\.env(?:\.(?!example$|sample$|template$|dist$|test$)[\w.-]+)?|\.envrc|\.netrc|\.npmrc|\.pypirc|\.pgpass|"
    r"\.git-credentials|credentials(?:\.\w+)?|secrets?(?:\.\w+)+|[\w.-]*\.(?:pem|key|p12|pfx|keystore|jks)|id_(?:rsa|dsa|ecdsa|ed25519)|"
    r"\.aws/\S+|\.kube/config|\.docker/config\.json|service[-_]account[\w-]*\.json|\.htpasswd|shadow|environ)$"
)
_ASSIGNED = re.compile(
    r"^\s*(?:export\s+)?[\"']?[\w.-]{2,60}[\"']?\s*[=:]\s*[\"']?([^\s\"'#,]{8,200})", re.MULTILINE
)
_PUBLIC = re.compile(
    r"(?:true|false|null|none|https?://[^@]*|/[\w./-]*|[a-z_-]+|\d{1,9}|[\d.]+)", re.IGNORECASE
)


class Read(Struct, frozen=True, kw_only=True):
    """What is kept of one text."""

    prints: bytes = b""
    told: bytes = b""
    addressed: bool = False
    secrets: tuple[tuple[bytes, int, str], ...] = ()
    """Digest, length, kind."""


def text_of(result: Any) -> str:
    """Return every text in a result, its fields apart; JSON in a text is opened."""
    if isinstance(result, str):
        return _opened(result)
    if isinstance(result, bytes | bytearray):
        return bytes(result).decode("utf-8", "replace")
    return "\n\n".join(_opened(text) for _, text in leaves(result))


def _opened(text: str) -> str:
    """Return the texts in a JSON document, which would hide line ends and quotes; others as they are."""
    stripped = text.lstrip()
    if stripped[:1] not in ("{", "[") or len(text) > LONGEST:
        return text
    try:
        value = msgspec.json.decode(stripped)
    except (msgspec.DecodeError, ValueError):
        return text
    if isinstance(value, dict | list):
        return "\n\n".join(
            f"{field}: {inner}" if field else inner for field, inner in leaves(value)
        )
    return text


def prompt(text: str, start: int) -> Read:
    """Return what is kept of a prompt: what it names, and what it asks for."""
    words = parts(text[:LONGEST])
    prints = fingerprints(words, start) | {fingerprint(stem(word), start) for word in words}
    return Read(prints=packed(prints))


def outside(text: str, start: int, key: bytes) -> Read:
    """Return what is kept of a text from outside."""
    text = text[:LONGEST]
    seen = uncovered(text)
    whole = f"{seen.text}\n\n{seen.said}" if seen.kinds else text
    spelled = decoded(whole)
    whole = f"{whole}\n\n{spelled}" if spelled else whole
    found = passages(whole)
    told: set[int] = set()
    for passage in found:
        words = parts(whole[passage.start : passage.end])
        told |= fingerprints(words, start)
        told |= {fingerprint(stem(word), start) for word in words}
    if seen.said:  # nobody hides what is only meant to be read
        told |= fingerprints(parts(seen.said), start)
    return Read(
        prints=packed(fingerprints(parts(whole), start)),
        told=packed(told),
        addressed=any(passage.addressed for passage in found) or bool(seen.said.strip()),
        secrets=tuple(secrets(whole, key)),
    )


def secrets(text: str, key: bytes, path: str = "") -> Iterator[tuple[bytes, int, str]]:
    """Yield the digest, length and kind of each secret in *text*, read from *path* where it is a file."""
    seen: set[bytes] = set()
    raw = text.encode("utf-8", "surrogatepass")
    spans = [(raw[one.start : one.end], one.kind) for one in _scrubber.find(text)]
    if path and is_secret_file(path):
        spans += [
            (found[1].encode("utf-8", "surrogatepass"), "value of a secret file")
            for found in _ASSIGNED.finditer(text)
            if not _PUBLIC.fullmatch(found[1])
        ]
    for span, kind in spans:
        bare = b"".join(parts(span.decode("utf-8", "replace")))
        if len(bare) >= SHORTEST_SECRET and bare not in seen:
            seen.add(bare)
            yield digest(bare, key), len(bare), kind


def is_secret_file(path: str) -> bool:
    """Say whether *path* is where secrets are kept, by its name."""
    return _SECRET_FILE.search(path) is not None
