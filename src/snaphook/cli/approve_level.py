"""The level of automatic approval, offered by ``snaphook init``.

a choice  ->  [approve] in the user's own snaphook.toml
"""

import sys
from pathlib import Path

from rich.console import Console

from snaphook.cli.output import choose
from snaphook.config import Environment
from snaphook.config.settings_files import NATIVE
from snaphook.errors import ConfigError
from snaphook.providers.guard.approval.settings import LEVELS
from snaphook.wiring import assembly
from snaphook.wiring.approval import approve_settings

EXPLAINED = {
    "off": "your agents ask as they do now",
    "read-only": "commands that provably only read run without a prompt",
    "project": "so do writes, builds, tests and formatters inside projects whose code you trust",
}


def choose_level(
    level: str | None, around: Environment, root: Path, console: Console, *, ask: bool
) -> bool:
    """Write the level that was given or chosen; return whether calls are approved from now on."""
    try:
        settings = assembly.read_settings(around, dialects=assembly.NATIVE)
    except ConfigError:
        return False  # broken settings are reported by those who need them
    known = "approve" in settings.sections
    if level is None and (known or not ask or not sys.stdin.isatty()):
        return approve_settings(settings).level != "off"
    chosen = level or _asked(console)
    if level is None and chosen == "off":
        return False
    _write(chosen, around, root, console)
    return chosen != "off"


def _asked(console: Console) -> str:
    console.print("Commands that are proved harmless can run without a prompt:")
    for name, meaning in EXPLAINED.items():
        console.print(f"  {name}: {meaning}")
    return choose("Approve automatically", LEVELS, default="off")


def _write(level: str, around: Environment, root: Path, console: Console) -> None:
    from snaphook.config.edit import add_to_list, set_value

    file = around.config_dir / NATIVE
    set_value(file, ("approve", "level"), level)
    if level == "project" and root != around.home:
        add_to_list(file, ("approve", "projects"), [str(root)])
        console.print(f"The code of {root} counts as trusted (approve.projects).")
    console.print(f"Automatic approval: {level}: {EXPLAINED[level]}.")
