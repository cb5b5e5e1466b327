"""The helper program, and what this machine can enforce.

machine  ->  Ability

The helper lies beside our Python, where the package put both. It is called by its full path: a
command may have changed PATH.
"""

import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

NAME = "snaphook-sandbox"
SEATBELT = Path("/usr/bin/sandbox-exec")


class Ability(Struct, frozen=True, kw_only=True):
    """What this machine can enforce."""

    helper: str = ""
    """The helper's path; empty where it is not installed."""
    landlock: int = 0
    """The kernel's Landlock ABI; 0 where there is none."""
    namespaces: bool = False
    """Mount namespaces: single files are protected, secrets covered, permissions kept."""
    network_namespace: bool = False
    overlay: bool = False
    """Trial runs."""
    seccomp: bool = False
    watcher: bool = False
    """Refusals are reported even if the command hides them, and protected names are kept free."""
    seatbelt: bool = False

    @property
    def confines(self) -> bool:
        """Whether commands can be confined at all."""
        return bool(self.helper) and (self.landlock > 0 or self.namespaces or self.seatbelt)

    @property
    def gaps(self) -> tuple[str, ...]:
        """What of a policy this machine cannot enforce, in sentences."""
        return tuple(_gaps(self))


def ability() -> Ability:
    """Return what this machine can enforce; asked once in a process."""
    return _ability(str(helper_path() or ""))


@cache
def _ability(helper: str) -> Ability:
    if not helper:
        return Ability(seatbelt=_seatbelt())
    import subprocess

    try:
        done = subprocess.run([helper, "--status"], capture_output=True, check=True, timeout=10)
        told: dict[str, Any] = msgspec.json.decode(done.stdout)
    except (OSError, subprocess.SubprocessError, msgspec.DecodeError):
        return Ability()
    return msgspec.convert({**told, "helper": helper, "seatbelt": _seatbelt()}, Ability)


def helper_path() -> Path | None:
    """Return the helper of this installation, where it is there and can run."""
    beside = Path(sys.executable).with_name(NAME)
    return beside if os.access(beside, os.X_OK) else None


def _seatbelt() -> bool:
    return sys.platform == "darwin" and SEATBELT.exists()


_NO_WINDOWS = "Windows has no sandbox that Snaphook can use: commands are not confined."
_NO_HELPER = (
    "The helper 'snaphook-sandbox' is not installed: commands are not confined. "
    "Install a wheel, or a C compiler and reinstall."
)
_NOTHING = "Neither Landlock nor user namespaces are available: commands are not confined."
_NO_NAMESPACES = (
    "No user namespaces: protected files inside the project (.git/hooks, agent settings), permissions "
    "and times of files outside can be changed, and sockets with a path (docker, ssh-agent) reached."
)
_OLD_LANDLOCK = "Landlock before ABI 6: signals and abstract sockets reach processes outside."

_NO_WATCHER = (
    "No notifications from seccomp (Linux 5.19): refusals that a command does not print are not "
    "reported, and protected names that it creates are removed after the call instead of refused."
)


_OF_MACOS = (
    "No trial runs.",
    'network = "allowlist" lets nothing through.',
    "Refusals are found in what a command prints; a command that hides them is not reported.",
)


def _gaps_of_macos(able: Ability) -> list[str]:
    if not able.helper:
        return [_NO_HELPER]
    return list(_OF_MACOS) if able.seatbelt else ["No sandbox-exec: commands are not confined."]


def _gaps(able: Ability) -> list[str]:
    if sys.platform == "win32":
        return [_NO_WINDOWS]
    if sys.platform == "darwin":
        return _gaps_of_macos(able)
    if not able.helper or not able.confines:
        return [_NOTHING if able.helper else _NO_HELPER]
    missing = (
        (not able.namespaces, _NO_NAMESPACES),
        (not able.overlay, "No overlayfs in user namespaces: no trial runs."),
        (not able.landlock, "No Landlock: confinement rests on namespaces and seccomp alone."),
        (0 < able.landlock < 6 and not able.namespaces, _OLD_LANDLOCK),
        (not able.watcher, _NO_WATCHER),
        (not able.seccomp, "No seccomp: io_uring and terminal input (TIOCSTI) are not blocked."),
    )
    return [gap for absent, gap in missing if absent]
