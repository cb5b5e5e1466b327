"""Which agents are on this machine, and which files would run our hook twice.

Environment  ->  DetectedHost
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.config.environment import Environment
from snaphook.hosts.table import HOSTS, host_named, plugin_hosts

from .change import Scope

ALSO_RUNS: Mapping[Scope, Mapping[str, tuple[str, ...]]] = {
    Scope.USER: {
        "vscode": ("claude-code", "copilot-cli"),
        "cursor": ("claude-code",),
        "grok": ("claude-code", "cursor"),
    },
    Scope.PROJECT: {
        "copilot-cli": ("claude-code",),
        "vscode": ("claude-code", "copilot-cli"),
        "cursor": ("claude-code",),
        "grok": ("claude-code", "cursor"),
    },
}
"""Hosts that execute the settings of others beside their own, and so would call us twice."""


class DetectedHost(Struct, frozen=True, kw_only=True):
    """A host, and the signs of it here."""

    host: str
    program: str | None
    folder: str | None


def covered_by(host: str, scope: Scope, wired: Iterable[str]) -> str | None:
    """Return which of the hosts already *wired* makes *host* call us too, if one does."""
    runs = ALSO_RUNS[scope].get(host, ())
    return next((other for other in wired if other in runs), None)


def detect(around: Environment, root: Path) -> Iterator[DetectedHost]:
    """Yield the hosts that are installed or were used here."""
    for name in (*HOSTS, *plugin_hosts()):
        placement = host_named(name).PLACEMENT
        if placement is None:
            continue
        program = shutil.which(placement.program, path=around.env.get("PATH"))
        folders = [around.home / sign for sign in placement.signs]
        if placement.project is not None:
            inside = Path(placement.project)
            folders.append(root / (inside if inside.parent == Path() else inside.parent))
        folder = next((str(place) for place in folders if place.exists()), None)
        if program or folder:
            yield DetectedHost(host=name, program=program, folder=folder)
