"""Say whether a command may run: the guard's front door.

command text  ->  Script  ->  Calls and Effects  ->  Objections  ->  Judgement

Never raises and never hangs: what goes wrong inside, or past a limit, closes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import replace

from snaphook.errors import ConfigError
from snaphook.lazy import logger
from snaphook.providers.guard.arguments import KNOWN, equivalents
from snaphook.providers.guard.caller import Caller
from snaphook.providers.guard.files import file_facts
from snaphook.providers.guard.judge import objections
from snaphook.providers.guard.judgement import GuardAnswer, Judgement, Objection, judged
from snaphook.providers.guard.memory import NOTHING, SessionMemory
from snaphook.providers.guard.path_classes import PathClasses
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.providers.guard.secrets import secret
from snaphook.providers.guard.settings import GuardSettings
from snaphook.providers.guard.spelling import as_spelled
from snaphook.shell import limits
from snaphook.shell.evaluation.evaluate import Evaluator
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Call, Effect, Span
from snaphook.shell.known_programs import PROGRAMS
from snaphook.shell.limits import PastLimit
from snaphook.shell.paths import resolve
from snaphook.shell.text import disarmed
from snaphook.shell.world import World

if TYPE_CHECKING:
    from snaphook.providers.guard.traces import SessionTraces

_log = logger(__name__)
_DEFAULTS = GuardSettings()


POWERSHELLS = frozenset({"PowerShell", "powershell", "Powershell", "pwsh"})
SHELLS = frozenset({"Bash", "Shell", "bash", "shell", "exec", "run_shell_command", "local_shell"})
"""Tools whose `command` is shell text."""


class _Asked(Struct, frozen=True, kw_only=True):
    """Everything a judgement hangs on besides the facts."""

    world: World
    settings: GuardSettings
    asker: Caller
    memory: SessionMemory


def examine_tool(
    tool: str,
    args: Mapping[str, Any],
    world: World,
    *,
    settings: GuardSettings = _DEFAULTS,
    agent: str = "",
    asker: Caller | None = None,
    memory: SessionMemory = NOTHING,
) -> Judgement:
    """Return the guard's judgement of one call of *tool*.

    A tool it does not know is judged by what it is given: a command, a path, a text for one.
    """
    told = replace(asker or Caller(agent=agent), tool=tool, input=args)
    asked = _Asked(world=world, settings=settings, asker=told, memory=memory)
    found = _known(tool, args, asked)
    if tool in KNOWN or tool in SHELLS or found.answer is GuardAnswer.DENY:
        return found
    # Judged as the same caller: a rule of the settings about this very tool was asked above.
    return max(
        (found, *(_known(name, given, asked) for name, given in equivalents(tool, args))),
        key=lambda judgement: judgement.answer,
    )


def _known(tool: str, args: Mapping[str, Any], asked: _Asked) -> Judgement:
    """Return the judgement of a call by the name of its tool."""
    settings, world = asked.settings, asked.world
    if tool in SHELLS or tool in POWERSHELLS:
        return _shell(tool, args, asked)
    call, effects = file_facts(tool, args, world)
    if call is None:
        if not settings.own and not settings.roles:
            return Judgement(command=tool, answer=GuardAnswer.ALLOW)
        return _guarded(tool, asked, lambda: _judged(tool, (), (), {}, asked))
    texts = {effect.path: effect.detail for effect in effects if effect.detail}
    found = _guarded(str(call), asked, lambda: _judged(str(call), (call,), effects, texts, asked))
    traces = _traces(effects, {}, (), asked)
    return found if traces is None else replace(found, traces=traces)


def examine(
    command: str,
    world: World,
    *,
    settings: GuardSettings = _DEFAULTS,
    agent: str = "",
    asker: Caller | None = None,
    memory: SessionMemory = NOTHING,
) -> Judgement:
    """Return the guard's judgement of *command* in *world*."""
    told = asker or Caller(tool="Bash", agent=agent)
    asked = _Asked(world=world, settings=settings, asker=told, memory=memory)
    return _guarded(command, asked, lambda: _examine(command, asked))


def _joined(words: Iterable[str]) -> str:
    from shlex import join  # few tools hand over words

    return join(words)


