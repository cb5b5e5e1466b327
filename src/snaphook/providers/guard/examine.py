"""Say whether a command may run: the guard's front door.

command text  ->  Script  ->  Calls and Effects  ->  Objections  ->  Judgement

Never raises and never hangs: what goes wrong inside, or past a limit, closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from snaphook.later import logger
from snaphook.providers.guard import limits
from snaphook.providers.guard.facts import Call, Effect, Span
from snaphook.providers.guard.files import file_facts
from snaphook.providers.guard.judge import objections
from snaphook.providers.guard.judgement import Answer, Judgement, Objection
from snaphook.providers.guard.limits import PastLimit
from snaphook.providers.guard.places import Places
from snaphook.providers.guard.programs.table import PROGRAMS
from snaphook.providers.guard.rules.rule import Scene
from snaphook.providers.guard.settings import GuardSettings
from snaphook.providers.guard.understand.evaluate import Evaluator
from snaphook.providers.guard.understand.state import Frame
from snaphook.providers.guard.world import World

_log = logger(__name__)
_DEFAULTS = GuardSettings()


POWERSHELLS = frozenset({"PowerShell", "powershell", "Powershell", "pwsh"})
SHELLS = frozenset({"Bash", "Shell", "bash", "shell", "exec", "run_shell_command", "local_shell"})
"""Tools whose `command` is shell text."""


def examine_tool(
    tool: str,
    args: Mapping[str, Any],
    world: World,
    *,
    settings: GuardSettings = _DEFAULTS,
    agent: str = "",
) -> Judgement:
    """Return the guard's judgement of one call of *tool*; a tool it does not know is allowed."""
    if tool in SHELLS or tool in POWERSHELLS:
        command = args.get("command", args.get("cmd", ""))
        if isinstance(command, (list, tuple)):
            command = _joined(map(str, command))
        if not isinstance(command, str):
            return _closed(repr(command), "failure", f"{tool} without a text command", "Give text.")
        if tool in POWERSHELLS:
            command = f"pwsh -Command {_joined([command])}"
        return examine(command, world, settings=settings, agent=agent)
    call, effects = file_facts(tool, args, world)
    if call is None:
        return Judgement(command=tool, answer=Answer.ALLOW)
    texts = {effect.path: effect.detail for effect in effects if effect.detail}
    return _guarded(
        str(call), lambda: _judged(str(call), (call,), effects, texts, world, settings, agent)
    )


def examine(
    command: str,
    world: World,
    *,
    settings: GuardSettings = _DEFAULTS,
    agent: str = "",
) -> Judgement:
    """Return the guard's judgement of *command* in *world*."""
    return _guarded(command, lambda: _examine(command, world, settings, agent))


def _joined(words: Iterable[str]) -> str:
    from shlex import join  # few tools hand over words

    return join(words)


def _guarded(command: str, judge: Callable[[], Judgement]) -> Judgement:
    """Return what *judge* says; when it fails or goes past a limit, that the command is closed."""
    try:
        return judge()
    except PastLimit as limit:
        return _closed(command, "limit", f"the command {limit.what}", "Split it up.")
    except RecursionError:
        return _closed(command, "limit", "the command nests too deep", "Split it up.")
    except Exception as error:  # noqa: BLE001 - a guard that fails inside must answer, and closed
        _log.exception("guard: could not judge %r. Please report this command.", command[:500])
        return _closed(
            command,
            "failure",
            f"the guard failed inside ({type(error).__name__})",
            "Please report this; a person can run the command.",
        )


def _examine(command: str, world: World, settings: GuardSettings, agent: str) -> Judgement:
    if "\0" in command:  # shells drop it, so the command is not what it seems
        raise PastLimit("holds a NUL character")
    if len(command) > limits.LONGEST:
        raise PastLimit(f"is longer than {limits.LONGEST} characters")
    evaluator = Evaluator(PROGRAMS, reads=settings.read_scripts)
    evaluator.follow_command(command, Frame(world))
    facts = (evaluator.calls, evaluator.effects, evaluator.files)
    return _judged(command, *facts, world, settings, agent)


def _judged(
    command: str,
    calls: Iterable[Call],
    effects: Iterable[Effect],
    files: Mapping[str, str],
    world: World,
    settings: GuardSettings,
    agent: str,
) -> Judgement:
    """Return what the rules say of these facts."""
    scene = Scene(
        world=world,
        settings=settings,
        places=Places(world, settings),
        calls=tuple(calls),
        effects=tuple(effects),
        agent=agent,
        files=files,
        command=command,
    )
    found = objections(scene)
    return Judgement(
        command=command,
        answer=found[0].answer if found else Answer.ALLOW,
        objections=found,
        calls=scene.calls,
        effects=scene.effects,
    )


def _closed(command: str, rule: str, what: str, instead: str) -> Judgement:
    objection = Objection(
        rule=rule,
        answer=Answer.DENY,
        what=what,
        why="what cannot be judged does not run",
        span=Span(0, len(command)),
        instead=instead,
    )
    return Judgement(command=command, answer=Answer.DENY, objections=(objection,))
