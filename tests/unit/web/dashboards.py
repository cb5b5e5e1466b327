"""A desk over a record that a test wrote."""

from collections.abc import Sequence
from pathlib import Path

from starlette.testclient import TestClient
from tests.web.sample import write_record

from snaphook.config import Environment
from snaphook.stores.eventlog import Record
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore
from snaphook.web import Dashboard, create_app, open_desk
from snaphook.wiring.assembly import read_settings

NOW = 1_790_000_000.0


def desk_at(folder: Path, records: Sequence[Record] = (), settings: str = "") -> Dashboard:
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
    around = Environment.here(folder / "here", env=env)
    dashboard = open_desk(read_settings(around), around)
    assert dashboard.folder is not None
    if records:
        write_record(dashboard.folder, records)
        shelf = SqliteRecordStore(dashboard.folder / "records.sqlite")
        ship(dashboard.folder, shelf)
        shelf.close()
    return dashboard


def client(dashboard: Dashboard, **options: object) -> TestClient:
    """Return a browser without a screen; it calls us by a name of ours."""
    app = create_app(dashboard, **options)  # type: ignore[arg-type]
    return TestClient(app, base_url="http://127.0.0.1:4765", follow_redirects=False)
