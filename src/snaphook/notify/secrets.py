"""Tokens and passwords: from the environment, or from a file that only its owner can read.

variable | file  ->  the secret
"""

import os
from pathlib import Path

from snaphook.config import Environment
from snaphook.stores.outbox.job import GiveUp


def secret(around: Environment, *, env: str, file: str, what: str) -> str:
    """Return the secret, or give up with words about where it was looked for."""
    if file:
        return _from_file(_place(file, around), what)
    if env and (found := around.env.get(env, "").strip()):
        return found
    where = f"${env} is not set" if env else "no variable and no file is named"
    raise GiveUp(f"no {what}: {where}. Set it, or name a file, then retry.")


def optional(around: Environment, *, env: str, file: str, what: str) -> str:
    """Return the secret where one is asked for, else nothing."""
    return secret(around, env=env, file=file, what=what) if env or file else ""


def _place(file: str, around: Environment) -> Path:
    path = around.home / file[2:] if file.startswith("~/") else Path(file)
    return path if path.is_absolute() else around.config_dir / path


def _from_file(path: Path, what: str) -> str:
    try:
        with path.open(encoding="utf-8") as held:
            if os.fstat(held.fileno()).st_mode & 0o077:
                raise GiveUp(f"{path}: others can read this {what}. Run: chmod 600 {path}")
            found = held.read(65536).strip()
    except OSError as error:
        raise GiveUp(f"{path}: the {what} cannot be read: {error.strerror}.") from error
    if not found:
        raise GiveUp(f"{path}: holds no {what}.")
    return found
