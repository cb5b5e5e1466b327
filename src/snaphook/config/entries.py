"""Decode the ``hooks`` table of any dialect.

{Event: [{matcher, hooks: [{type, command}]}]}   claude, wave
[[hooks.Event]] matcher, command                 snaphook
    ->  CommandHooks and ForeignHooks, in the order in which they stand
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from snaphook.canon import BY_NAME, HOST_EVENTS, Stance
from snaphook.errors import ConfigError

from .conditions import compile_condition
from .keys import FOREIGN_KEYS, FOREIGN_KINDS, GROUP, HANDLER, NESTED
from .matchers import compile_matcher
from .problems import Notes, Pointer
from .settings import CommandHook, Dialect, ForeignHook, Layer, Origin
from .take import closest, did_you_mean, meant_key, shown, take, unknown_key

AnyHook = CommandHook | ForeignHook

KNOWN_EVENTS = frozenset(BY_NAME) | frozenset(HOST_EVENTS)
OTHER_NAMES: Mapping[str, str] = {
    "BeforeTool": "PreToolUse",
    "AfterTool": "PostToolUse",
    "BeforeToolUse": "PreToolUse",
    "AfterToolUse": "PostToolUse",
    "BeforeAgent": "UserPromptSubmit",
    "AfterAgent": "Stop",
    "AgentStop": "Stop",
    "OnStop": "Stop",
    "PreCompress": "PreCompact",
    "BeforeShellExecution": "PreToolUse",
    "AfterFileEdit": "PostToolUse",
    "BeforeSubmitPrompt": "UserPromptSubmit",
    "PrePrompt": "UserPromptSubmit",
    "OnError": "ErrorOccurred",
    "OnEdit": "PostToolUse",
    "OnSave": "PostToolUse",
    "OnFileSave": "PostToolUse",
    "PreCommit": "PreToolUse",
}
"""What other hosts, or people from memory, call the events."""

FILE_LIKE = re.compile(
    r"\*\*?/|\*\.\w+|^[\w./-]*/[\w./*-]+$|^\.?\w+\.(py|js|ts|tsx|go|rs|md|json)$"
)
"""A matcher that means files, where tools' names are asked for."""
ABOUT_NAMES = "Name the tool (Edit|Write); its arguments are filtered with 'if': Edit(*.py)"


class EntrySource(Struct, frozen=True, kw_only=True):
    """Who says it: the file, its rules, and whether it may."""

    dialect: Dialect
    layer: Layer
    file: str = ""
    trusted: bool = True
    root: str = ""
    """The project that the file belongs to, if it is a project's."""

    def origin(self, pointer: Pointer) -> Origin:
        """Return the origin of what stands at *pointer*."""
        return Origin(layer=self.layer, file=self.file, pointer=pointer, trusted=self.trusted)


def decode_hooks(
    value: object, source: EntrySource, notes: Notes, pointer: Pointer = ("hooks",)
) -> Iterator[AnyHook]:
    """Yield the hooks that *value* asks for; what cannot be followed goes to *notes*."""
    if not isinstance(value, dict):
        what = f"'hooks' is {shown(value)}; expected a table of events"
        notes.error("wrong-shape", pointer, what, f"Write {_example(source.dialect)}.")
        return
    for event, groups in value.items():
        at = (*pointer, event)
        known = _is_event(event, at, source, notes)
        for hook in _decode_event(event, groups, source, notes, at):
            if known:
                yield hook


def _is_event(event: str, pointer: Pointer, source: EntrySource, notes: Notes) -> bool:
    """Say whether *event* exists; the foreign dialects go on without one that does not."""
    if event in KNOWN_EVENTS:
        return True
    meant = OTHER_NAMES.get(event) or next(
        (right for name, right in OTHER_NAMES.items() if name.lower() == event.lower()), None
    )
    meant = meant or closest(event, KNOWN_EVENTS, cutoff=0.65)
    if event in GROUP or event in HANDLER[source.dialect]:
        fix = f"Group hooks by event:  {_example(source.dialect)}."
    else:
        fix = f"Did you mean '{meant}'? " if meant else ""
        fix += "'snaphook events' lists all."
    notes.error(
        "unknown-event",
        pointer,
        f"unknown event '{event}'",
        fix,
        tolerable=source.dialect is not Dialect.SNAPHOOK,
    )
    return False


