"""What a tool call that succeeded says about its session.

PostToolUse  ->  SessionNote: files read, whether something changed, commands that succeeded

A command counts as passed only where its exit status was the one the host saw: the last of a line,
and what leads to it by `&&`; not what stands before a pipe, a `;` or `||`.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from snaphook.providers.guard.examine import SHELLS, examine
from snaphook.providers.guard.files import file_facts
from snaphook.providers.guard.path_classes import PathClass, PathClasses
from snaphook.providers.guard.sessions import SessionNote
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.facts import Act, Call, Effect, Span
from snaphook.shell.syntax.grammar import ScriptReader
from snaphook.shell.syntax.scan import ShellSyntaxError
from snaphook.shell.syntax.tree import Command, Pipeline, Simple
from snaphook.shell.text import is_known
from snaphook.shell.world import World

_CHANGES = frozenset({Act.WRITE, Act.OVERWRITE, Act.APPEND, Act.DELETE, Act.MOVE, Act.LINK})
_WORK = frozenset({PathClass.INSIDE, PathClass.PROJECT})
_GIT_CHANGES_TEXT = """
    am apply checkout cherry-pick clean merge pull rebase reset restore revert stash switch
"""
_GIT_CHANGES = frozenset(_GIT_CHANGES_TEXT.split())
_THROUGH_TEXT = """
    command dotenv env hatch nice nohup npx pdm pipenv poetry pnpm rye stdbuf sudo time timeout
    uv uvx yarn
"""
_THROUGH = frozenset(_THROUGH_TEXT.split())
"""Programs that hand on the exit status of what they run."""
_FAILED = ("exit_code", "exitCode", "returncode", "return_code", "status", "code")


def note_of(
    tool: str, args: Mapping[str, Any], result: Any, world: World, settings: GuardSettings
) -> SessionNote:
    """Return what the call, which the host says succeeded, adds to the session's memory."""
    if tool in SHELLS:
        command = args.get("command", args.get("cmd", ""))
        text = command if isinstance(command, str) else shlex.join(map(str, command or ()))
        return _of_command(text, result, world, settings)
    _, effects = file_facts(tool, args, world)
    return _of_effects(effects, PathClasses(world, settings))


def _of_command(text: str, result: Any, world: World, settings: GuardSettings) -> SessionNote:
    judgement = examine(text, world, settings=GuardSettings(read_scripts=False))
    places = PathClasses(world, settings)
    changed = [one.span.start for one in judgement.effects if _changes(one, places)]
    changed += [
        call.span.start
        for call in judgement.calls
        if call.program == "git" and call.subcommand in _GIT_CHANGES
    ]
    ran = list(_passed(text, judgement.calls)) if _succeeded(result) else []
    last = max(changed, default=-1)
    known = _of_effects(judgement.effects, places)
    return SessionNote(
        read=known.read,
        changed=bool(changed),
        ran=tuple(str(call) for call in ran if call.span.start > last),
        started=_containers(ran, result),
    )


_ID = re.compile(r"^[0-9a-f]{64}$", re.MULTILINE)
_REFUSED = re.compile(
    r"^docker: |Error response from daemon|Error: .*already in use|Conflict\.", re.MULTILINE
)


def _containers(ran: Sequence[Call], result: Any) -> tuple[str, ...]:
    """Return the containers that the calls started, by name and by the id they printed."""
    if not any(call.program in ("docker", "podman", "nerdctl") for call in ran):
        return ()
    from snaphook.providers.guard.rules.containers import started

    printed = result if isinstance(result, str) else str(_printed(result))
    if _REFUSED.search(printed):  # not every host tells the exit status
        return ()
    return (*started(ran), *_ID.findall(printed))


def _printed(result: Any) -> Any:
    return result.get("stdout") or result.get("output") or "" if isinstance(result, Mapping) else ""


def _of_effects(effects: Iterable[Effect], places: PathClasses) -> SessionNote:
    """Return the files that are known now; whoever wrote a file knows what is in it."""
    effects = list(effects)
    seen = [
        one.path
        for one in effects
        if one.act in (Act.READ, Act.WRITE, Act.OVERWRITE) and is_known(one.path)
    ]
    return SessionNote(
        read=tuple(dict.fromkeys(seen)), changed=any(_changes(one, places) for one in effects)
    )


def _changes(effect: Effect, places: PathClasses) -> bool:
    return effect.act in _CHANGES and effect.call.sure and places.of(effect.path) in _WORK


def _succeeded(result: Any) -> bool:
    """Say whether *result* tells of no failure; hosts differ in how they tell."""
    if not isinstance(result, Mapping):
        return True
    if result.get("is_error") or result.get("interrupted") or result.get("success") is False:
        return False
    return not any(isinstance(code := result.get(name), int) and code != 0 for name in _FAILED)


def _passed(text: str, calls: Iterable[Call]) -> Iterator[Call]:
    """Yield the calls whose success the success of the whole line proves."""
    spans = decisive(text)
    for call in calls:
        if not call.sure or not set(call.via) <= _THROUGH:
            continue
        if any(span.start <= call.span.start < span.end for span in spans):
            yield call


def decisive(text: str) -> list[Span]:
    """Return the places of the commands that must all have succeeded for *text* to succeed."""
    try:
        items = ScriptReader(text).script(until="").items
    except (ShellSyntaxError, RecursionError):
        return []
    spans: list[Span] = []
    for item in reversed(items):
        if item.joined == "||" or item.background:
            break
        spans += _last(item.command, text)
        if item.joined != "&&":
            break
    return spans


def _last(command: Command, text: str) -> Iterator[Span]:
    if isinstance(command, Pipeline):
        command = command.commands[-1]
    negated = text[: command.start].rstrip().endswith("!")
    if isinstance(command, Simple) and not negated:
        yield Span(command.start, command.end)
