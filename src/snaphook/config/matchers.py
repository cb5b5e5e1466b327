"""Which names a hook is meant for.

pattern + dialect  ->  Matcher        a pattern we cannot follow stops at load, never at run time

Pure. What a matcher tests depends on the event: ``SUBJECTS`` is the one table of it.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import PurePath

from msgspec import Struct

from snaphook import canon
from snaphook.errors import ConfigError
from snaphook.shell.patterns import PatternError, Searches, glob_pattern, name_pattern

from .globs import UNFINISHED, glob_regex
from .settings import Dialect

SUBJECTS: Mapping[str, str] = {
    "PreToolUse": "tool_name",
    "PermissionRequest": "tool_name",
    "PostToolUse": "tool_name",
    "PostToolUseFailure": "tool_name",
    "PermissionDenied": "tool_name",
    "SessionStart": "source",
    "SessionEnd": "reason",
    "SubagentStart": "agent_type",
    "SubagentStop": "agent_type",
    "PreCompact": "trigger",
    "PostCompact": "trigger",
    "Setup": "trigger",
    "Notification": "notification_type",
    "ErrorOccurred": "error_type",
    "StopFailure": "error",
    "UserPromptExpansion": "command_name",
    "PreModelSwitch": "to_model",
    "PostModelSwitch": "to_model",
    "Elicitation": "mcp_server_name",
    "ElicitationResult": "mcp_server_name",
    "ConfigChange": "source",
    "InstructionsLoaded": "load_reason",
    "FileChanged": "file_path",
    "DirectoryAdded": "source",
}
"""The field, as hosts spell it, that an event's matcher tests. Other events take no matcher."""

OLD_NAMES: tuple[frozenset[str], ...] = (
    frozenset({"Agent", "Task"}),
    frozenset({"TaskStop", "KillShell", "KillBash"}),
)
"""Names of one tool over time: a matcher that holds for one holds for all."""

_SPELLINGS = {name: names for names in OLD_NAMES for name in names}
_EXACT_ONLY = re.compile(r"[\w\- ,|]*", re.ASCII)
_EXACT_ONLY_STRICT = re.compile(r"[\w|]*", re.ASCII)
_REGEX_SIGNS = re.compile(r"[\^$+\\()]|\.[*?{]")
_SET = re.compile(r"\[[!^]?\]?[^\]]*\](?!\+)")
"""A glob's set of characters: its ``^`` negates it and makes no regular expression of the rest."""
_SHELL_SIGNS = re.compile(r"[;&`<>]")
_ARGUMENTS = re.compile(r"\w+\([^|]*\)")
_JS_GROUP = re.compile(r"\(\?<(?![=!])")


class Matcher(Struct, frozen=True):
    """A compiled pattern. It holds for everything where both parts are empty."""

    names: frozenset[str] = frozenset()
    """The names it spells out."""
    patterns: tuple[Searches, ...] = ()
    fold: bool = False
    """Upper and lower case are one (wave)."""

    @property
    def holds_for_all(self) -> bool:
        """Say whether there is nothing to test."""
        return not self.names and not self.patterns

    def matches(self, subject: str) -> bool:
        """Say whether the hook is meant for *subject*, under any name it ever had."""
        return self.holds_for_all or any(
            (name.casefold() if self.fold else name) in self.names
            or any(pattern.search(name) for pattern in self.patterns)
            for name in _SPELLINGS.get(subject, (subject,))
        )


ALL = Matcher()


def compile_matcher(
    pattern: str | None, dialect: Dialect, *, event: str = "PreToolUse", where: str = "matcher"
) -> Matcher:
    """Return the matcher that *pattern* spells in *dialect*, or raise ConfigError at *where*.

    No pattern, an empty one and ``*`` hold for everything.
    """
    if pattern is None or pattern.strip() in ("", "*"):
        return ALL
    if dialect is Dialect.CLAUDE:
        return _claude(pattern, event, where)
    return _native(pattern, where, fold=dialect is Dialect.WAVE)


def subject_of(event: canon.Event) -> str:
    """Return what the matchers of *event* are held against; empty where it has nothing of the kind."""
    read = _READ.get(type(event))
    return read(event) if read else ""


def _host_subject(event: canon.HostEvent) -> str:
    field = SUBJECTS.get(event.kind, "")
    value = str(event.payload.get(field) or "")
    return PurePath(value).name if field == "file_path" else value


