"""One connection that is made when it is needed, and made again when it broke.

URL  ->  psycopg.Connection

A server that is away is noticed within seconds, and told as a ``StoreError``: whoever answers a
hook goes on without it.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from snaphook.errors import MissingExtra, StoreError
from snaphook.storage import postgres
from snaphook.stores.memory.address import without_password

from .schema import prepare

WANTED_BY = "the memory store"

try:
    import psycopg
except ModuleNotFoundError as missing:
    raise MissingExtra.named("postgres", wanted_by=WANTED_BY) from missing

PATIENCE = 2
"""Seconds to wait for a server that may be away."""


class PostgresConnection:
    """The way to the server at *url*; *patience* is how long one statement may take."""

    def __init__(self, url: str, *, patience: float) -> None:
        self._url = url
        self._patience = patience
        self._db: psycopg.Connection | None = None

    @contextmanager
    def reading(self) -> Iterator["psycopg.Connection"]:
        """Yield a connection outside any transaction."""
        with self._told():
            yield self._opened()

    @contextmanager
    def writing(self) -> Iterator["psycopg.Connection"]:
        """Yield a connection inside a transaction that ends with the block, well or not at all."""
        with self._told():
            db = self._opened()
            with db.transaction():
                yield db

    def close(self) -> None:
        """Hang up."""
        if self._db is not None:
            self._db.close()
        self._db = None

    def _opened(self) -> "psycopg.Connection":
        if self._db is None or self._db.closed or self._db.broken:
            self.close()
            db = postgres.connect(
                self._url,
                wanted_by=WANTED_BY,
                patience=PATIENCE,
                prepare_threshold=None,
                tcp_user_timeout=5000,
                keepalives_idle=5,
            )
            try:
                prepare(db)
                milliseconds = str(int(self._patience * 1000))
                db.execute("SELECT set_config('statement_timeout', %s, false)", (milliseconds,))
            except BaseException:
                db.close()
                raise
            self._db = db
        return self._db

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as error:
            self._drop_if_lost()
            raise StoreError(
                where=f"postgresql ({without_password(self._url)})",
                what=" ".join(str(error).split()).rstrip("?. ") or type(error).__name__,
                fix=(
                    "Check that it is running and accepts connections. New memories wait in "
                    "the outbox."
                ),
            ) from error

    def _drop_if_lost(self) -> None:
        if self._db is not None and (self._db.broken or self._db.closed):
            self.close()
