"""A policy: what a command may write, read and reach.

Policy  ->  bytes, named after their hash  ->  a file that the helper reads

Pure. The helper checks the name against the bytes, so a policy cannot be changed once it is named.
"""

from collections.abc import Iterator
from hashlib import sha256

from msgspec import Struct

NAME_LENGTH = 16
"""Hexadecimal digits of a name: 64 bits, more than anybody can search for another text with."""


class Policy(Struct, frozen=True, kw_only=True):
    """Everything that holds for one command. Paths are absolute and real."""

    project: str
    write: tuple[str, ...] = ()
    """Trees that may be written."""
    devices: tuple[str, ...] = ()
    pinned: tuple[str, ...] = ()
    """Folders that may be written in and not be moved away."""
    protected: tuple[str, ...] = ()
    """Read-only inside a writable tree."""
    absent: tuple[str, ...] = ()
    """Protected names that do not exist yet, and must not appear."""
    hidden: tuple[str, ...] = ()
    """Secrets: cannot be read."""
    sockets: tuple[str, ...] = ()
    """Sockets behind which somebody acts for others: cannot be reached."""
    drop: tuple[str, ...] = ()
    """Environment variables the command does not get."""
    network: str = "open"
    hosts: tuple[str, ...] = ()
    proxy: str = ""
    """The Python that lets through what ``hosts`` names."""
    ports: tuple[int, ...] = ()
    """At which ports ``hosts`` may be reached."""
    resolver: str = ""
    """The file that names the name servers; a confined command sees ours in its place."""
    overlays: tuple[str, ...] = ()
    """Trees whose changes are kept apart: a trial."""
    hooks: str = ""
    """The folder of the repository's own hooks, where it has any."""


_PLACED = (
    ("W", "write"),
    ("P", "pinned"),
    ("K", "protected"),
    ("M", "hidden"),
    ("S", "sockets"),
)
_LISTED = (
    ("D", "devices"),
    ("U", "drop"),
    ("H", "hosts"),
    ("O", "overlays"),
)
"""The letter of each record, as ``native/sandbox_policy.h`` lists them."""


def compiled(policy: Policy, profile: str = "") -> bytes:
    """Return *policy* as the helper reads it; *profile*: the same for macOS, where there is one."""
    told = (b"B" + profile.encode("utf-8", "surrogateescape"),) if profile else ()
    return b"".join(record + b"\0" for record in (*_records(policy), *told))


def name_of(raw: bytes) -> str:
    """Return the name of a compiled policy."""
    return sha256(raw).hexdigest()[:NAME_LENGTH]


def _records(policy: Policy) -> Iterator[bytes]:
    network = "list" if policy.network == "allowlist" else policy.network
    yield f"N{network}".encode()
    if policy.proxy:
        yield b"X" + _path(policy.proxy)
    if policy.hooks:
        yield b"G" + _path(policy.hooks)
    if policy.project:
        yield b"R" + _path(policy.project)
    for name in policy.absent:  # short, since the helper hashes the text before every command
        yield b"A" + _path(name.removeprefix(f"{policy.project}/") if policy.project else name)
    for port in policy.ports:
        yield f"T{port}".encode()
    for letter, field in _LISTED:
        for value in getattr(policy, field):
            yield letter.encode() + _path(value)
    for path, letter in _placed(policy):
        yield letter.encode() + _path(path)


def _placed(policy: Policy) -> list[tuple[str, str]]:
    """Return every path that is laid over others, outer ones first; where two meet, the stricter."""
    found: dict[str, str] = {policy.resolver: "L"} if policy.resolver else {}
    for letter, field in _PLACED:
        found.update(dict.fromkeys(getattr(policy, field), letter))
    return sorted(
        found.items(), key=lambda one: (one[0].count("/") if one[0] != "/" else 0, one[0])
    )


def _path(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