_READ: Mapping[type[canon.Event], Callable[..., str]] = {
    canon.PreToolUse: lambda event: event.tool_name,
    canon.PermissionRequest: lambda event: event.tool_name,
    canon.PostToolUse: lambda event: event.tool_name,
    canon.PostToolUseFailure: lambda event: event.tool_name,
    canon.SessionStart: lambda event: event.source,
    canon.SessionEnd: lambda event: event.reason,
    canon.SubagentStart: lambda event: event.agent_name,
    canon.SubagentStop: lambda event: event.agent_name,
    canon.PreCompact: lambda event: event.trigger,
    canon.Notification: lambda event: event.notification_type,
    canon.ErrorOccurred: lambda event: event.error_type,
    canon.HostEvent: _host_subject,
}


def _claude(pattern: str, event: str, where: str) -> Matcher:
    """Return names where *pattern* is nothing else; otherwise a regular expression, unanchored.

    "Only letters, digits, _, -, space, comma and |" makes it a list of names; FileChanged and
    StopFailure allow only letters, digits, _ and |.
    """
    strict = event in ("FileChanged", "StopFailure")
    if (_EXACT_ONLY_STRICT if strict else _EXACT_ONLY).fullmatch(pattern):
        return Matcher(names=_named(re.split(r"[|,]", pattern), pattern, where))
    return Matcher(patterns=(_regex(pattern, where),))


def _native(pattern: str, where: str, *, fold: bool) -> Matcher:
    """Return what wave promises and snaphook does: names, globs and regular expressions in a row."""
    names: list[str] = []
    patterns: list[Searches] = []
    for part in _alternatives(pattern):
        if len(part) > 1 and part.startswith("/") and part.endswith("/"):
            patterns.append(_regex(part[1:-1], where, fold=fold))
            continue
        _refuse_what_no_name_has(part, where, wave=fold)
        if _REGEX_SIGNS.search(_SET.sub("", part)):
            patterns.append(_regex(part, where, fold=fold))
        elif any(sign in part for sign in "*?[{"):
            patterns.append(_glob(part, where, fold=fold))
        else:
            names.append(part.casefold() if fold else part)
    if patterns:
        return Matcher(frozenset(filter(None, names)), tuple(patterns), fold)
    return Matcher(names=_named(names, pattern, where), fold=fold)


def _alternatives(pattern: str) -> list[str]:
    """Split at ``|``, except inside ``/…/``, brackets and parentheses."""
    parts = re.findall(r"(?:/[^/]*/|\([^()]*\)|\[[^\]]*\]|[^|])+", pattern)
    return [part.strip() for part in parts]


def _named(parts: list[str], pattern: str, where: str) -> frozenset[str]:
    names = frozenset(part.strip() for part in parts) - {""}
    if not names:
        raise _bad(
            where, pattern, "names nothing", "Write a tool's name, or leave the matcher out."
        )
    return names


def _refuse_what_no_name_has(part: str, where: str, *, wave: bool) -> None:
    if _ARGUMENTS.fullmatch(part):
        name = part.partition("(")[0]
        fix = f'Put it beside the command: "if": "{part}".'
        if wave:  # Wave has no 'if': it refuses a hook with a key that it does not know
            fix = f"Match the tool ({name}) and look at its arguments in the command: snaphook field command."
        raise _bad(where, part, "filters arguments", fix)
    if sign := _SHELL_SIGNS.search(part):
        fix = f"Tool names do not contain '{sign[0]}'; write a regular expression as /…/."
        raise _bad(where, part, "looks like a shell command", fix)


def _regex(source: str, where: str, *, fold: bool = False) -> Searches:
    try:
        return name_pattern(_JS_GROUP.sub("(?P<", source), fold=fold)
    except PatternError as error:
        what = f"could take exponential time and is not supported by RE2: {error}"
        raise _bad(where, source, what, "Avoid nested repetitions.") from error
    except re.error as error:
        what = f"is not a valid regular expression: {error}"
        raise _bad(where, source, what, "Fix it, or use a name or a glob (Edit*).") from error


def _glob(part: str, where: str, *, fold: bool) -> Searches:
    try:
        return glob_pattern(rf"\A{glob_regex(part)}\Z", fold=fold)
    except (ValueError, re.error) as error:
        raise _bad(where, part, UNFINISHED, "Close the bracket.") from error


def _bad(where: str, pattern: str, what: str, fix: str) -> ConfigError:
    return ConfigError(where=where, what=f"matcher '{pattern}' {what}", fix=fix)
