"""What one call leaves behind that later calls of the session are judged by.

Evaluator, effects  ->  SessionTraces: files downloaded, downloads read, copies of secrets

Noted before the call runs, so that hosts without a hook for results are covered as well: a download that
never came is asked about once too often, which costs less than one that nobody knew of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from snaphook.providers.guard.memory import SessionMemory
from snaphook.providers.guard.rules.allowed_hosts import all_allowed
from snaphook.providers.guard.secrets import secret
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.evaluation.secret_flow import is_blind
from snaphook.shell.facts import Act, Effect
from snaphook.shell.text import FETCHED, SECRET, is_known

_LOOKS = (Act.READ, Act.WRITE, Act.OVERWRITE)


class SessionTraces(Struct, frozen=True, kw_only=True):
    """Files that are more than their names tell."""

    downloads: tuple[str, ...] = ()
    seen: tuple[str, ...] = ()
    secrets: tuple[str, ...] = ()


def traces_of(
    effects: Iterable[Effect],
    files: Mapping[str, str],
    unpacked: Iterable[str],
    memory: SessionMemory,
    settings: GuardSettings,
) -> SessionTraces | None:
    """Return what is worth noting, or nothing."""
    effects = tuple(effects)
    downloads = [path for path, text in files.items() if FETCHED in text and _is_file(path)]
    downloads += unpacked
    if downloads and all_allowed(effects, settings):
        downloads = []
    secrets = [
        path
        for path, text in files.items()
        if SECRET in text and _is_file(path) and secret(path) is None
    ]
    seen = _seen(effects, downloads, memory)
    if not downloads and not secrets and not seen:
        return None
    return SessionTraces(downloads=tuple(downloads), seen=seen, secrets=tuple(secrets))


def _seen(
    effects: Iterable[Effect], downloads: list[str], memory: SessionMemory
) -> tuple[str, ...]:
    """Return the downloads of earlier calls that are read, or written over, by this one."""
    looked_at = [
        one.path
        for one in effects
        if one.act in _LOOKS and not one.call.stored and not is_blind(one.call)
    ]
    if not looked_at or not memory.has_downloads:
        return ()
    return tuple(path for path in looked_at if path not in downloads and memory.is_download(path))


def _is_file(path: str) -> bool:
    return is_known(path) and not path.startswith("/dev/")
