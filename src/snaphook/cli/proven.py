"""For which versions of the agents ``doctor --live`` has held on this machine.

HostStatus  ->  one small JSON file in the user's data folder
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from snaphook.config.environment import Environment
from snaphook.config.write import write_atomically
from snaphook.hosts.checkup import HostStatus


def proven_here(around: Environment) -> Mapping[str, str]:
    """Return host to version; something unreadable counts as nothing."""
    try:
        return msgspec.json.decode(_file(around).read_bytes(), type=dict[str, str])
    except (OSError, ValueError):
        return {}


def remember_proven(around: Environment, statuses: Iterable[HostStatus]) -> None:
    """Remember the versions for which every promise held."""
    new = {status.host: status.version for status in statuses if status.version}
    if not new:
        return
    _file(around).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_atomically(_file(around), msgspec.json.encode({**proven_here(around), **new}), mode=0o600)


def _file(around: Environment) -> Path:
    return around.shared_dir / "verified.json"
