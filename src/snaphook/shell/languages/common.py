"""What readers of every language share."""

from __future__ import annotations

from snaphook.shell.facts import Act, Call, Code, Effect
from snaphook.shell.paths import resolve
from snaphook.shell.text import STAR


def on_path(act: Act, path: str, code: Code, call: Call, *, recursive: bool = False) -> Effect:
    """Return that *code* does *act* to *path*, which may begin at home (`~`)."""
    if path[:1] == "~":
        path = (code.home or "~") + path[1:]
    return Effect(
        act=act,
        call=call,
        span=code.span,
        path=resolve(path, call.cwd),
        recursive=recursive or path.endswith(STAR),
        forced=True,
    )
