"""``snaphook explain``: what the guard sees in a command, and what it says of it.

command  ->  tree, facts, objections, verdict
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from time import time
from typing import IO, Any, TypeAlias

import click

from snaphook.canon import HookContext, PreToolUse
from snaphook.cli.output import say_json, say_lines
from snaphook.config import Environment
from snaphook.errors import ConfigError, UsageError
from snaphook.printable import complaint
from snaphook.providers.guard import GuardAnswer
from snaphook.providers.guard.approval import show
from snaphook.providers.guard.approval.proof import Proof
from snaphook.providers.guard.approval.provider import ApprovalProvider
from snaphook.providers.guard.approval.settings import ApproveSettings
from snaphook.providers.guard.provider import GuardPreview, GuardProvider
from snaphook.providers.guard.show import preview_as_json, preview_as_text
from snaphook.wiring import assembly
from snaphook.wiring.approval import approve_settings

Here: TypeAlias = Callable[[str], ApprovalProvider]


@click.command()
@click.argument("text", required=False, metavar="COMMAND")
@click.option("--json", "wants_json", is_flag=True, help="Print JSON.")
@click.option("--cwd", default=".", metavar="DIR", help="Where the command would start.")
@click.option("--tool", default="Bash", metavar="NAME", help="The tool that would be called.")
@click.option("--input", "tool_input", metavar="JSON", help="The tool's input, instead of COMMAND.")
@click.option("--agent", default="", metavar="NAME", help="The agent that would call it.")
@click.option("--host", default="", metavar="NAME", help="The host it would call through.")
@click.option("--batch", is_flag=True, help="Read one JSON object with 'command' per line.")
def command(
    text: str | None,
    wants_json: bool,
    cwd: str,
    tool: str,
    tool_input: str | None,
    agent: str,
    host: str,
    batch: bool,
) -> int:
    """Show how the guard evaluates COMMAND: verdict, rule and reason.

    With --batch, read one JSON object per line from stdin and write one result per line.
    """
    if batch:
        explain_batch(sys.stdin.buffer, sys.stdout, cwd, host)
        return 0
    preview, proof = _one(text, cwd, tool, tool_input, agent, host)
    if wants_json:
        say_json({**preview_as_json(preview), "approval": show.as_json(proof)}, indent=2)
    else:
        say_lines(f"{preview_as_text(preview)}\n\n{show.as_line(proof)}")
    return 0


def _one(
    text: str | None, cwd: str, tool: str, tool_input: str | None, agent: str, host: str
) -> tuple[GuardPreview, Proof]:
    if tool_input is None and text is None:
        raise UsageError(
            where="snaphook explain",
            what="no command to explain",
            fix='Give one in quotes: snaphook explain "rm -rf build".',
        )
    where = _absolute(cwd)
    if tool_input is None:
        return _preview(_here(where), tool, {"command": text}, where, agent, host)
    try:
        args = json.loads(tool_input)
    except ValueError as error:
        raise _bad_input(str(error)) from error
    if not isinstance(args, dict):
        raise _bad_input("it is not an object")
    return _preview(_here(where), tool, args, where, agent, host)


def _preview(
    approval: ApprovalProvider, tool: str, args: Mapping[str, Any], cwd: str, agent: str, host: str
) -> tuple[GuardPreview, Proof]:
    """Return what the guard would say to an agent that calls *tool* now, and whether it asks."""
    context = HookContext(
        session_id="", cwd=cwd, agent_name=agent, agent_type=agent, host=host, timestamp=time()
    )
    event = PreToolUse(tool_name=tool, tool_args=dict(args), context=context)
    return approval.guard.preview(event, context), approval.proof(event, context)


def _here(cwd: str) -> ApprovalProvider:
    """Return the guard as it answers in *cwd*, and what it approves there.

    Settings that cannot be followed are told on stderr; the guard then judges by its defaults.
    """
    around = Environment.here(Path(cwd))
    try:
        read = assembly.read_settings(around, dialects=assembly.NATIVE)
    except ConfigError as error:
        say_lines(complaint(f"snaphook explain: {error}"), err=True)
        return ApprovalProvider(ApproveSettings(), GuardProvider())
    return ApprovalProvider(approve_settings(read), assembly.guard_of(read, around))


def _bad_input(what: str) -> UsageError:
    return UsageError(
        where="snaphook explain --input",
        what=f"cannot be read: {what}",
        fix='Give a JSON object, such as \'{"file_path": "a.txt"}\'.',
    )


def _absolute(cwd: str) -> str:
    return str(Path(cwd).absolute())


def explain_batch(lines: IO[bytes], out: IO[str], cwd: str, host: str = "") -> None:
    """Answer each line of *lines* with a line on *out*: verdict, rule, reason. Never stops early."""
    here = lru_cache(maxsize=256)(_here)
    for line in lines:
        out.write(json.dumps(_answer(line, _absolute(cwd), here, host)) + "\n")


def _answer(line: bytes, cwd: str, here: Here, host: str) -> dict[str, Any]:
    try:
        asked = json.loads(line)
        text = asked["command"]
        where = asked.get("cwd") or cwd
        if not isinstance(text, str) or not isinstance(where, str):
            raise TypeError("'command' and 'cwd' must be text")  # noqa: TRY301 - one place for bad lines
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        return {
            "verdict": GuardAnswer.DENY.name.lower(),
            "rule": "failure",
            "reason": f"not a request: {error!r:.200}",
            "error": "each line must be a JSON object with 'command'",
        }
    preview, proof = _preview(here(where), "Bash", {"command": text}, where, "", host)
    left = preview.left
    return {
        "verdict": left.answer.name.lower(),
        "rule": left.rule,
        "reason": left.reason,
        "approved": proof.approved,
    }
