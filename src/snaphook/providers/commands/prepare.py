"""Make a hook ready to run: its words, its directory, its environment, what it reads.

PlannedHook + Event + environ  ->  Command
"""

import os
from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from snaphook.canon import Event
from snaphook.process import Command

from .environment import ENV_FILE, environment, filled_in, project_of
from .payload import payload
from .plan import PlannedHook

SHELL = "/bin/bash" if os.access("/bin/bash", os.X_OK) else "/bin/sh"
"""Hooks are written for bash as often as not; any other shell will do for the rest."""


def prepare(
    planned: PlannedHook, event: Event, *, environ: Mapping[str, str], env_file: Path | None = None
) -> Command:
    """Return the command that runs *planned* for *event*."""
    hook, rules = planned.hook, planned.rules
    if hook.root and rules.at_project:
        # An approval covers the scripts of this folder, so they are what runs: an agent that works in
        # a subfolder could put another script of the same name there.
        event = replace(event, context=replace(event.context, team_root=hook.root))
    variables = environment(event, hook, environ)
    if env_file:
        variables[ENV_FILE] = str(env_file)
    if hook.args is None:
        words: tuple[str, ...] = (SHELL, "-c", hook.command)
    else:
        words = filled_in((hook.command, *hook.args), variables)
    here = project_of(event) if rules.at_project else event.context.cwd or project_of(event)
    return Command(
        line=words,
        cwd=here or None,
        env=variables,
        stdin=payload(event, hook.dialect),
        timeout=rules.timeout_of(hook.event, hook.timeout),
    )
