"""``snaphook hooks``: what is configured, from where, and whether it may run."""

from collections.abc import Iterator
from typing import Any

import click

from snaphook.config import CommandHook, Origin, ProviderEntry, Settings
from snaphook.config.lines import LineLookup
from snaphook.config.problems import spelled
from snaphook.wiring.assembly import read_settings

from .here import environment, short
from .output import say, say_json


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(as_json: bool) -> None:
    """List every configured hook and provider in the order in which they run.

    Hooks that are not approved yet are shown too; they do not run.
    """
    settings = read_settings(environment())
    if as_json:
        say_json(_document(settings), indent=2)
    else:
        _tell(settings)


def _document(settings: Settings) -> dict[str, Any]:
    lines = LineLookup()
    entries = [*settings.providers, *_waiting(settings, ProviderEntry)]
    return {
        "root": settings.root,
        "files": list(settings.files),
        "hooks": [_hook(hook, lines) for hook in _all_hooks(settings)],
        "foreign": [
            {"event": h.event, "type": h.kind, "matcher": h.matcher, **_origin(h.origin, lines)}
            for h in settings.foreign
        ],
        "providers": [
            {"name": e.name, "use": e.use, "enabled": e.enabled, **_origin(e.origin, lines)}
            for e in entries
            if isinstance(e, ProviderEntry)
        ],
        "refused": [_origin(origin, lines) for origin in settings.refused],
    }


def _tell(settings: Settings) -> None:
    lines = LineLookup()
    event = ""
    for hook in _all_hooks(settings):
        if hook.event != event:
            event = hook.event
            say(event, style="cyan")
        matcher = f"[{hook.matcher}] " if hook.matcher else ""
        first, *more = hook.command.strip().splitlines()
        shown = f"{first} …" if more else first
        say(f"  {matcher}{hook.name or shown}", style=None if hook.origin.trusted else "yellow")
        waits = "" if hook.origin.trusted else "   not approved: run 'snaphook trust'"
        say(f"      {hook.dialect}, {_place(lines.of(hook.origin))}{waits}")
    for other in settings.foreign:
        say(f"{other.event}: a hook of type '{other.kind}', run by the host itself")
    _tell_providers(settings, lines)
    for origin in settings.refused:
        say(
            f"{_place(lines.of(origin))}: ignored: a project may not relax these settings",
            style="yellow",
        )
    if not (settings.hooks or settings.withheld or settings.foreign or settings.providers):
        say(
            "No hooks configured. 'snaphook init' creates a settings file; 'snaphook recipes "
            "list' shows ready-made hooks."
        )


def _tell_providers(settings: Settings, lines: LineLookup) -> None:
    waiting = [entry for entry in settings.withheld if isinstance(entry, ProviderEntry)]
    for entry in (*settings.providers, *waiting):
        state = "" if entry.enabled else "   switched off"
        state = state if entry.origin.trusted else "   not approved: run 'snaphook trust'"
        place = _place(lines.of(entry.origin))
        say(f"provider {entry.name}: {entry.use}")
        say(f"      {place}{state}")


def _all_hooks(settings: Settings) -> list[CommandHook]:
    """Return the hooks by event, those that wait after those that run."""
    hooks = [*settings.hooks, *(h for h in settings.withheld if isinstance(h, CommandHook))]
    order = {event: at for at, event in enumerate(dict.fromkeys(hook.event for hook in hooks))}
    return sorted(hooks, key=lambda hook: order[hook.event])


def _waiting(settings: Settings, kind: type) -> Iterator[object]:
    return (entry for entry in settings.withheld if isinstance(entry, kind))


def _hook(hook: CommandHook, lines: LineLookup) -> dict[str, Any]:
    return {
        "event": hook.event,
        "matcher": hook.matcher,
        "if": hook.condition,
        "name": hook.name,
        "command": hook.command,
        "args": None if hook.args is None else list(hook.args),
        "timeout": hook.timeout,
        "async": hook.background,
        "stance": hook.stance,
        "dialect": hook.dialect,
        **_origin(hook.origin, lines),
    }


def _origin(origin: Origin, lines: LineLookup) -> dict[str, Any]:
    found = lines.of(origin)
    return {
        "layer": found.layer,
        "file": found.file,
        "line": found.line,
        "pointer": spelled(found.pointer),
        "trusted": found.trusted,
    }


def _place(origin: Origin) -> str:
    return f"{origin.layer} {short(str(origin))}" if origin.file else str(origin.layer)
