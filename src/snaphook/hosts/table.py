"""The hosts we know.

name  ->  Host

A host is imported when it is asked for: on the hook path each import is paid on every tool call.
"""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, cast

from snaphook.errors import UsageError

if TYPE_CHECKING:
    from .host import Host

GROUP = "snaphook.hosts"
"""The entry points by which an installed package brings hosts of its own: name to module."""

HOSTS: Mapping[str, str] = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini-cli": "gemini_cli",
    "cursor": "cursor",
    "copilot-cli": "copilot_cli",
    "vscode": "vscode",
    "opencode": "opencode",
    "kilo": "kilo",
    "qwen-code": "qwen_code",
    "grok": "grok",
    "wave": "wave",
    "droid": "droid",
    "windsurf": "windsurf",
    "cline": "cline",
    "kiro": "kiro",
    "goose": "goose",
    "kimi": "kimi",
    "auggie": "auggie",
    "crush": "crush",
    "antigravity": "antigravity",
    "generic": "generic",
}
"""Name on the command line to module."""

WITHOUT_SETTINGS = ("generic",)
"""Hosts that ``init`` has nothing to write for."""


def host_named(name: str) -> "Host":
    """Return the host called *name*: one of ours, or one that an installed package brings."""
    module = HOSTS.get(name)
    if module is not None:
        return cast("Host", import_module(f"snaphook.hosts.{module}"))
    plugins = plugin_hosts()
    if name in plugins:
        return cast("Host", import_module(plugins[name]))
    from difflib import get_close_matches  # only a wrong name needs it

    known = (*HOSTS, *plugins)
    near = get_close_matches(name, known, n=1)
    hint = f"Did you mean '{near[0]}'? " if near else ""
    raise UsageError(
        where="snaphook hook",
        what=f"unknown host '{name}'",
        fix=f"{hint}Known: {', '.join(known)}.",
    )


@cache
def plugin_hosts() -> Mapping[str, str]:
    """Return the hosts of installed packages, name to module; none of them replaces one of ours.

    Looking through every installed package takes tens of milliseconds, so hooks of our own hosts never
    come here.
    """
    from importlib.metadata import entry_points

    return {one.name: one.value for one in entry_points(group=GROUP) if one.name not in HOSTS}
