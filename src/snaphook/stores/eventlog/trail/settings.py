"""What an organisation asks of its record.

[audit] of snaphook.toml  ->  AuditSettings
"""

from collections.abc import Iterator, Mapping
from typing import Annotated

from msgspec import Meta, Struct

YEAR = 365.25
LOOPBACK = ("http://127.0.0.1", "http://localhost", "http://[::1]")


class KeepRule(Struct, frozen=True, kw_only=True):
    """How long some records keep their contents; the first rule that fits decides."""

    event: str = ""
    """Only this event. Default: all events."""
    project: str = ""
    """Only in this folder and below it."""
    days: Annotated[float, Meta(gt=0)]


class AuditSettings(Struct, frozen=True, kw_only=True):
    """How long the record is kept, who vouches for it, and where copies go."""

    enabled: bool = True
    keep_years: Annotated[float, Meta(gt=0)] = 7.0
    """Years to keep records; ``[log]`` cannot shorten it."""
    keep: tuple[KeepRule, ...] = ()
    """Shorter retention for some records: contents are removed, the hash chain stays valid."""
    seal_minutes: Annotated[float, Meta(gt=0)] = 10.0
    """Seconds between two signed checkpoints."""
    copy_to: str = ""
    """Folder for a copy of every checkpoint, preferably on another machine."""
    copy_command: str = ""
    """A command that gets every checkpoint on stdin, as a line of JSON."""
    endpoint: str = ""
    """URL that records are POSTed to, in batches."""
    token_env: str = "SNAPHOOK_AUDIT_TOKEN"  # noqa: S105 - a variable's name
    """The variable that holds the endpoint's token."""
    token_file: str = ""
    """File with the token; takes precedence over the variable."""
    ca_file: str = ""
    """Certificates to trust instead of the system's."""
    batch: Annotated[int, Meta(ge=1, le=5000)] = 200

    @property
    def keep_days(self) -> int:
        """Return the longest time that any record is kept."""
        return round(max([self.keep_years * YEAR, *(rule.days for rule in self.keep)]) + 0.5)

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: an address that would send the record in the clear."""
        endpoint = table.get("endpoint")
        if (
            isinstance(endpoint, str)
            and endpoint
            and not endpoint.startswith(("https://", *LOOPBACK))
        ):
            fix = "Write https://…; http:// is for this machine alone."
            yield ("endpoint",), f"{endpoint!r} would send the record in the clear", fix
