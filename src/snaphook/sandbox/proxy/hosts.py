"""Which hosts may be reached.

"pypi.org", "*.npmjs.org", "db.example.org:5432"  ->  HostList

Pure.
"""

from collections.abc import Iterable

from msgspec import Struct

WEB_PORTS = (80, 443)
"""What an entry without a port stands for."""
LOCAL = "localhost"


class AllowedHost(Struct, frozen=True, kw_only=True):
    """One entry of the list."""

    name: str
    """In small letters; ``*.`` in front stands for any name below."""
    ports: tuple[int, ...] = WEB_PORTS

    def covers(self, host: str, port: int) -> bool:
        """Say whether *host* may be reached at *port*."""
        return port in self.ports and self.names(host)

    def names(self, host: str) -> bool:
        """Say whether *host* is meant, at whatever port."""
        if self.name.startswith("*."):
            return host.endswith(self.name[1:]) and len(host) > len(self.name) - 1
        return host == self.name


class HostList:
    """The hosts of an allowlist."""

    def __init__(self, entries: Iterable[str]) -> None:
        self.entries = tuple(read_entry(entry) for entry in entries)

    def allows(self, host: str, port: int) -> bool:
        """Say whether a connection to *host* at *port* may be made."""
        name = normal(host)
        return any(entry.covers(name, port) for entry in self.entries)

    def knows(self, host: str) -> bool:
        """Say whether *host* is on the list at all, so that its name has an answer."""
        name = normal(host)
        return any(entry.names(name) for entry in self.entries)

    @property
    def ports(self) -> tuple[int, ...]:
        """Every port that an entry names, for the listeners."""
        return tuple(sorted({port for entry in self.entries for port in entry.ports}))


def read_entry(text: str) -> AllowedHost:
    """Return the entry that *text* writes; ValueError where it writes none."""
    host, colon, port = text.strip().rpartition(":")
    if not colon or "]" in port:
        return AllowedHost(name=_checked(normal(text.strip())))
    if not port.isdecimal() or not 0 < int(port) < 65_536:
        raise ValueError(f"'{port}' is not a port")
    return AllowedHost(name=_checked(normal(host)), ports=(int(port),))


def normal(host: str) -> str:
    """Return *host* as it is compared: small letters, no last dot, no brackets, ASCII."""
    name = host.strip("[]").rstrip(".").lower()
    if name.isascii():
        return name
    try:
        return name.encode("idna").decode()
    except UnicodeError:
        return name


def _checked(name: str) -> str:
    bare = name.removeprefix("*.")
    if not bare or "*" in bare or any(char in bare for char in "/ @?#%\\"):
        raise ValueError(f"'{name}' is not a host name")
    if name.startswith("*.") and "." not in bare:
        raise ValueError(f"'{name}' would allow a whole top-level domain")
    return name
