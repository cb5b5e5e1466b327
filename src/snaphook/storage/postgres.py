"""Connections to a PostgreSQL server, none of which waits for a dead line.

URL  ->  psycopg.Connection
"""

from typing import TYPE_CHECKING, Any

from snaphook.errors import MissingExtra

if TYPE_CHECKING:
    import psycopg

LINE: dict[str, Any] = {
    "application_name": "snaphook",
    "keepalives_idle": 20,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 30_000,
}
"""How long a line may be dead before that is noticed: without these, hours."""


def connect(
    url: str, *, wanted_by: str, patience: float, **options: Any
) -> "psycopg.Connection[Any]":
    """Return a connection to *url* on which every statement is its own transaction unless one is begun.

    *patience* is how many seconds the server may take to let us in. *options* are libpq's; they win over
    ``LINE``. Raises ``psycopg.Error``, and ``MissingExtra`` where the driver is not installed.
    """
    try:
        import psycopg
    except ModuleNotFoundError as missing:
        raise MissingExtra.named("postgres", wanted_by=wanted_by) from missing
    return psycopg.connect(
        url, autocommit=True, **{**LINE, "connect_timeout": max(1, int(patience)), **options}
    )
