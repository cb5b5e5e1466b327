"""Our hooks in a folder of programs, each named after its event.

Placement + command  ->  file by file, a shell script

The folder may hold other people's hooks beside ours: a host runs every file that bears an event's name,
whatever its ending, so ours ends in ``.sh`` and nobody's has to make way. Pure.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from snaphook.canon import PreToolUse
from snaphook.errors import ConfigError
from snaphook.hosts.host import Host
from snaphook.hosts.placement import Placement

OURS = "# Written by 'snaphook init', removed by 'snaphook uninstall'."


def script_paths(placement: Placement, folder: Path) -> Mapping[str, Path]:
    """Return where the hook of each event is."""
    return {wired.event: folder / f"{wired.event}.sh" for wired in placement.wired}


def script(host: Host, event: str, command: Sequence[str]) -> str:
    """Return the hook of *event*: our program, and before a tool runs a refusal if it fails.

    The host ignores exit codes and takes silence for a yes, so the script turns either into a no.
    """
    called = " ".join([*command, host.NAME, event])
    refusal = host.PLACEMENT.silence_refuses if host.PLACEMENT else ""
    if host.CAN[event].event is not PreToolUse or not refusal:
        return f"#!/bin/sh\n{OURS}\nexec {called}\n"
    return (
        f"#!/bin/sh\n{OURS}\n"
        "# The host ignores exit codes and takes silence for a yes: here both are a no.\n"
        f'answer=$({called}) && [ -n "$answer" ] || answer={_quoted(refusal)}\n'
        "printf '%s\\n' \"$answer\"\n"
    )


def _quoted(text: str) -> str:
    json.loads(text)  # what a host is told must be JSON; an apostrophe would end the quotes
    return "'" + text.replace("'", "'\\''") + "'"


def is_our_script(text: str) -> bool:
    """Say whether *text* is a hook that we wrote."""
    return OURS in text


def check_free(path: Path, before: str | None) -> None:
    """Complain where somebody else's hook stands in our place."""
    if before is not None and not is_our_script(before):
        raise ConfigError(
            where=str(path),
            what="is a hook that Snaphook did not write",
            fix=f"Rename it to '{path.stem}', which the agent runs as well, then try again; "
            "nothing was changed.",
        )
