"""How fast many agents take tasks from one queue and complete them, beside a bare table of the same."""

import multiprocessing
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.pool import Pool
from pathlib import Path
from time import monotonic

import psycopg
from tests.servers.postgres import missing, server

from bench.table import row, section
from snaphook.stores.workspace import WorkspaceSettings, make_workspace, open_workspace

TASKS, BEATS, WORKERS, SECONDS = 10_000, 10_000, 16, 4.0
PROJECT = "bench"


def main() -> None:
    """Measure each store beside its bare table."""
    section(f"queue ({TASKS} tasks, {BEATS} heartbeats, {WORKERS} workers; claim and complete)")
    with (
        _postgres() as url,
        tempfile.TemporaryDirectory(prefix="sh-bench-") as name,
        _workers() as pool,
    ):
        if not url:
            return
        make_workspace(Path(name))
        _fill(url, Path(name))
        bare = _rate(pool, "bare", url, name)
        ours = _rate(pool, "workspace", url, name)
    row("a bare PostgreSQL table", bare, "/s")
    row("the workspace in PostgreSQL", ours, "/s", 500, floor=True)


@contextmanager
def _postgres() -> Iterator[str]:
    if why := missing():
        print(f"(no PostgreSQL: {why})")
        yield ""
    else:
        with server(fsync=True) as url:
            yield url


@contextmanager
def _workers() -> Iterator[Pool]:
    with multiprocessing.get_context("spawn").Pool(WORKERS) as pool:
        yield pool


def _fill(url: str, root: Path) -> None:
    """Make the tables of both, and put tasks and heartbeats there."""
    open_workspace(root, WorkspaceSettings(store=url, project=PROJECT)).close()
    with psycopg.connect(url) as database:
        database.execute(
            "INSERT INTO snaphook_task (project, id, status, claimed_by, rank, score, blocked_by, body)"
            " SELECT %s, 'TASK-' || n, 'pending', '', 2, 0, '{}', jsonb_build_object('id', 'TASK-' || n,"
            " 'title', 'Task ' || n, 'status', 'pending', 'priority', 'MEDIUM')"
            " FROM generate_series(1, %s) AS n",
            (PROJECT, TASKS),
        )
        database.execute(
            "INSERT INTO snaphook_beat (project, id, body) SELECT %s, 'agent-' || n,"
            " jsonb_build_object('last_seen', '2026-01-01T00:00:00Z') FROM generate_series(1, %s) AS n",
            (PROJECT, BEATS),
        )
        database.execute(
            "CREATE TABLE bare (id bigserial PRIMARY KEY, status text NOT NULL DEFAULT 'pending')"
        )
        database.execute("CREATE INDEX ON bare (id) WHERE status = 'pending'")
        database.execute("INSERT INTO bare (id) SELECT generate_series(1, %s)", (TASKS,))


def _rate(pool: Pool, kind: str, url: str, root: str) -> float:
    """Return how many tasks a second the workers complete together."""
    works = [(kind, url, root, number, 0.0) for number in range(WORKERS)]
    pool.starmap(_work, works, chunksize=1)  # connected, and every statement prepared
    timed = [(*work[:4], SECONDS) for work in works]
    return sum(done / took for done, took in pool.starmap(_work, timed, chunksize=1))


def _work(kind: str, url: str, root: str, number: int, seconds: float) -> tuple[int, float]:
    """Claim and complete for *seconds*, once at least."""
    run = _bare(url) if kind == "bare" else _workspace(url, root, f"worker-{number}-{os.getpid()}")
    started, done = monotonic(), 0
    for _ in run:
        done += 1
        if monotonic() - started >= seconds:
            break
    return done, max(monotonic() - started, 1e-9)


def _bare(url: str) -> Iterator[None]:
    with psycopg.connect(url, autocommit=True) as database:
        while found := database.execute(
            "UPDATE bare SET status = 'claimed' WHERE id = (SELECT id FROM bare WHERE status = 'pending'"
            " ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id"
        ).fetchone():
            database.execute("UPDATE bare SET status = 'done' WHERE id = %s", found)
            yield


def _workspace(url: str, root: str, agent: str) -> Iterator[None]:
    place = open_workspace(Path(root), WorkspaceSettings(store=url, project=PROJECT))
    while claim := place.claim(agent):
        place.complete(claim)
        yield
    place.close()
