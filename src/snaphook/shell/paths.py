"""Where a path leads, and what kind of place that is.

'../x' + cwd  ->  '/home/me/x'  ->  Place

Paths may hold the marks of `guard.text`. Normalising is pure; only `Places.of` asks the world.
"""

from __future__ import annotations

from snaphook.shell.text import UNKNOWN


def resolve(value: str, cwd: str) -> str:
    """Return *value* as an absolute, normalised path seen from *cwd*, as far as it is known."""
    if not value:
        return cwd
    if value[0] == "/":
        start = value
    elif value[0] == UNKNOWN:
        return value.rstrip("/") or value
    else:
        start = f"{cwd}/{value}"
    if "/." not in start and "//" not in start:
        return start.rstrip("/") or "/"
    out: list[str] = []
    for name in start.split("/"):
        if name == "..":
            if out and out[-1] == UNKNOWN and len(out) == 1 and start[0] != "/":
                out = [UNKNOWN]
            elif out:
                out.pop()
        elif name not in ("", "."):
            out.append(name)
    return ("" if start[0] == UNKNOWN else "/") + "/".join(out)
