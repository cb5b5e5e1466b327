"""Providers that cannot be found by the name they are given."""

import re
from collections.abc import Collection
from importlib.util import find_spec

from snaphook.config.plugins import folders_beside
from snaphook.config.problems import Notes, Pointer
from snaphook.config.settings import ProviderEntry
from snaphook.config.take import did_you_mean

_IMPORT = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*:[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
_PLAIN = re.compile(r"[A-Za-z_][\w-]*")


def check_provider(entry: ProviderEntry, known: Collection[str] | None, notes: Notes) -> None:
    """Note a ``use`` that leads nowhere; nothing is imported to find out.

    *known* are the names that may stand there, where the caller can tell.
    """
    if _IMPORT.fullmatch(entry.use):
        _check_module(entry, notes)
    elif not _PLAIN.fullmatch(entry.use):
        _not_a_name(entry, notes)
    elif known is not None and entry.use not in known:
        near = did_you_mean(entry.use, known)
        fix = near or f'Install it, or give use = "module:ClassName"; {", ".join(known)} are here.'
        note = notes.error if near else notes.warning
        note("unknown-provider", _at(entry), f"unknown provider '{entry.use}'", fix)


def _check_module(entry: ProviderEntry, notes: Notes) -> None:
    package = entry.use.partition(":")[0].partition(".")[0]
    if not any(folders_beside(entry.origin.file, package)) and find_spec(package) is None:
        fix = f"Install it, or put {package}.py beside the settings."
        notes.warning("unknown-provider", _at(entry), f"no module '{package}'", fix)


def _not_a_name(entry: ProviderEntry, notes: Notes) -> None:
    module, _, last = entry.use.replace("/", ".").removesuffix(".py").rpartition(".")
    right = f"{module}:{last}" if module and ":" not in entry.use else "package.module:ClassName"
    what = f"'{entry.use}' is neither module:attribute nor a provider name"
    notes.error("bad-import-string", _at(entry), what, f'Write use = "{right}".', tolerable=True)


def _at(entry: ProviderEntry) -> Pointer:
    return (*entry.origin.pointer, "use")
