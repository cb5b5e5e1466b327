"""Ready-made hooks for everyday work, none of which needs a script of one's own.

recipes.toml  ->  Recipe  ->  an entry in a settings file

Each command takes what it needs out of the event with ``snaphook field``, and says so where the
program it calls is missing. Exit 2 hands stderr to the agent.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
from msgspec import Struct

from .settings import Dialect

EDITS = "Edit|Write|MultiEdit"
AT_STOP_TIMEOUT = 300


class Recipe(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One hook that needs nothing but a name."""

    name: str
    topic: str
    what: str
    event: str
    command: str
    matcher: str | None = None
    timeout: int = 30
    needs: str = ""
    wave_event: str = ""
    """The event in Wave, where it lacks *event* or hears nothing there."""

    def event_in(self, dialect: Dialect) -> str:
        """Return the event on which the hook runs in *dialect*."""
        return (self.wave_event if dialect is Dialect.WAVE else "") or self.event

    def entry(self, dialect: Dialect) -> dict[str, Any]:
        """Return the hook as *dialect* spells it."""
        name = {"name": self.name} if dialect is Dialect.SNAPHOOK else {}
        matcher = {"matcher": self.matcher} if self.matcher else {}
        return {**name, **matcher, "command": self.command, "timeout": self.timeout}


@cache
def recipes() -> Mapping[str, Recipe]:
    """Return the recipes by name, topics together."""
    table = tomllib.loads((files(__package__) / "recipes.toml").read_text(encoding="utf-8"))
    rows = [MAKE[kind](row) for kind, entries in table.items() for row in entries]
    topics = list(dict.fromkeys(row["topic"] for row in rows))
    rows.sort(key=lambda row: topics.index(row["topic"]))
    return {row["name"]: msgspec.convert(row, Recipe) for row in rows}


def _after_edit(row: dict[str, Any]) -> dict[str, Any]:
    run = row.pop("run")
    if row.pop("tell", False):
        run = f"out=$({run} 2>&1) && exit 0\nprintf '%s\\n' \"$out\" | head -n 40 >&2\nexit 2"
    command = (
        "f=$(snaphook field file) || exit 0\n"
        f'case "$f" in {row.pop("files")}) ;; *) exit 0 ;; esac\n'
        f"{_needs(row)}"
        f"{run}"
    )
    return {"event": "PostToolUse", "matcher": EDITS, **row, "command": command}


def _before_shell(row: dict[str, Any]) -> dict[str, Any]:
    needs = _needs(row) if "needs" in row else ""
    run = f"{row.pop('run').strip()}\n" if "run" in row else ""
    command = (
        "c=$(snaphook field command) || exit 0\n"
        f'case "$c" in {row.pop("commands")}) ;; *) exit 0 ;; esac\n'
        f"{needs}{run}"
        f"echo '{row.pop('refuse')}' >&2\n"
        "exit 2"
    )
    return {"event": "PreToolUse", "matcher": "Bash", **row, "command": command}


def _at_stop(row: dict[str, Any]) -> dict[str, Any]:
    """Return a hook that sends the agent back once: a second stop in a row goes through."""
    command = (
        '[ "$(snaphook field stop_hook_active)" = true ] && exit 0\n'
        f"[ -e {row.pop('where')} ] || exit 0\n"
        f"{_needs(row)}"
        f"out=$({row.pop('run')} 2>&1) && exit 0\n"
        "printf '%s\\n' \"$out\" | tail -n 40 >&2\n"
        "exit 2"
    )
    return {"event": "Stop", "timeout": AT_STOP_TIMEOUT, **row, "command": command}


def _needs(row: dict[str, Any]) -> str:
    """Return the line that ends a hook whose program is missing: reported, and nothing is blocked.

    Exit 1 is shown to the user in every dialect. A silent exit 0 would look like a passed check.
    """
    said = (
        f"{row['name']}: {row['needs']} is not installed, so nothing was checked. "
        "Install it, or remove the hook."
    )
    return f"command -v {row['needs']} >/dev/null || {{ echo '{said}' >&2; exit 1; }}\n"


def _hook(row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "command": row["command"].strip()}


MAKE = {
    "after-edit": _after_edit,
    "before-shell": _before_shell,
    "at-stop": _at_stop,
    "hook": _hook,
}
"""What each kind of row becomes."""
