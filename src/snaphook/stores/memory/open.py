"""The store that an address means.

"" | sqlite:///path | postgresql://… | neo4j://…  ->  MemoryStore

A store's module is imported when its address is met, and no sooner.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path

from snaphook.errors import ConfigError

from .store import MemoryStore

FILE = "memory.sqlite"
STORES: Mapping[str, str] = {}
"""The maker of each scheme but SQLite's: ``module:callable`` that takes the address."""


def open_store(address: str, *, data_dir: Path) -> MemoryStore:
    """Return the store at *address*; without one, the file in *data_dir*."""
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
    module, _, name = STORES[scheme].partition(":")
    make: Callable[[str], MemoryStore] = getattr(import_module(module), name)
    return make(address)
