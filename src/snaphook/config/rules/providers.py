"""Providers that cannot be found by the name they are given."""

import re

from snaphook.config.problems import Notes
from snaphook.config.settings import ProviderEntry

_IMPORT = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_PLAIN = re.compile(r"[A-Za-z_][\w-]*")


def check_provider(entry: ProviderEntry, notes: Notes) -> None:
    """Note a ``use`` that is neither ``module:attribute`` nor a plain name."""
    if _IMPORT.fullmatch(entry.use) or _PLAIN.fullmatch(entry.use):
        return
    module, _, last = entry.use.replace("/", ".").removesuffix(".py").rpartition(".")
    right = f"{module}:{last}" if module and ":" not in entry.use else "package.module:ClassName"
    notes.error(
        "bad-import-string",
        (*entry.origin.pointer, "use"),
        f"'{entry.use}' is neither module:attribute nor the name of a provider",
        f'Write use = "{right}".',
        tolerable=True,
    )
