"""The store that an address means.

"" | sqlite | sqlite:///path | postgresql://… | bolt://…  ->  MemoryStore

A store's module is imported when its address is met, and no sooner.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from snaphook.errors import ConfigError

from .address import without_password
from .recall import Embed
from .store import MemoryStore

FILE = "memory.sqlite"
_POSTGRES = "snaphook.stores.memory.postgres:PostgresMemory"
_BOLT = "snaphook.stores.memory.neo4j:Neo4jMemory"
STORES: Mapping[str, str] = {
    "postgresql": _POSTGRES,
    "postgres": _POSTGRES,
    "bolt": _BOLT,
    "bolt+s": _BOLT,
    "bolt+ssc": _BOLT,
    "neo4j": _BOLT,
    "neo4j+s": _BOLT,
    "neo4j+ssc": _BOLT,
}
"""The maker of each scheme but SQLite's: ``module:callable`` that takes the address."""


def open_store(
    address: str,
    *,
    graph: str = "",
    data_dir: Path,
    embed: Embed | None = None,
    later: Callable[[], None] = lambda: None,
) -> MemoryStore:
    """Return the store at *address*, with the *graph* beside it where there is one.

    Without an address it is the file in *data_dir*. A server is not asked before it is needed, and
    keeps vectors made by *embed* where it can. *later* is called before each write that a graph
    must hear of; see ``pair``.
    """
    if graph:
        return _paired(address, graph, embed=embed, later=later)
    if (path := _file(address, data_dir)) is not None:
        from .sqlite import SqliteMemory

        return SqliteMemory(path)
    store: MemoryStore = _maker(address, "memory.store")(address, embed=embed)
    return store


def _paired(
    address: str, graph: str, *, embed: Embed | None, later: Callable[[], None]
) -> MemoryStore:
    """Return the rows at *address* and the *graph* as one store."""
    if STORES.get(address.partition("://")[0]) != _POSTGRES:
        raise ConfigError(
            where="memory.graph",
            what="memory.graph needs a PostgreSQL store in memory.store",
            fix='Set store = "postgresql://…", or store = "bolt://…" alone to keep all in the graph.',
        )
    if STORES.get(graph.partition("://")[0]) != _BOLT:
        raise ConfigError(
            where="memory.graph",
            what=f"'{without_password(graph)}' is not a graph database URL",
            fix='Set graph = "bolt://user:password@host:7687".',
        )
    from .dual_write import DualWriteStore

    rows = _maker(address, "memory.store")(address, embed=embed, owing=True)
    return DualWriteStore(rows, _maker(graph, "memory.graph")(graph), later=later)


def _maker(address: str, where: str) -> Any:
    scheme = address.partition("://")[0]
    if scheme not in STORES:
        known = ", ".join(f"{each}://" for each in ("sqlite", "postgresql", "bolt", "neo4j"))
        raise ConfigError(
            where=where,
            what=f"unsupported store '{scheme}://'",
            fix=f"There are: {known}. Without one, memories are kept in a file of your own.",
        )
    return _imported(STORES[scheme])


def _file(address: str, data_dir: Path) -> Path | None:
    """Return the file that *address* means; ``None`` where it means a server."""
    if address in ("", "sqlite"):
        return data_dir / FILE
    scheme, found, rest = address.partition("://")
    if found and scheme != "sqlite":
        return None
    return Path(rest if found else address).expanduser()


def there_is(address: str, *, data_dir: Path) -> bool:
    """Say whether anything can have been kept at *address*: of a file, whether it is there."""
    path = _file(address, data_dir)
    return path is None or path.exists()


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
