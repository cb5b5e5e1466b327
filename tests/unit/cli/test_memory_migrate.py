"""``snaphook memory migrate``: what a person is told of a move."""

import pytest

from snaphook.cli.main import main
from snaphook.config import Environment
from snaphook.stores.memory.open import FILE
from snaphook.stores.memory.sqlite import SqliteMemory
from snaphook.testing.memory import a_memory


@pytest.fixture
def target(tmp_path, monkeypatch):
    """The address of an empty store, beside one that has two memories and forgot a third."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.chdir(tmp_path)
    store = SqliteMemory(Environment.here(tmp_path).data_dir / FILE)
    gone = a_memory("a secret")
    store.put([a_memory("We use ruff"), a_memory("Port: 80", project="/elsewhere"), gone])
    store.forget([gone.id])
    store.close()
    return str(tmp_path / "copy.sqlite")


def told(capsys, *words):
    status = main(["memory", "migrate", *words])
    return status, capsys.readouterr().out.splitlines()


def test_every_projects_memories_are_moved_and_compared(capsys, target):
    assert told(capsys, "--to", target) == (
        0,
        [
            "2 memories: 2 added, 0 merged, 0 there already, 0 forgotten there.",
            "1 forgotten ones are kept out.",
            f"All of them were compared with what {target} has.",
            f'To use it: store = "{target}" under [memory] in snaphook.toml.',
        ],
    )
    assert told(capsys, "--from", target, "--to", f"{target}.too")[0] == 0


def test_a_dry_run_says_what_would_be_done(capsys, target):
    assert told(capsys, "--to", target, "--dry-run") == (
        0,
        [
            "2 memories: 2 would be added, 0 would be merged, 0 there already, 0 forgotten there.",
            "1 forgotten ones would be kept out.",
        ],
    )


@pytest.mark.parametrize(
    ("address", "status", "why"),
    [
        pytest.param("sqlite", 2, "source and target are the same store", id="where they are"),
        pytest.param("mysql://db", 1, "unsupported store 'mysql://'", id="nowhere"),
        pytest.param("bolt://me:pw@127.0.0.1:1", 3, "bolt://me:…@127.0.0.1:1", id="away"),
        pytest.param("postgresql://me:pw@127.0.0.1:1/x", 3, "me:…@127.0.0.1:1/x", id="away too"),
    ],
)
def test_a_target_that_cannot_be_had_is_told_without_its_password(
    capsys, target, address, status, why
):
    assert main(["memory", "migrate", "--to", address]) == status

    said = capsys.readouterr().err
    assert why in said
    assert "pw@" not in said
