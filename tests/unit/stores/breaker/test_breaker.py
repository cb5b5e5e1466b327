"""A breaker shared between processes."""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from subprocess import run

import pytest

from snaphook.errors import StoreError
from snaphook.stores.breaker import Breaker, CircuitState

pytestmark = pytest.mark.req("SQ-13")


class Clock:
    """A clock that is set."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "breakers.db"


def test_five_failures_open_it_a_probe_closes_it(path):
    clock = Clock()
    breaker = Breaker(path, name="model", clock=clock)

    assert [breaker.failure() for _ in range(6)] == [False, False, False, False, True, False]
    assert (breaker.allow(), breaker.state()) == (False, CircuitState.OPEN)

    clock.now += 60
    assert [breaker.allow() for _ in range(3)] == [True, False, False]
    assert (breaker.success(), breaker.success()) == (True, False)
    assert (breaker.allow(), breaker.state()) == (True, CircuitState.CLOSED)


def test_a_success_in_between_starts_the_count_anew(path):
    breaker = Breaker(path, name="model", threshold=2)

    assert (breaker.failure(), breaker.success(), breaker.failure()) == (False, False, False)


def test_names_do_not_disturb_each_other(path):
    first, second = (Breaker(path, name=name, threshold=1) for name in ("one", "two"))
    first.failure()

    assert (first.allow(), second.allow()) == (False, True)


def test_nothing_is_written_before_the_first_failure(path):
    breaker = Breaker(path, name="model")

    assert (breaker.allow(), breaker.success(), breaker.state()) == (
        True,
        False,
        CircuitState.CLOSED,
    )
    assert not path.parent.exists()


def test_a_clock_set_back_by_a_year_costs_one_cooldown(path):
    clock = Clock(now=2e9)
    breaker = Breaker(path, name="model", threshold=1, clock=clock)
    breaker.failure()
    clock.now = 1e9

    assert not breaker.allow()
    clock.now += 60
    assert breaker.allow()


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"this is no database at all, but long enough to look" * 40, id="other text"),
        pytest.param(b"SQLite format 3\0" + b"\xff" * 5000, id="a damaged page"),
    ],
)
def test_a_corrupt_file_is_moved_aside_and_the_count_starts_anew(path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    breaker = Breaker(path, name="model", threshold=2)

    assert breaker.allow()
    assert (breaker.failure(), breaker.failure(), breaker.allow()) == (False, True, False)
    (aside,) = path.parent.glob(f"{path.name}.damaged-*")
    assert aside.read_bytes() == content


def test_a_folder_that_cannot_be_written_is_told_with_its_place(tmp_path):
    (tmp_path / "state").write_text("a file where a folder should be")
    breaker = Breaker(tmp_path / "state" / "breakers.db", name="model")

    with pytest.raises(StoreError, match=r"breakers\.db: the state of 'model' cannot be saved"):
        breaker.failure()


CHILD = """
import sys
from pathlib import Path
from snaphook.stores.breaker import Breaker
breaker = Breaker(Path(sys.argv[1]), name="model", threshold=40, cooldown=0.0001)
opened = sum(breaker.failure() for _ in range(10))
print(opened)
"""

PROBER = """
import sys
from pathlib import Path
from snaphook.stores.breaker import Breaker
breaker = Breaker(Path(sys.argv[1]), name="model", cooldown=60, clock=lambda: 5000.0)
print(sum(breaker.allow() for _ in range(20)))
"""


def _said(code: str, path: Path, processes: int) -> list[int]:
    def one(_number: int) -> int:
        told = run([sys.executable, "-c", code, path], capture_output=True, check=True, text=True)
        return int(told.stdout)

    with ThreadPoolExecutor(processes) as pool:
        return list(pool.map(one, range(processes)))


def test_of_many_processes_one_opens_the_circuit_and_no_failure_is_lost(path):
    assert sum(_said(CHILD, path, 4)) == 1
    assert Breaker(path, name="model", threshold=41, cooldown=1e9).state() is CircuitState.OPEN


def test_of_many_processes_one_may_probe(path):
    clock = Clock()
    breaker = Breaker(path, name="model", threshold=1, clock=clock)
    breaker.failure()

    assert sum(_said(PROBER, path, 4)) == 1


def test_many_processes_that_find_a_corrupt_file_agree_on_a_new_one(path):
    path.parent.mkdir()
    path.write_bytes(b"no database" * 500)

    assert sum(_said(CHILD, path, 4)) == 1