def _decode_event(
    event: str, groups: object, source: EntrySource, notes: Notes, pointer: Pointer
) -> Iterator[AnyHook]:
    if not isinstance(groups, list):
        notes.error(
            "wrong-shape",
            pointer,
            f"'{event}' is {shown(groups)}; expected a list",
            f"Write {_example(source.dialect, event)}.",
        )
        return
    for index, group in enumerate(groups):
        at = (*pointer, index)
        if not isinstance(group, dict):
            what = f"an entry of '{event}' is {shown(group)}; expected a table"
            notes.error("wrong-shape", at, what, f"Write {_example(source.dialect, event)}.")
        elif source.dialect is Dialect.SNAPHOOK and "hooks" not in group:
            yield from _decode_handler(event, group, None, source, notes, at)
        else:
            yield from _decode_group(event, group, source, notes, at)


def _decode_group(
    event: str, group: Mapping[str, Any], source: EntrySource, notes: Notes, pointer: Pointer
) -> Iterator[AnyHook]:
    """Yield what a matcher with its list of handlers asks for."""
    handler_keys = NESTED[source.dialect]
    misplaced = [name for name in group if name in handler_keys and name not in GROUP]
    if misplaced and "hooks" not in group:
        notes.error(
            "wrong-shape",
            pointer,
            f"'{misplaced[0]}' is next to the matcher, without a 'hooks' list",
            'Write {"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}.',
        )
        return
    for name in misplaced:
        notes.error(
            "misplaced-key",
            (*pointer, name),
            f"'{name}' belongs to a hook, not to its matcher",
            "Move it into the entry of the 'hooks' list.",
            tolerable=True,
        )
    rest = {name: group[name] for name in group if name not in misplaced} if misplaced else group
    taken = take(rest, GROUP, pointer, notes)
    if "hooks" not in group:
        what = "an entry without 'hooks' runs nothing"
        notes.error("wrong-shape", pointer, what, f"Write {_example(source.dialect, event)}.")
    for index, handler in enumerate(taken.get("hooks", ())):
        at = (*pointer, "hooks", index)
        if isinstance(handler, dict):
            yield from _decode_handler(event, handler, taken.get("matcher"), source, notes, at)
        else:
            what = f"a hook is {shown(handler)}; expected a table"
            notes.error("wrong-shape", at, what, 'Write {"type": "command", "command": "…"}.')
    if taken.get("hooks") == []:
        fix = "Add a command, or remove the entry."
        notes.warning("nothing-to-run", (*pointer, "hooks"), "the list of hooks is empty", fix)


def _decode_handler(
    event: str,
    handler: Mapping[str, Any],
    matcher: str | None,
    source: EntrySource,
    notes: Notes,
    pointer: Pointer,
) -> Iterator[AnyHook]:
    kind = _handler_kind(handler, source, notes, pointer)
    if kind and kind in FOREIGN_KINDS:
        yield _foreign(event, kind, handler, matcher, source, notes, pointer)
    elif kind == "command":
        nested = pointer[-2] == "hooks"
        known = (NESTED if nested else HANDLER)[source.dialect]
        taken = take(handler, known, pointer, notes)
        if _has_command(handler, taken, notes, pointer):
            hook = _command(event, taken, matcher, source, pointer)
            _check_patterns(hook, notes)
            yield hook


def _handler_kind(
    handler: Mapping[str, Any], source: EntrySource, notes: Notes, pointer: Pointer
) -> str | None:
    """Return the handler's type; the native form needs none, and wave's own manual forgets it."""
    kind = handler.get("type", "command")
    if "type" not in handler and source.dialect is not Dialect.SNAPHOOK:
        fix = 'Add "type": "command".'
        notes.error("missing-type", pointer, "a hook without 'type'", fix, tolerable=True)
    foreign = source.dialect is Dialect.CLAUDE and isinstance(kind, str) and kind in FOREIGN_KINDS
    if kind == "command" or foreign:
        return str(kind)
    known = ["command", *FOREIGN_KINDS] if source.dialect is Dialect.CLAUDE else ["command"]
    nearest = did_you_mean(kind, known) if isinstance(kind, str) else ""
    fix = nearest or 'Write "command".'
    notes.error("unknown-type", (*pointer, "type"), f"unknown type '{kind}'", fix)
    return None


