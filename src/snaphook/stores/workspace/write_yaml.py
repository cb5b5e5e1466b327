"""Writing YAML a value at a time: what is written reads back the same with every loader.

value  ->  a scalar, or everything on one line
"""

import json
import re
from typing import Any

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*")
WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])
"""What YAML 1.1 takes for something else than text."""
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff\ufffe\uffff]")
"""What YAML does not let stand, or takes for the end of a line, and JSON does not escape."""


def scalar(value: Any) -> str:
    """Return *value* as it stands after a key: plain where that is safe, on one line always."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(scalar, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{scalar(k)}: {scalar(v)}" for k, v in value.items()) + "}"
    if isinstance(value, str):
        if _PLAIN.fullmatch(value) and value.lower() not in WORDS:
            return value
        if value.isprintable() and value.isascii():
            return "'" + value.replace("'", "''") + "'"
    return flow(value)


def flow(value: Any) -> str:
    """Return *value* on one line: JSON, with escapes for what YAML does not let stand."""
    said = json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", said)
