"""The first settings file of a project, written by ``snaphook init`` where there is none."""

from pathlib import Path

from snaphook.config import Environment
from snaphook.config.approval import KeptApproval
from snaphook.config.settings_files import NATIVE
from snaphook.config.starter import STARTER
from snaphook.config.write import write_settings


def write_starter(around: Environment, root: Path) -> Path | None:
    """Write a commented snaphook.toml into *root* and return it; nothing where one is, or at home.

    It holds no command, so it is approved as it is: the user's own first hook then only needs
    'snaphook trust' or 'snaphook recipes add'.
    """
    path = root / NATIVE
    if path.exists() or root == around.home:
        return None
    kept = KeptApproval(around, root, path)
    write_settings(path, STARTER)
    kept.renew()
    return path