def command_text(args: Mapping[str, Any]) -> str | None:
    """Return the shell text of a call, whichever way its host hands it over; else ``None``."""
    command = args.get("command", args.get("cmd", ""))
    if isinstance(command, (list, tuple)):
        return _joined(map(str, command))
    return command if isinstance(command, str) else None


def _shell(tool: str, args: Mapping[str, Any], asked: _Asked) -> Judgement:
    command = command_text(args)
    if command is None:
        what = f"{tool} without a text command"
        return _closed(repr(args.get("command")), asked, "failure", what, "Give text.")
    if tool in POWERSHELLS:
        command = f"pwsh -Command {_joined([command])}"
    where = args.get("cwd")
    cwd = where if isinstance(where, str) else ""
    return _guarded(command, asked, lambda: _examine(command, asked, cwd))


def _guarded(command: str, asked: _Asked, judge: Callable[[], Judgement]) -> Judgement:
    """Return what *judge* says; when it fails or goes past a limit, that the command is closed."""
    try:
        return judge()
    except PastLimit as limit:
        return _closed(command, asked, "limit", f"the command {limit.what}", "Split it up.")
    except RecursionError:
        return _closed(command, asked, "limit", "the command is nested too deeply", "Split it up.")
    except ConfigError as error:
        return _closed(command, asked, "failure", f"{error.where}: {error.what}", error.fix)
    except Exception as error:  # noqa: BLE001 - a guard that fails inside must answer, and closed
        _log.exception("guard: could not evaluate %r. Please report this command.", command[:500])
        return _closed(
            command,
            asked,
            "failure",
            f"the guard failed with an internal error ({type(error).__name__})",
            "Please report this; a person can run the command.",
        )


def _examine(command: str, asked: _Asked, cwd: str = "") -> Judgement:
    if "\0" in command:  # shells drop it, so the command is not what it seems
        raise PastLimit("holds a NUL character")
    if len(command) > limits.LONGEST:
        raise PastLimit(f"is longer than {limits.LONGEST} characters")
    memory = asked.memory
    evaluator = Evaluator(
        PROGRAMS,
        reads=asked.settings.read_scripts,
        is_secret=secret
        if memory is NOTHING
        else lambda path: secret(path) or memory.is_secret(path),
        was_downloaded=memory.is_download,
    )
    frame = Frame(asked.world)
    if cwd:  # a call may name a folder of its own to start in
        frame.variables["PWD"] = resolve(disarmed(cwd), asked.world.cwd)
    evaluator.follow_command(command, frame)
    found = _judged(command, evaluator.calls, evaluator.effects, evaluator.files, asked)
    traces = _traces(evaluator.effects, evaluator.files, evaluator.downloads, asked)
    if not evaluator.unread and not evaluator.assigned and traces is None:
        return found
    return replace(
        found,
        unread=tuple(evaluator.unread),
        traces=traces,
        assigned=frozenset(evaluator.assigned),
    )


def _traces(
    effects: Sequence[Effect], files: Mapping[str, str], unpacked: Iterable[str], asked: _Asked
) -> SessionTraces | None:
    """Return what later calls of the session are judged by; most calls leave nothing behind."""
    if not effects or (not files and asked.memory is NOTHING):
        return None
    from snaphook.providers.guard.traces import traces_of

    return traces_of(effects, files, unpacked, asked.memory, asked.settings)


def _judged(
    command: str,
    calls: Iterable[Call],
    effects: Iterable[Effect],
    files: Mapping[str, str],
    asked: _Asked,
) -> Judgement:
    """Return what the rules say of these facts."""
    effects, files = as_spelled(effects, files, asked.world)
    scene = RuleContext(
        world=asked.world,
        settings=asked.settings,
        places=PathClasses(asked.world, asked.settings),
        calls=tuple(calls),
        effects=tuple(effects),
        agent=asked.asker.agent,
        files=files,
        command=command,
        asker=asked.asker,
        memory=asked.memory,
    )
    return judged(command, objections(scene), calls=scene.calls, effects=scene.effects)


def _closed(command: str, asked: _Asked, rule: str, what: str, instead: str) -> Judgement:
    objection = Objection(
        rule=rule,
        answer=GuardAnswer.DENY,
        what=what,
        why="commands that cannot be evaluated are denied",
        span=Span(0, len(command)),
        instead=instead,
        enforced=asked.settings.mode != "audit",
    )
    return judged(command, [objection])
