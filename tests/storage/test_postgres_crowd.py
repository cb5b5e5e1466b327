"""No PostgreSQL store loses what it acknowledged: clients are killed, and the server restarts."""

import os
import subprocess
import sys
import time

import psycopg
import pytest
from tests.servers import postgres
from tests.storage.postgres_stores import POSTGRES_STORES, VARIABLE
from tests.storage.test_concurrency import ROOT, noted
from tests.thorough import thorough

pytestmark = pytest.mark.needs("postgres")


@pytest.fixture(scope="module")
def server():
    with postgres.restartable() as made:
        yield made


@pytest.fixture
def url(server, request):
    """A database of its own for each store."""
    name = request.node.callspec.id.replace(" ", "_")
    with psycopg.connect(server.url, autocommit=True) as db:
        db.execute(f"CREATE DATABASE {name}".encode())
    return server.url.removesuffix("postgres") + name


@pytest.mark.timeout(400)
@pytest.mark.parametrize("name", POSTGRES_STORES, ids=list(POSTGRES_STORES))
def test_killed_clients_and_a_restarted_server_lose_nothing(
    name, url, server, tmp_path, monkeypatch
):
    folder = tmp_path / "store"
    monkeypatch.setenv(VARIABLE, url)
    crowd = subprocess.Popen(
        [sys.executable, "-m", "tests.storage.crowd", "crowd", name, folder, str(thorough(10, 3))],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"},
        stderr=subprocess.PIPE,
        text=True,
    )
    restarts = 0
    while crowd.poll() is None and restarts < thorough(3, 1):
        if len(noted(folder, "done")) > 20 * (restarts + 1):
            server.restart()  # as after a crash: every connection ends in the middle of what it does
            restarts += 1
        time.sleep(0.05)
    _, errors = crowd.communicate(timeout=300)

    assert crowd.returncode == 0, errors
    assert restarts
    acknowledged, tried = noted(folder, "done"), noted(folder, "tried") | {"first-0-0"}
    store = POSTGRES_STORES[name](folder)
    kept = store.kept()
    assert acknowledged <= kept
    assert kept <= tried
    assert len(acknowledged) > 20
    assert store.problems() == []
    store.close()
