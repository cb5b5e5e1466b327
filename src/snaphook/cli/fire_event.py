"""The event that ``snaphook fire`` is about.

words on the command line  |  JSON as a hook reads it, or as our schema has it  ->  Event
"""

import json
from time import time
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.canon import BY_NAME, HOST_EVENTS, AnyEvent, Event, HostEvent
from snaphook.config import Dialect, Environment, Settings
from snaphook.errors import UsageError, WireError

EXAMPLES: dict[str, Any] = {
    "prompt": "",
    "tool_name": "Bash",
    "tool_args": {},
    "error": "something failed",
    "agent_name": "helper",
    "message": "something happened",
}
"""What a field that must be there holds when nobody says."""

_HOSTS = {Dialect.CLAUDE: "claude-code", Dialect.WAVE: "wave"}
_OBJECT = """Write '{"command": "ls"}'."""


class FireOptions(Struct, frozen=True, kw_only=True):
    """Where and in which session it happens."""

    session: str
    around: Environment
    settings: Settings


def given(
    *,
    tool: str | None,
    tool_args: str | None,
    result: str | None,
    prompt: str | None,
    fields: tuple[str, ...],
) -> dict[str, Any]:
    """Return the fields that the command line gives, by their canonical names."""
    words: dict[str, Any] = {}
    if tool is not None:
        words["tool_name"] = tool
    if prompt is not None:
        words["prompt"] = prompt
    if tool_args is not None:
        words["tool_args"] = _object(tool_args, "--input", _OBJECT)
    if result is not None:
        words["tool_result"] = _value(result)
    return words | dict(_field(word) for word in fields)


def made(name: str | None, words: dict[str, Any], scene: FireOptions) -> Event:
    """Return the event *name* with the fields in *words*, and examples for those it must have."""
    if name is None:
        raise _usage("no event given", "'snaphook events' lists all.")
    _check_name(name)
    context = {
        "session_id": scene.session,
        "cwd": str(scene.around.cwd),
        "team_root": scene.settings.root,
        "timestamp": time(),
    }
    if name in HOST_EVENTS:
        return msgspec.convert({"context": context, "kind": name, "payload": words}, HostEvent)
    kind = BY_NAME[name].event
    if strange := [field for field in words if field not in kind.__struct_fields__]:
        raise _usage(
            f"{name} has no field '{strange[0]}'", f"'snaphook events {name}' lists its fields."
        )
    needed = {name: EXAMPLES[name] for name in kind.__struct_fields__ if name in EXAMPLES}
    try:
        return msgspec.convert({"context": context, **needed, **words}, kind)
    except msgspec.ValidationError as error:
        raise _usage(f"{name}: {error}", f"'snaphook events {name}' lists its fields.") from error


def told(wire: bytes, name: str | None, dialect: str, scene: FireOptions) -> Event:
    """Return the event in *wire*: what a hook of *dialect* reads, or an event of our schema.

    *name* is needed only where the JSON does not say which event it is.
    """
    fields = _object(
        wire, "stdin", "Use the JSON that hooks receive on stdin (see schemas/events.schema.json)."
    )
    called = fields.get("event") or fields.get("hook_event_name") or name
    if not isinstance(called, str):
        raise _usage(
            "the JSON on stdin does not name its event", "Name it: snaphook fire EVENT --stdin."
        )
    _check_name(called)
    if name not in (None, called):
        raise _usage(f"the JSON on stdin is a {called} event, not {name}", "Remove one of them.")
    try:
        return _canonical(wire) if "event" in fields else _hooked(wire, called, dialect, scene)
    except (WireError, msgspec.MsgspecError) as error:
        what = getattr(error, "what", str(error))
        raise _usage(f"stdin: {what}", f"'snaphook events {called}' lists its fields.") from error


def _canonical(wire: bytes) -> Event:
    event: Event = msgspec.json.decode(wire, type=AnyEvent)
    return event


def _hooked(wire: bytes, name: str, dialect: str, scene: FireOptions) -> Event:
    """Return the event that a hook would read as *wire*, in the project that was found."""
    from snaphook.hosts import HostCall, generic, host_named
    from snaphook.hosts.payload import Payload
    from snaphook.hosts.reading import read

    call = HostCall(event=name, env=scene.around.env, cwd=str(scene.around.cwd), now=time())
    if dialect in _HOSTS:
        event = host_named(_HOSTS[Dialect(dialect)]).decode(wire, call)
    else:
        payload = Payload.read(wire, str(Dialect.SNAPHOOK))
        event = read(payload, call, can=generic.CAN, tools=generic.TOOLS)
    return replace(event, context=replace(event.context, team_root=scene.settings.root))


def _check_name(name: str) -> None:
    if name in BY_NAME or name in HOST_EVENTS:
        return
    import difflib

    near = difflib.get_close_matches(name, [*BY_NAME, *HOST_EVENTS], n=1)
    hint = f"Did you mean '{near[0]}'?" if near else "'snaphook events' lists all."
    raise _usage(f"unknown event '{name}'", hint)


def _field(word: str) -> tuple[str, Any]:
    name, equals, value = word.partition("=")
    if not equals:
        raise _usage(f"--set {word!r} has no '='", "Write --set FIELD=VALUE.")
    return name, _value(value)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _object(text: str | bytes, source: str, fix: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise _usage(f"{source} is not JSON: {error}", fix) from error
    if not isinstance(value, dict):
        raise _usage(f"{source} is not an object", fix)
    return value


def _usage(what: str, fix: str) -> UsageError:
    return UsageError(where="snaphook fire", what=what, fix=fix)
