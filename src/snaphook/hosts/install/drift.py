"""Whether a host's settings still call us as we left them, and putting that back.

what we left + what is there now  ->  what is missing  ->  the text with our entries in it again

Pure. Whatever else somebody changed in the file stays.
"""

import re
import tomllib
from collections import Counter
from collections.abc import Iterator
from typing import Any

import msgspec

from snaphook.errors import ConfigError
from snaphook.hosts.placement import HooksFormat, Placement
from snaphook.hosts.table import HOSTS, host_named

from . import jsonc
from .entries import wired_text
from .tables import wired_tables

_OURS = re.compile(
    r"snaphook\S*(?: -m snaphook)?(?: hook)?['\"]? ([a-z][\w-]*) (\w+)$|/hook/([\w-]+)/(\w+)$"
)
_OFF = "disableAllHooks"


def missing(left: str, now: str | None) -> list[str]:
    """Return what of our hooks in *left* is gone or weaker in *now*, in words; nothing if all is there."""
    if now is None:
        return ["the file was deleted"]
    if now == left:
        return []
    before, after = _parsed(left, left), _parsed(now, left)
    if before is None:
        return ["the file was changed"]
    if after is None:
        return ["the file can no longer be read"]
    gone = Counter(_entries(before)) - Counter(_entries(after))
    found = [
        f"the hook for {event} was removed or changed" for event in sorted({e for e, _ in gone})
    ]
    return found + [
        f"'{key}' was set" for key in sorted({*_switched_off(after)} - {*_switched_off(before)})
    ]


def repaired(left: str, now: str | None) -> str | None:
    """Return *now* with our hooks in it as they were in *left*; nothing where that cannot be done."""
    before = _parsed(left, left)
    if before is None or now is None or _parsed(now, left) is None:
        return left
    calls = dict(_calls(before))
    if not calls:
        return None
    text = now
    for name in sorted({host for host, _ in calls}):
        events = {event: line for (host, event), line in calls.items() if host == name}
        placement = _placement(name)
        if placement is None or placement.shape is HooksFormat.FILE:
            return None
        wired = tuple(one for one in placement.wired if one.event in events)
        placement = msgspec.structs.replace(placement, wired=wired)
        command = next(iter(events.values())).split()
        try:
            text = _wired(text, placement, command, name)
        except ConfigError:
            return None
    return _switched_on(text) if text.lstrip().startswith("{") else text


def _wired(text: str, placement: Placement, command: list[str], name: str) -> str:
    if placement.shape is HooksFormat.TABLES:
        return wired_tables(text, placement, command, name)
    return wired_text(text, placement, command, name)


def _placement(name: str) -> Placement | None:
    return host_named(name).PLACEMENT if name in HOSTS else None


def _parsed(text: str, like: str) -> Any:
    """Return the settings in *text*, in the language of *like*: JSON with comments, or TOML.

    Nothing where it is neither.
    """
    is_json = like.lstrip().startswith("{")
    try:
        return jsonc.parse(text).value if is_json else tomllib.loads(text)
    except (ValueError, ConfigError):
        return None


def _entries(settings: Any) -> Iterator[tuple[str, str]]:
    """Yield each of our entries whole, matcher and time limit included, with the event it is for."""
    for group in _groups(settings):
        for line in _lines(group):
            yield (
                line.split()[-1].rpartition("/")[2],
                msgspec.json.encode(group, order="sorted").decode(),
            )


def _groups(node: Any) -> Iterator[Any]:
    """Yield the outermost items of lists that hold a command of ours."""
    if isinstance(node, list):
        for item in node:
            if any(True for _ in _lines(item)):
                yield item
    elif isinstance(node, dict):
        for value in node.values():
            yield from _groups(value)


def _lines(node: Any) -> Iterator[str]:
    """Yield every command line or address of ours beneath *node*."""
    if isinstance(node, str):
        if _OURS.search(node):
            yield node
    elif isinstance(node, dict):
        for value in node.values():
            yield from _lines(value)
    elif isinstance(node, list):
        for value in node:
            yield from _lines(value)


def _calls(settings: Any) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield host and event of each command of ours, and the words before them."""
    for line in _lines(settings):
        found = _OURS.search(line)
        if found is not None and found[1]:
            yield (found[1], found[2]), line[: line.rindex(f" {found[1]} {found[2]}")]


def _switched_off(node: Any, path: str = "") -> Iterator[str]:
    """Yield the settings that keep a host from calling any hook."""
    for key, value in node.items() if isinstance(node, dict) else ():
        place = f"{path}.{key}" if path else key
        about = place.lower()
        if isinstance(value, bool) and "hook" in about:
            off = (
                value if "disable" in about else not value and about.endswith(("hooks", "enabled"))
            )
            if off:
                yield place
        else:
            yield from _switched_off(value, place)


def _switched_on(text: str) -> str:
    root = jsonc.parse(text)
    if root.value.get(_OFF) is True:
        return jsonc.set_member(text, root, _OFF, False)
    return text
