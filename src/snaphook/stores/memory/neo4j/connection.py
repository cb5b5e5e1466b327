"""The way to a Bolt server: made when it is needed, patient with other writers, not with absence.

URL  ->  driver  ->  one transaction

``bolt://user:password@host:7687/database``; the database may be left out.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar
from urllib.parse import unquote, urlsplit

from snaphook.errors import ConfigError, MissingExtra, StoreError
from snaphook.stores.memory.address import without_password

try:
    import neo4j
    from neo4j.exceptions import ConstraintError, DriverError, Neo4jError, TransientError
except ModuleNotFoundError as missing:
    raise MissingExtra.named("neo4j", wanted_by="the memory store") from missing

T = TypeVar("T")

PATIENCE = 2.0
"""Seconds to wait for a server that may be away."""
TURNS = 200
"""So often a transaction that met another writer is tried again."""
PAUSE = 0.02
_COLLISIONS = ("ConcurrentModification", "Concurrent modification", "Please retry")
"""What servers other than Neo4j call a collision with another writer."""


class Neo4jConnection:
    """The way to the server at *url*."""

    def __init__(self, url: str, *, on_open: Callable[[Callable[..., list[Any]]], None]) -> None:
        self._url = url
        self._on_open = on_open
        self._driver: neo4j.Driver | None = None
        self._database: str | None = None

    @contextmanager
    def reading(self) -> Iterator[Callable[..., list[Any]]]:
        """Yield what runs a query and returns its rows, each query for itself."""
        with self._told():
            driver = self._opened()
            with driver.session(database=self._database, default_access_mode="READ") as session:
                yield lambda query, **values: session.run(query, values).values()

    def writing(self, work: Callable[[Callable[..., list[Any]]], T]) -> T:
        """Return what *work* returns; all it runs is one transaction, tried again after collisions."""
        with self._told():
            driver = self._opened()
            for turn in range(TURNS):
                try:
                    with driver.session(database=self._database) as session:
                        return self._once(session, work)
                except (DriverError, Neo4jError) as error:
                    if turn == TURNS - 1 or not _collided(error):
                        raise
                    time.sleep(PAUSE)
            raise AssertionError("the last turn returns or raises")

    def close(self) -> None:
        """Hang up."""
        if self._driver is not None:
            self._driver.close()
        self._driver = None

    def _once(self, session: Any, work: Callable[[Callable[..., list[Any]]], T]) -> T:
        with session.begin_transaction() as transaction:
            done = work(lambda query, **values: transaction.run(query, values).values())
            transaction.commit()
            return done

    def _opened(self) -> "neo4j.Driver":
        if self._driver is None:
            address, auth, self._database = _taken_apart(self._url)
            driver = neo4j.GraphDatabase.driver(
                address,
                auth=auth,
                connection_timeout=PATIENCE,
                connection_acquisition_timeout=PATIENCE * 2,
                notifications_min_severity="OFF",
                user_agent="snaphook",
            )
            try:
                with driver.session(database=self._database) as session:
                    self._on_open(lambda query, **values: session.run(query, values).values())
            except BaseException:
                driver.close()
                raise
            self._driver = driver
        return self._driver

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except (DriverError, Neo4jError) as error:
            raise StoreError(
                where=f"neo4j ({without_password(self._url)})",
                what=" ".join(str(getattr(error, "message", "") or error).split())[:300].rstrip(
                    ". "
                ),
                fix=(
                    "Check that it is running and accepts connections. New memories wait in "
                    "the outbox."
                ),
            ) from error


def _collided(error: Exception) -> bool:
    """Say whether another writer was first; we only ever break a constraint by losing such a race."""
    return isinstance(error, (TransientError, ConstraintError)) or any(
        word in str(error) for word in _COLLISIONS
    )


def _taken_apart(url: str) -> tuple[str, tuple[str, str] | None, str | None]:
    """Return the address, the credentials and the database that *url* names."""
    parts = urlsplit(url)
    try:
        host = f"{parts.hostname}:{parts.port or 7687}"
    except ValueError as bad:
        raise ConfigError(
            where=without_password(url), what=str(bad), fix="Write bolt://user:password@host:7687."
        ) from bad
    auth = (unquote(parts.username), unquote(parts.password or "")) if parts.username else None
    return f"{parts.scheme}://{host}", auth, parts.path.strip("/") or None
