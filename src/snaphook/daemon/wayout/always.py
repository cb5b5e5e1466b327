"""A permit for good: lines in the user's own settings.

Stop  ->  [guard] allow = [ … ] in ~/.config/snaphook/snaphook.toml
"""

from datetime import UTC, datetime
from pathlib import Path

from snaphook.config import Settings, Surroundings
from snaphook.config.edit import add_to_list
from snaphook.providers.guard.allowed import line_for
from snaphook.providers.guard.way_out import Stop, stopping_rules

from .judge import NoWay, judged_here


def allow_always(stop: Stop, settings: Settings | None, around: Surroundings) -> Path:
    """Write what *stop* needs into the user's file, and return it; nothing is written in vain."""
    if stop.tool != "Bash":
        raise NoWay(f"--always is for commands, not for {stop.tool}", "Use --session or --for.")
    lines = needed(stop.command, settings, around)
    file = around.config_dir / "snaphook.toml"
    today = datetime.now(tz=UTC).astimezone().date().isoformat()
    add_to_list(file, ("guard", "allow"), lines, comment=f"snaphook allow --always, {today}")
    return file


def needed(command: str, settings: Settings | None, around: Surroundings) -> list[str]:
    """Return the fewest lines that let *command* run."""

    def passes(lines: list[str]) -> bool:
        told, _, _ = judged_here(command, "Bash", settings, around, allow=tuple(lines))
        return not stopping_rules(told)

    judgement, _, _ = judged_here(command, "Bash", settings, around)
    lines = list(dict.fromkeys(line_for(call) for call in judgement.calls))
    if not passes(lines):
        raise NoWay(
            "a line under [guard] allow would not lift this",
            "Change the rule itself: [guard.rules], or [[guard.rule]].",
        )
    for line in tuple(lines):
        fewer = [one for one in lines if one != line]
        if passes(fewer):
            lines = fewer
    return lines
