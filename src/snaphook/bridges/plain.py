"""What an SDK hands to or takes from a tool, made plain.

any object  ->  what JSON can hold

Events are written down and sent on, so nothing in them may be more than data. Pure.
"""

from typing import Any

import msgspec


def plain(value: Any) -> Any:
    """Return *value* as JSON would hold it; what has no such form is told in words."""
    try:
        return msgspec.to_builtins(value, enc_hook=_dumped, str_keys=True)
    except (TypeError, ValueError, RecursionError):
        return repr(value)


def as_text(value: Any) -> str:
    """Return *value* as a model reads it."""
    return value if isinstance(value, str) else msgspec.json.encode(plain(value)).decode()


def _dumped(value: Any) -> Any:
    dump = getattr(value, "model_dump", None)
    return dump(mode="json") if callable(dump) else str(value)
