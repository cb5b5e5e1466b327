"""Our entries in a host's settings.

Placement + command  ->  what its file should hold        text + that  ->  text

Whatever else is in the file stays as it is, byte for byte. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from snaphook.errors import ConfigError
from snaphook.hosts.http import Address, is_our_url
from snaphook.hosts.placement import HooksFormat, Placement, Wired

from . import jsonc

Path = tuple[str, ...]
"""Keys from the root to the list that holds an event's entries."""


def wired_text(
    text: str | None,
    placement: Placement,
    command: Sequence[str],
    host: str,
    http: Address | None = None,
) -> str:
    """Return the settings in *text* with our entries in them; ``None`` is a file not there yet.

    With *http* the host calls that address instead, for the events where it can.

    Entries of ours that are there already stay where they are if they are as they should be, and
    are written anew if not.
    """
    wanted = list(_wanted(placement, command, host, http))
    text = "{}\n" if text is None or not text.strip() else text
    root = _root(text)
    if sorted(_present(root, placement, host), key=repr) == sorted(wanted, key=repr):
        return text
    text = unwired_text(text, placement, host)
    for key, value in placement.root.items():
        root = _root(text)
        if key not in root.members:
            text = jsonc.set_member(text, root, key, value)
    for path, entry in wanted:
        text = _added(text, path, entry)
    return text


def unwired_text(text: str, placement: Placement, host: str) -> str:
    """Return *text* without our entries, nor the lists that held nothing else."""
    while (found := _first_of_ours(_root(text), placement, host)) is not None:
        path, index, handler = found
        text = _removed(text, path, index, handler)
    return text


def commands_of(text: str, placement: Placement, host: str) -> Iterator[tuple[str, str]]:
    """Yield each event that *text* wires us to, and the command line it has."""
    for _, array in _lists(_root(text), placement):
        for item in array.items:
            for command in _commands(item.value, placement):
                if is_ours(command, host):
                    line = str(command)
                    yield re.split("[ /]", line)[-1], line


def is_ours(command: object, host: str) -> bool:
    """Say whether *command* is our hook for *host*, wherever our program lives or listens."""
    if is_our_url(command, host):
        return True
    if not isinstance(command, str) or "snaphook" not in command:
        return False
    return re.search(rf"[ -]hook['\"]? {re.escape(host)} ", f"{command} ") is not None


def handler(
    placement: Placement,
    wired: Wired,
    command: Sequence[str],
    host: str,
    http: Address | None = None,
) -> dict[str, Any]:
    """Return the innermost entry: the command, or the address, and what goes with it."""
    entry: dict[str, Any] = {"type": "command"} if placement.typed else {}
    if http is not None and wired.event not in placement.not_http:
        url = http.url(host, wired.event)
        entry = {"type": "http", "url": url, "headers": http.headers}
    else:
        entry[placement.command_key] = " ".join([*command, host, wired.event])
    if placement.timeout_key is not None:
        entry[placement.timeout_key] = wired.timeout * placement.timeout_factor
    return entry | dict(wired.extra)


def _wanted(
    placement: Placement, command: Sequence[str], host: str, http: Address | None
) -> Iterator[tuple[Path, dict[str, Any]]]:
    for wired in placement.wired:
        inner = handler(placement, wired, command, host, http)
        matcher = {} if wired.matcher is None else {"matcher": wired.matcher}
        match placement.shape:
            case HooksFormat.NESTED:
                yield ("hooks", wired.event), {**matcher, "hooks": [inner]}
            case HooksFormat.EVENTS:
                yield (wired.event,), {**matcher, "hooks": [inner]}
            case HooksFormat.NAMED if wired.matcher is not None:
                yield ("snaphook", wired.event), {**matcher, "hooks": [inner]}
            case HooksFormat.NAMED:
                yield ("snaphook", wired.event), inner
            case HooksFormat.LIST:
                yield ("hooks",), _named(placement, wired, inner) | matcher
            case _:
                yield ("hooks", wired.event), {**inner, **matcher}


def _named(placement: Placement, wired: Wired, inner: dict[str, Any]) -> dict[str, Any]:
    """Return the entry of a host whose hooks are a list, each with a name and an action."""
    timeout = inner.pop("timeout", wired.timeout)
    return {
        "name": f"snaphook {wired.event}",
        placement.event_key: wired.event,
        "action": inner,
        "timeout": timeout,
        "enabled": True,
    }


