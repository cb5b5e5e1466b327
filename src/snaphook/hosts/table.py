"""The hosts we know.

name  ->  Host

A host is imported when it is asked for: on the hook path each import is paid on every tool call.
"""

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, cast

from snaphook.errors import UsageError

from .host import Host

if TYPE_CHECKING:  # mypy holds every module against the protocol
    from . import (
        antigravity,
        claude_code,
        cline,
        codex,
        copilot_cli,
        crush,
        cursor,
        droid,
        gemini_cli,
        generic,
        goose,
        grok,
        kimi,
        kiro,
        opencode,
        qwen_code,
        vscode,
        wave,
        windsurf,
    )

    _CHECKED: tuple[Host, ...] = (
        claude_code,
        codex,
        gemini_cli,
        cursor,
        copilot_cli,
        vscode,
        opencode,
        qwen_code,
        grok,
        wave,
        droid,
        windsurf,
        cline,
        kiro,
        goose,
        kimi,
        crush,
        antigravity,
        generic,
    )

HOSTS: Mapping[str, str] = {
    "claude-code": "claude_code",
    "codex": "codex",
    "gemini-cli": "gemini_cli",
    "cursor": "cursor",
    "copilot-cli": "copilot_cli",
    "vscode": "vscode",
    "opencode": "opencode",
    "qwen-code": "qwen_code",
    "grok": "grok",
    "wave": "wave",
    "droid": "droid",
    "windsurf": "windsurf",
    "cline": "cline",
    "kiro": "kiro",
    "goose": "goose",
    "kimi": "kimi",
    "crush": "crush",
    "antigravity": "antigravity",
    "generic": "generic",
}
"""Name on the command line to module."""

WITHOUT_SETTINGS = ("cline", "generic")
"""Hosts that ``init`` has nothing to write for."""


def host_named(name: str) -> Host:
    """Return the host called *name*."""
    module = HOSTS.get(name)
    if module is None:
        from difflib import get_close_matches  # only a wrong name needs it

        near = get_close_matches(name, HOSTS, n=1)
        hint = f"Did you mean '{near[0]}'? " if near else ""
        raise UsageError(
            where="snaphook hook",
            what=f"no host is called '{name}'",
            fix=f"{hint}Known: {', '.join(HOSTS)}.",
        )
    return cast("Host", import_module(f"snaphook.hosts.{module}"))
