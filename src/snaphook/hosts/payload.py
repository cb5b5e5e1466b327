"""What a host sent, read field by field.

wire bytes  ->  Payload        what nobody asked for is left over and becomes ``extra``

What a decision rests on must be there and of the right type, or it is a ``WireError``. Everything
else is taken if it is what it should be, and left alone if not.
"""

from typing import Any

import msgspec

from snaphook.errors import WireError

_MISSING: Any = object()


class Payload:
    """One JSON object of a host; several spellings of a field may be asked for at once."""

    __slots__ = ("fields", "host", "whole")

    def __init__(self, fields: dict[str, Any], host: str) -> None:
        self.whole = fields
        self.fields = dict(fields)
        self.host = host

    @classmethod
    def read(cls, wire: bytes, host: str) -> "Payload":
        """Return the payload in *wire*, which must be one JSON object and nothing else."""
        try:
            fields = msgspec.json.decode(wire)
        except (ValueError, RecursionError) as problem:
            raise WireError(
                where=host,
                what=f"sent {len(wire)} bytes that are not JSON ({problem})",
                fix=f"Run 'snaphook doctor {host}' to see what it sends.",
            ) from None
        if not isinstance(fields, dict):
            raise WireError(
                where=host,
                what=f"sent {fields!r:.40} where an object is expected",
                fix=f"Run 'snaphook doctor {host}' to see what it sends.",
            )
        return cls(fields, host)

    def text(self, *names: str, default: str = "") -> str:
        """Return the first of *names* that holds a text."""
        fields = self.fields
        for name in names:
            value = fields.get(name)
            if value.__class__ is str:
                del fields[name]
                return str(value)
        return default

    def maybe(self, *names: str) -> str | None:
        """Return the first of *names* that holds a text, or ``None``."""
        fields = self.fields
        for name in names:
            value = fields.get(name)
            if value.__class__ is str:
                del fields[name]
                return value or None
        return None

    def number(self, *names: str) -> float | None:
        """Return the first of *names* that holds a number."""
        found = self._take(names, (int, float))
        return None if found is _MISSING else float(found)

    def flag(self, *names: str) -> bool:
        """Return the first of *names* that holds a yes or no; no if none does."""
        return self._take(names, bool) is True

    def items(self, *names: str) -> list[Any]:
        """Return the first of *names* that holds a list."""
        found = self._take(names, list)
        return [] if found is _MISSING else list(found)

    def anything(self, *names: str) -> Any:
        """Return the first of *names* that is there at all, or ``None``."""
        found = self._take(names, object)
        return None if found is _MISSING else found

    def needed_text(self, *names: str) -> str:
        """Return the text a decision rests on."""
        found = self._take(names, str)
        if found is _MISSING:
            raise self._wanting(names, "a text")
        return str(found)

    def needed_object(self, *names: str) -> dict[str, Any]:
        """Return the object a decision rests on; some hosts send it as JSON in a string."""
        found = self._take(names, (dict, str))
        if isinstance(found, str):
            try:
                found = msgspec.json.decode(found.encode())
            except (ValueError, RecursionError):
                found = _MISSING
        if not isinstance(found, dict):
            raise self._wanting(names, "an object")
        return found

    def _take(self, names: tuple[str, ...], kind: type | tuple[type, ...]) -> Any:
        for name in names:
            value = self.fields.get(name, _MISSING)
            if isinstance(value, bool) and kind == (int, float):
                continue
            if value is not _MISSING and isinstance(value, kind):
                return self.fields.pop(name)
        return _MISSING

    def _wanting(self, names: tuple[str, ...], kind: str) -> WireError:
        here = next((name for name in names if name in self.whole), None)
        what = f"{here} is {self.whole[here]!r:.40}" if here else f"{names[0]} is missing"
        return WireError(
            where=self.host,
            what=f"{what}where {kind} is expected",
            fix=f"Run 'snaphook doctor {self.host}' to see what it sends.",
        )
