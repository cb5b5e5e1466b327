"""``snaphook statusline``: one line for Claude Code's status bar.

stdin (session, folder)  ->  guard on · last stop: rm -rf … (delete.project), 3 min ago · budget 42 % of day

Claude Code runs it after every message and shows its first line of output. It never fails: what
cannot be told is left out, or named. https://docs.claude.com/en/docs/claude-code/statusline
"""

import json
import time
from pathlib import Path
from typing import Any

import click

from snaphook.config import Environment, Settings
from snaphook.errors import SnaphookError
from snaphook.stores.eventlog.read import RecordQuery, latest, records
from snaphook.stores.eventlog.record import Record
from snaphook.wiring import assembly

from .output import say
from .stdin import read_stdin

RECENT = 24 * 3600.0
"""Seconds in which a stop is news."""
_LONGEST = 40
_PATIENCE = 1.0
_SEPARATOR = " · "


@click.command("statusline")
@click.option("--session", default="", help="The session, where no JSON comes on stdin.")
def command(session: str) -> int:
    """Print one line for Claude Code's status bar: guard, last stop, budget.

    Add it to ~/.claude/settings.json:

    \b
    "statusLine": {"type": "command", "command": "snaphook statusline"}
    """
    told = _told() if not session else {}
    where = told.get("workspace")
    folder = where.get("current_dir") if isinstance(where, dict) else told.get("cwd")
    around = Environment.here(Path(folder) if isinstance(folder, str) and folder else None)
    try:
        settings, around = assembly.tenanted(
            assembly.read_settings(around, dialects=assembly.NATIVE), around
        )
    except SnaphookError:
        say("snaphook: settings cannot be read (snaphook check)")
        return 0
    wanted = session or str(told.get("session_id") or "")
    parts = [
        _guard(settings),
        _last_stop(settings, around, wanted),
        _budget(settings, around, wanted),
    ]
    say(_SEPARATOR.join(part for part in parts if part))
    return 0


def _told() -> dict[str, Any]:
    """Return what Claude Code says of the session; nothing where a person runs the command."""
    import sys

    if sys.stdin is None or sys.stdin.isatty():
        return {}
    try:
        found = json.loads(read_stdin(_PATIENCE) or b"{}")
    except (ValueError, SnaphookError, OSError):
        return {}
    return found if isinstance(found, dict) else {}


def _guard(settings: Settings) -> str:
    if any(entry.name == "guard" and not entry.enabled for entry in settings.providers):
        return "guard OFF"
    return "guard audits" if assembly.guard_settings(settings).mode == "audit" else "guard on"


def _last_stop(settings: Settings, around: Environment, session: str) -> str:
    folder = assembly.log_settings(settings).place(around.data_dir)
    wanted = RecordQuery(since=time.time() - RECENT, session=session)
    try:
        stops = latest(
            (one for one in records(folder, wanted) if one.verdict in ("deny", "ask")), 1
        )
    except OSError:
        return ""
    if not stops:
        return "no stops"
    (stop,) = stops
    rule = next((one.rule for one in stop.answers if one.rule and one.verdict), stop.by)
    return f"last stop: {_subject(stop)} ({rule}), {_ago(time.time() - stop.time)}"


def _subject(record: Record) -> str:
    args = record.input.get("tool_args")
    command = args.get("command") if isinstance(args, dict) else None
    text = " ".join(command.split()) if isinstance(command, str) else record.tool or record.event
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _ago(seconds: float) -> str:
    minutes = int(seconds // 60)
    if minutes < 1:
        return "just now"
    return f"{minutes} min ago" if minutes < 60 else f"{minutes // 60} h ago"


def _budget(settings: Settings, around: Environment, session: str) -> str:
    """Return the limit that is nearest to its end; nothing where no budget is set."""
    if "budget" not in settings.sections:
        return ""
    from snaphook.config.settings_files import project_root
    from snaphook.providers.budget.limits import limits_of
    from snaphook.providers.budget.report import limit_lines
    from snaphook.providers.budget.settings import BudgetSettings
    from snaphook.stores.budget import Payer, open_meter

    table = assembly.section(settings, "budget", BudgetSettings)
    limits = limits_of(table, tenanted=bool(around.tenant))
    project = str(project_root(around).resolve())
    try:
        meter = open_meter(table.store, around.data_dir)
        payer = Payer(session=session, tree=session, project=project, tenant=around.tenant)
        lines = limit_lines(meter.balances(payer), limits)
        meter.close()
    except (SnaphookError, OSError):
        return "budget unknown"
    if not lines:
        return "no budget limit"
    nearest = max(lines, key=lambda line: line.percent)
    return f"budget {nearest.percent:.0f}% of {nearest.kind}"
