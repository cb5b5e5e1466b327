"""Directives that are kept, listed and taken back."""

import sys
from pathlib import Path
from subprocess import run

import pytest

from snaphook.errors import StoreError, UsageError
from snaphook.stores.directives import Directives

pytestmark = pytest.mark.req("SQ-12")


@pytest.fixture
def store(tmp_path: Path) -> Directives:
    return Directives(tmp_path / "kept", "/project")


def said(store: Directives) -> list[str]:
    return [each.text for each in store.all()]


def test_what_was_said_is_kept_in_order_and_once(store):
    store.add("Always lint.", session="s1")
    store.add("Never push to main.")
    store.add("always  LINT")

    assert said(store) == ["Always lint.", "Never push to main."]


def test_what_was_revoked_holds_no_longer_and_can_be_said_again(store):
    kept = store.add("Always lint.")

    assert store.revoke(kept.id[:4]) == kept
    assert said(store) == []
    store.add("Always lint.")
    assert said(store) == ["Always lint."]


@pytest.mark.parametrize("start", ["", "zz"])
def test_revoking_what_nobody_said_is_a_mistake_of_the_caller(store, start):
    store.add("Always lint.")

    with pytest.raises(UsageError, match="no directive id starts with"):
        store.revoke(start)


def test_projects_do_not_hear_of_each_other(store, tmp_path):
    store.add("Always lint.")

    assert said(Directives(tmp_path / "kept", "/other")) == []


def test_a_torn_line_costs_no_other(store, tmp_path):
    store.add("Always lint.")
    [path] = (tmp_path / "kept").iterdir()
    path.write_bytes(path.read_bytes() + b'{"type":"add","id":"12')
    store.add("Never push to main.")

    assert said(store) == ["Always lint.", "Never push to main."]


def test_a_folder_that_cannot_be_written_is_told_with_its_place(tmp_path):
    (tmp_path / "kept").write_text("a file")

    with pytest.raises(StoreError, match="cannot be saved"):
        Directives(tmp_path / "kept", "/project").add("Always lint.")


def test_processes_that_add_at_once_lose_nothing(store, tmp_path):
    code = (
        "import sys; from pathlib import Path; from snaphook.stores.directives import Directives\n"
        "s = Directives(Path(sys.argv[1]), '/project')\n"
        "for n in range(50): s.add(f'Always {sys.argv[2]} {n}.')"
    )
    folder = str(tmp_path / "kept")
    first = run([sys.executable, "-c", code, folder, "a"], check=True)
    second = run([sys.executable, "-c", code, folder, "b"], check=True)

    assert (first.returncode, second.returncode, len(store.all())) == (0, 0, 100)