def _present(
    root: jsonc.JsonNode, placement: Placement, host: str
) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path, array in _lists(root, placement):
        for item in array.items:
            if any(is_ours(inner, host) for inner in _commands(item.value, placement)):
                yield path, item.value


def _first_of_ours(
    root: jsonc.JsonNode, placement: Placement, host: str
) -> tuple[Path, int, int | None] | None:
    """Return the list, the place in it, and the place in a group that also holds others' hooks."""
    for path, array in _lists(root, placement):
        for index, item in enumerate(array.items):
            ours = [is_ours(inner, host) for inner in _commands(item.value, placement)]
            if any(ours):
                return path, index, None if all(ours) else ours.index(True)
    return None


def _commands(entry: Any, placement: Placement) -> list[object]:
    """Return the commands of an entry: its own, or those of the handlers in a group."""
    if not isinstance(entry, dict):
        return []
    inner = entry.get("hooks")
    if isinstance(inner, list):
        return [_called(h, placement) if isinstance(h, dict) else None for h in inner]
    action = entry.get("action")
    if isinstance(action, dict):
        return [action.get(placement.command_key)]
    return [entry.get(placement.command_key)]


def _called(handler: dict[str, Any], placement: Placement) -> object:
    """Return the command that *handler* runs, or the address that it calls."""
    return handler.get("url" if handler.get("type") == "http" else placement.command_key)


def _lists(root: jsonc.JsonNode, placement: Placement) -> Iterator[tuple[Path, jsonc.JsonNode]]:
    if placement.shape is HooksFormat.EVENTS:
        for event, member in root.members.items():
            if member.node.is_array:
                yield (event,), member.node
        # We once wrote below "hooks", where this host looks for nothing: those must go as well.
    top = "snaphook" if placement.shape is HooksFormat.NAMED else "hooks"
    hooks = root.members.get(top)
    if hooks is None:
        return
    if placement.shape is HooksFormat.LIST:
        if hooks.node.is_array:
            yield (top,), hooks.node
        return
    for event, member in hooks.node.members.items():
        if member.node.is_array:
            yield (top, event), member.node


def _added(text: str, path: Path, entry: dict[str, Any]) -> str:
    """Return *text* with *entry* at the end of the list at *path*, made if it is not there."""
    node = _root(text)
    for depth, key in enumerate(path):
        member = node.members.get(key)
        if member is None:
            new: Any = [entry]
            for outer in reversed(path[depth + 1 :]):
                new = {outer: new}
            return jsonc.set_member(text, node, key, new)
        node = member.node
        fits = node.is_array if depth == len(path) - 1 else node.is_object
        if not fits:
            raise ConfigError(
                where=".".join(path[: depth + 1]),
                what=f"is {node.value!r:.40}; expected hooks",
                fix="Fix it by hand; nothing was changed.",
            )
    return jsonc.append_item(text, node, entry)


def _removed(text: str, path: Path, index: int, handler: int | None) -> str:
    """Return *text* without one entry, and without what is empty for the lack of it."""
    chain = [_root(text)]
    for key in path:
        chain.append(chain[-1].members[key].node)
    if handler is not None:
        group = chain[-1].items[index]
        return jsonc.remove_part(text, group.members["hooks"].node, handler)
    if len(chain[-1].items) > 1:
        return jsonc.remove_part(text, chain[-1], index)
    for depth in range(len(path) - 1, -1, -1):
        parent = chain[depth]
        if depth == 0 or len(parent.members) > 1:
            return jsonc.remove_part(text, parent, parent.members[path[depth]].index)
    return text


def _root(text: str) -> jsonc.JsonNode:
    try:
        root = jsonc.parse(text)
    except ValueError as problem:
        raise ConfigError(
            where="settings", what=f"not JSON: {problem}", fix="Fix it; nothing was changed."
        ) from None
    if not root.is_object:
        raise ConfigError(
            where="settings",
            what=f"holds {root.value!r:.40} where an object is expected",
            fix="Fix it by hand; nothing was changed.",
        )
    return root
