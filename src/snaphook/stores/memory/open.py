"""The store that an address means.

"" | sqlite:///path | postgresql://… | neo4j://…  ->  MemoryStore

A store's module is imported when its address is met, and no sooner.
"""

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from snaphook.errors import ConfigError

from .recall import Embed
from .store import MemoryStore

FILE = "memory.sqlite"
STORES: Mapping[str, str] = {}
"""The maker of each scheme but SQLite's: ``module:callable`` that takes the address."""
PAIR = ""
"""The maker of a store with a graph beside it; it takes both addresses and the data folder."""


def open_store(address: str, *, graph: str = "", data_dir: Path) -> MemoryStore:
    """Return the store at *address*, with the *graph* beside it where there is one.

    Without an address it is the file in *data_dir*.
    """
    if graph and PAIR:
        pair: MemoryStore = _imported(PAIR)(address, graph, data_dir)
        return pair
    scheme, _, rest = address.partition("://")
    if not address or scheme == "sqlite":
        from .sqlite import SqliteMemory

        return SqliteMemory(Path(rest).expanduser() if address else data_dir / FILE)
    if scheme not in STORES:
        known = ", ".join(f"{each}://" for each in ("sqlite", *STORES))
        raise ConfigError(
            where="memory.store",
            what=f"no store is known for '{scheme}://'",
            fix=f"There are: {known}. Without one, memories are kept in a file of your own.",
        )
    store: MemoryStore = _imported(STORES[scheme])(address)
    return store


def there_is(address: str, *, data_dir: Path) -> bool:
    """Say whether anything can have been kept at *address*: of a file, whether it is there."""
    scheme, _, rest = address.partition("://")
    if address and scheme != "sqlite":
        return True
    return (Path(rest).expanduser() if address else data_dir / FILE).exists()


def embedder(name: str) -> Embed | None:
    """Return the callable ``module:callable`` that turns texts into vectors; None for no name."""
    if not name:
        return None
    try:
        found: Embed = _imported(name)
    except (ImportError, AttributeError) as error:
        raise ConfigError(
            where="memory.embedder",
            what=f"'{name}' cannot be imported: {error}",
            fix="Install it beside Snaphook, or leave the setting out.",
        ) from error
    return found


def _imported(name: str) -> Any:
    module, _, attribute = name.partition(":")
    return getattr(import_module(module), attribute)
