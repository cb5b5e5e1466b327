"""A desk over a record that a test wrote."""

from collections.abc import Sequence
from pathlib import Path

from starlette.testclient import TestClient
from tests.web.sample import write_record

from snaphook.config import Surroundings
from snaphook.stores.eventlog import Record
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteShelf
from snaphook.web import Desk, create_app, open_desk
from snaphook.wiring import read_settings

NOW = 1_790_000_000.0


def desk_at(folder: Path, records: Sequence[Record] = (), settings: str = "") -> Desk:
    """Return a desk whose home, data and settings are below *folder*."""
    env = {
        "HOME": str(folder),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_RUNTIME_DIR": str(folder),
    }
    if settings:
        (folder / "config" / "snaphook").mkdir(parents=True, exist_ok=True)
        (folder / "config" / "snaphook" / "snaphook.toml").write_text(settings)
    (folder / "here").mkdir(exist_ok=True)
    around = Surroundings.here(folder / "here", env=env)
    desk = open_desk(read_settings(around), around)
    assert desk.folder is not None
    if records:
        write_record(desk.folder, records)
        shelf = SqliteShelf(desk.folder / "records.sqlite")
        ship(desk.folder, shelf)
        shelf.close()
    return desk


def client(desk: Desk, **options: object) -> TestClient:
    """Return a browser without a screen; it calls us by a name of ours."""
    app = create_app(desk, **options)  # type: ignore[arg-type]
    return TestClient(app, base_url="http://127.0.0.1:4765", follow_redirects=False)
