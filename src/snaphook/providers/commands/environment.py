"""What a hook finds in its environment, and what a SessionStart hook leaves in its own.

Event + hook + environ  ->  variables        export lines  ->  variables

Pure. The environment that a hook inherits comes from outside: the daemon answers for many callers.
"""

import re
from collections.abc import Callable, Mapping

from msgspec import Struct

from snaphook import canon
from snaphook.config import CommandHook, Dialect

_WAVE = frozenset({Dialect.WAVE, Dialect.SNAPHOOK})
_CLAUDE = frozenset({Dialect.CLAUDE, Dialect.SNAPHOOK})

ENV_FILE = "CLAUDE_ENV_FILE"
"""Names a file; the export lines that a SessionStart hook appends reach the agent's shell."""


class Variable(Struct, frozen=True):
    """A name, who sets it, what it holds, and how to find that."""

    name: str
    dialects: frozenset[Dialect]
    holds: str
    read: Callable[[canon.Event], str]


def project_of(event: canon.Event) -> str:
    """Return the project's folder, or the event's directory where nobody named a project."""
    return event.context.team_root or event.context.cwd


def _tool(event: canon.Event) -> str:
    return event.tool_name if isinstance(event, canon.ToolEvent) else ""


VARIABLES: tuple[Variable, ...] = (
    Variable("HOOK_EVENT", _WAVE, "the event's name", lambda event: event.event_name),
    Variable("HOOK_TOOL_NAME", _WAVE, "the tool, on tool events", _tool),
    Variable("HOOK_PROJECT_DIR", _WAVE, "the project's folder (an older name)", project_of),
    Variable("WAVE_PROJECT_DIR", _WAVE, "the project's folder", project_of),
    Variable("WAVE_SESSION_ID", _WAVE, "the session", lambda event: event.context.session_id),
    Variable("CLAUDE_PROJECT_DIR", _CLAUDE, "the project's folder", project_of),
    Variable(
        "CLAUDE_CODE_SESSION_ID", _CLAUDE, "the session", lambda event: event.context.session_id
    ),
    Variable("CLAUDECODE", _CLAUDE, "1", lambda _: "1"),
)


def environment(
    event: canon.Event, hook: CommandHook, environ: Mapping[str, str]
) -> dict[str, str]:
    """Return the whole environment of *hook*: inherited, then the settings', then the dialect's.

    A variable without a value is left out, also when it was inherited.
    """
    variables = {**environ, **hook.env}
    for one in VARIABLES:
        if hook.dialect in one.dialects:
            value = one.read(event)
            if value or one.name == "HOOK_TOOL_NAME":  # Wave sets it always, empty without a tool
                variables[one.name] = value
            else:
                variables.pop(one.name, None)
    return variables


def filled_in(words: tuple[str, ...], variables: Mapping[str, str]) -> tuple[str, ...]:
    """Return the exec form's *words* with ``${NAME}`` filled in, as a shell would have done."""
    return tuple(_BRACED.sub(lambda name: variables.get(name[1], name[0]), word) for word in words)


def exported(text: str, environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that the lines of *text* set.

    ``export A=b``, ``declare -x A="b"`` and ``A=b`` are understood, quotes and ``$NAME`` with them;
    other lines are a shell's business and passed over.
    """
    found: dict[str, str] = {}
    for line in text.splitlines():
        if assignments := _LINE.fullmatch(line.strip()):
            for name, value in _ASSIGNED.findall(assignments[1]):
                found[name] = _value(value, {**environ, **found})
    return found


_BRACED = re.compile(r"\$\{(\w+)\}")
_QUOTED = r"""(?:'[^']*'|"(?:\\.|[^"\\])*"|\\.|[^\s'"\\;&|<>()`])*"""
_LINE = re.compile(
    rf"(?:(?:export|declare\s+-x|typeset\s+-x)\s+)?((?:[A-Za-z_]\w*={_QUOTED}(?:\s+|;|\Z))+)(?:\#.*)?"
)
_ASSIGNED = re.compile(rf"([A-Za-z_]\w*)=({_QUOTED})")
_PIECE = re.compile(
    r"""'(?P<plain>[^']*)'|"(?P<double>(?:\\.|[^"\\])*)"|\\(?P<char>.)|(?P<bare>[^'"\\]+)"""
)
_NAME = re.compile(r"\\(?P<char>[\\\"$`])|\$(?:(?P<bare>\w+)|\{(?P<braced>\w+)\})")


def _value(quoted: str, environ: Mapping[str, str]) -> str:
    def named(name: "re.Match[str]") -> str:
        return name["char"] or environ.get(name["bare"] or name["braced"], "")

    def piece(part: "re.Match[str]") -> str:
        if part["plain"] is not None:
            return part["plain"]
        return part["char"] or _NAME.sub(named, part["double"] or part["bare"] or "")

    return "".join(map(piece, _PIECE.finditer(quoted)))