def _has_command(
    handler: Mapping[str, Any], taken: Mapping[str, Any], notes: Notes, pointer: Pointer
) -> bool:
    if str(taken.get("command", "")).strip():
        return True
    if "command" not in handler:
        if any(meant_key(name, ("command", "matcher")) == "command" for name in handler):
            return False  # the misspelt key has been noted
        fix = 'Add "command": the line of shell to run.'
        notes.error("missing-command", pointer, "a hook without 'command' runs nothing", fix)
    elif "command" in taken:
        at = (*pointer, "command")
        notes.error("empty-command", at, "the command is empty", "Write the command to run.")
    return False


def _command(
    event: str, taken: Mapping[str, Any], matcher: str | None, source: EntrySource, pointer: Pointer
) -> CommandHook:
    blocks = "block" in (taken.get("onFailure"), taken.get("on_failure"))
    args = taken.get("args")
    return CommandHook(
        event=event,
        command=taken["command"],
        dialect=source.dialect,
        origin=source.origin(pointer),
        name=taken.get("name", ""),
        matcher=taken.get("matcher", matcher),
        condition=taken.get("if"),
        args=None if args is None else tuple(args),
        timeout=taken.get("timeout"),
        background=taken.get("async", False) or taken.get("asyncRewake", False),
        stance=Stance.CLOSED if blocks else Stance.OPEN,
        json_output=taken.get("jsonOutput", taken.get("json_output")),
        parallel=taken.get("parallel"),
        env=taken.get("env", {}),
        root=source.root,
    )


def _check_patterns(hook: CommandHook, notes: Notes) -> None:
    """Note a matcher or a condition that cannot be followed: it stops here, not at the event."""
    inside = hook.origin.pointer
    outer = inside[:-2] if "hooks" in inside[-2:] else inside
    try:
        compile_matcher(hook.matcher, hook.dialect, event=hook.event)
    except ConfigError as bad:
        fix = f"{ABOUT_NAMES}." if FILE_LIKE.search(hook.matcher or "") else bad.fix
        notes.error("bad-matcher", (*outer, "matcher"), bad.what, fix)
    if not hook.condition:
        return
    try:
        compile_condition(hook.condition)
    except ConfigError as bad:
        notes.error("bad-condition", (*inside, "if"), bad.what, bad.fix)


def _foreign(
    event: str,
    kind: str,
    handler: Mapping[str, Any],
    matcher: str | None,
    source: EntrySource,
    notes: Notes,
    pointer: Pointer,
) -> ForeignHook:
    """Return a hook that its host runs, once it has what that type must have."""
    for name in FOREIGN_KINDS[kind]:
        if not isinstance(handler.get(name), str):
            fix = f'Add "{name}": "…".'
            notes.error("missing-key", pointer, f"a hook of type '{kind}' needs '{name}'", fix)
    for name in handler:
        if name not in FOREIGN_KEYS:
            unknown_key(name, FOREIGN_KEYS, (*pointer, name), notes)
    url = handler.get("url")
    if isinstance(url, str) and not url.startswith(("http://", "https://", "$")):
        fix = "Write the full URL: https://…"
        notes.error("bad-url", (*pointer, "url"), f"invalid URL '{url}'", fix, tolerable=True)
    return ForeignHook(
        event=event,
        kind=kind,
        dialect=source.dialect,
        origin=source.origin(pointer),
        matcher=matcher,
        fields=dict(handler),
    )


def _example(dialect: Dialect, event: str = "PreToolUse") -> str:
    if dialect is Dialect.SNAPHOOK:
        return f'[[hooks.{event}]] with a line command = "…" below'
    return f'{{"{event}": [{{"hooks": [{{"type": "command", "command": "…"}}]}}]}}'
