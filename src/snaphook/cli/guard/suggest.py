"""``snaphook suggest``: rules that a person's own answers suggest.

the record  ->  questions and what became of them  ->  TOML to paste
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterable, Iterator
from typing import Any

import click
import msgspec

from snaphook.cli.log import moment, record_folder
from snaphook.cli.output import say, say_json, say_lines
from snaphook.providers.guard.custom_rules.suggest import Decided, as_toml, suggest
from snaphook.stores.eventlog.read import RecordQuery, records
from snaphook.stores.eventlog.reason import named_rule
from snaphook.stores.eventlog.record import Record

_TURN_ENDS = ("Stop", "UserPromptSubmit", "SessionEnd", "PermissionDenied")
NOTHING = (
    "No suggestions. A rule is suggested once you answered the same confirmation\n"
    "at least {at_least} times, and always in the same way."
)


@click.command("suggest")
@click.option(
    "--since", default="", help="Only events since then: 10m, 2h, 3d, or 2026-05-01T12:00."
)
@click.option(
    "--at-least", default=3, show_default=True, help="Minimum number of identical answers."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(since: str, at_least: int, as_json: bool) -> int:
    """Suggest guard rules from the calls you approved and declined.

    A call counts as approved if the tool ran after the confirmation, and as declined if it did not.
    Nothing is changed automatically.
    """
    folder, _ = record_folder()
    found = records(folder, RecordQuery(since=moment(since, time.time())))
    suggestions = suggest(decisions(found), at_least=at_least)
    if as_json:
        say_json(msgspec.to_builtins(suggestions), indent=2)
    elif suggestions:
        say_lines(as_toml(suggestions))
        say("# Copy the rules you want into snaphook.toml, then run 'snaphook guard test'.")
    else:
        say_lines(NOTHING.format(at_least=at_least))
    return 0


def decisions(found: Iterable[Record]) -> Iterator[Decided]:
    """Yield every question of the guard in *found*, in order, with what became of it."""
    open_questions: dict[tuple[str, str], Decided] = {}
    for record in found:
        key = (record.session, _call(record))
        if record.event == "PreToolUse":
            if record.verdict == "ask" and record.by == "guard":
                open_questions[key] = _asked(record)
        elif record.event in ("PostToolUse", "PostToolUseFailure"):
            if key in open_questions:
                yield msgspec.structs.replace(open_questions.pop(key), approved=True)
        elif record.event in _TURN_ENDS:
            for other in [one for one in open_questions if one[0] == record.session]:
                yield open_questions.pop(other)


def _asked(record: Record) -> Decided:
    said = next((one for one in record.answers if one.by == "guard" and one.verdict), None)
    args = record.input.get("tool_args")
    return Decided(
        rule=(said.rule if said else "") or named_rule(record.reason or ""),
        tool=record.tool,
        input=args if isinstance(args, dict) else {},
        session=record.session,
        project=record.project,
        approved=False,
    )


def _call(record: Record) -> str:
    """Return what tells one call of a session from the others."""
    return str(record.input.get("tool_use_id") or _stable(record.input.get("tool_args")))


def _stable(args: Any) -> str:
    return json.dumps(args, sort_keys=True, default=str)
