"""Workspaces to test with: one in files, and the same in a database."""

import itertools
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from snaphook.stores.workspace import Workspace, WorkspaceSettings, make_workspace, open_workspace

NUMBERS = itertools.count()
START = 1_800_000_000.0


class Clock:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.time = START

    def __call__(self) -> float:
        return self.time

    def forward(self, seconds: float) -> None:
        self.time += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["files", pytest.param("postgres", marks=pytest.mark.needs("postgres"))])
def opener(
    request: pytest.FixtureRequest, tmp_path: Path, clock: Clock
) -> Iterator[Callable[[], Workspace]]:
    """What opens the same workspace again and again, as another process would."""
    make_workspace(tmp_path)
    store = request.getfixturevalue("postgres_url") if request.param == "postgres" else ""
    settings = WorkspaceSettings(store=store, project=f"p{next(NUMBERS)}-{tmp_path}")
    opened: list[Workspace] = []

    def again() -> Workspace:
        opened.append(open_workspace(tmp_path, settings, clock=clock))
        return opened[-1]

    yield again
    for place in opened:
        place.close()


@pytest.fixture
def place(opener: Callable[[], Workspace]) -> Workspace:
    return opener()
