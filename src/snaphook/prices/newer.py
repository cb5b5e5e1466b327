"""Prices of an installed ``genai-prices`` that is younger than the list that was shipped.

installed package  ->  PriceTable, kept in the cache folder

Importing it takes half a second, so what was read from one version is kept in a file: a hook
without a daemon starts a process for every call.
"""

import sys
from pathlib import Path

import msgspec

from snaphook.errors import StoreError
from snaphook.lazy import logger

from .table import PriceTable

log = logger("snaphook.prices")


def newer_table(shipped: str) -> PriceTable | None:
    """Return the prices of the installed package, where it is younger than version *shipped*."""
    version = installed_version()
    if version is None or _numbers(version) <= _numbers(shipped):
        return None
    kept = _cached(version)
    try:
        return msgspec.json.decode(kept.read_bytes(), type=PriceTable)
    except (OSError, msgspec.MsgspecError):
        return _built(kept)


def installed_version() -> str | None:
    """Return the version of ``genai-prices`` on ``sys.path``; None where it is not installed.

    Looked up by the name of its metadata folder: ``importlib.metadata`` takes 20 times as long.
    """
    for entry in sys.path:
        folder = Path(entry or ".")
        try:
            if not (folder / "genai_prices").is_dir():
                continue
            named = [each.name for each in folder.glob("genai_prices-*.dist-info")]
        except OSError:
            continue
        if named:
            return named[0].removeprefix("genai_prices-").removesuffix(".dist-info")
    return None


def _built(kept: Path) -> PriceTable | None:
    from snaphook.storage.files import replace

    from .build import build

    try:
        table = build()
    except Exception as error:  # noqa: BLE001 - another version of a foreign package may fail in any way
        log.warning(
            "genai-prices: its prices cannot be read (%r). The shipped list is used.", error
        )
        return None
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        replace(kept, msgspec.json.encode(table))
    except (OSError, StoreError) as error:
        log.info("%s: the prices cannot be kept (%s)", kept, error)
    return table


def _cached(version: str) -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("snaphook")) / f"prices-{version}.json"


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
