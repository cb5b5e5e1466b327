"""Settings of an agent that switch every hook off, ours with them.

settings files  ->  the one that does, and how

Read only; a file that cannot be read is somebody else's finding.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from snaphook.config.environment import Environment
from snaphook.hosts.install import Scope, jsonc, scopes, settings_file
from snaphook.hosts.placement import Placement

_OFF_WHEN_TRUE = ("disableAllHooks", "hooksDisabled", "disable_all_hooks")
_OFF_WHEN_FALSE = (("hooksConfig", "enabled"), ("tools", "enableHooks"), ("hooks", "enabled"))
_BESIDE = ("settings.json", "settings.local.json", "config.json")
"""Files beside the one that holds our hooks in which agents keep such a switch."""


def switched_off(placement: Placement, around: Environment, root: Path) -> Iterator[str]:
    """Yield each setting here that keeps the agent from running hooks."""
    for scope in scopes(placement):
        path = settings_file(placement, scope, around, root)
        places = {path, *(path.parent / name for name in _BESIDE)}
        if path.parent.name == "hooks":
            places |= {path.parent.parent / name for name in _BESIDE}
        for place in sorted(places):
            for key in _switches(place):
                yield f"{place}: '{key}' switches all hooks off. Remove it."
        if scope is Scope.USER and path.parent == around.home:
            return


def _switches(path: Path) -> Iterator[str]:
    settings = _read(path)
    for key in _OFF_WHEN_TRUE:
        if settings.get(key) is True:
            yield key
    for section, key in _OFF_WHEN_FALSE:
        inner = settings.get(section)
        if isinstance(inner, Mapping) and inner.get(key) is False:
            yield f"{section}.{key}"


def _read(path: Path) -> Mapping[str, Any]:
    if path.suffix != ".json":
        return {}
    try:
        value = jsonc.parse(path.read_text(errors="replace")).value
    except (OSError, ValueError):
        return {}
    return value if isinstance(value, dict) else {}
