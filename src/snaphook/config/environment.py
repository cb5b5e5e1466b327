"""Where we stand: the folder, the home, the environment; handed in, so that tests need no trick.

os  ->  Environment
"""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct


class Environment(Struct, frozen=True, kw_only=True):
    """Everything outside the settings files that decides which of them count."""

    cwd: Path
    home: Path
    env: Mapping[str, str]
    managed: Path
    """The folder where an administrator keeps settings for every user."""
    tenant: str = ""
    """In whose name we stand here; a tenant's state is kept apart from everybody else's."""

    @classmethod
    def here(cls, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> "Environment":
        """Return the environment of this process, seen from *cwd*."""
        env = os.environ if env is None else env
        mac = sys.platform == "darwin"
        return cls(
            cwd=cwd.absolute() if cwd else _cwd(env),
            home=Path(env.get("HOME") or "~").expanduser(),
            env=env,
            managed=Path("/Library/Application Support") if mac else Path("/etc"),
        )

    @property
    def config_dir(self) -> Path:
        """Return the folder of the user's own settings."""
        return self._base("XDG_CONFIG_HOME", ".config") / "snaphook"

    @property
    def data_dir(self) -> Path:
        """Return the folder of what must last; each tenant has one of its own."""
        return self.shared_dir / "tenants" / self.tenant if self.tenant else self.shared_dir

    @property
    def shared_dir(self) -> Path:
        """Return the folder of what lasts and belongs to no tenant: the approvals."""
        return self._base("XDG_DATA_HOME", ".local/share") / "snaphook"

    @property
    def cache_dir(self) -> Path:
        """Return the folder of what can be worked out again."""
        return self._base("XDG_CACHE_HOME", ".cache") / "snaphook"

    def _base(self, variable: str, default: str) -> Path:
        """Return the XDG folder; the specification says that a relative path is ignored."""
        chosen = Path(self.env.get(variable) or "")
        return chosen if chosen.is_absolute() else self.home / default


def _cwd(env: Mapping[str, str]) -> Path:
    """Return the working folder; where it was deleted under us, what the shell calls it."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return Path(env.get("PWD") or "/")
