"""The log of events: any shape, any length, valid at every moment."""

import os
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from snaphook.errors import StoreError
from snaphook.storage.in_place import InPlace
from snaphook.stores.workspace import events, faults
from snaphook.stores.workspace.fields import one_line
from snaphook.stores.workspace.records import EventEntry

LISTED = "# ours\n- timestamp: '2026-02-01T16:01:00Z'\n  type: started\n  agent: executor\n  run_number: 66\n"
NAMED = "schema: 1\nevents:\n  - type: one\n    data:\n      files:\n      - a\n"


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "events.yaml"


def add(log: Path, **row: Any) -> None:
    events.append(log, row, max_mb=1)


def rows(log: Path) -> Any:
    held = yaml.safe_load(log.read_text())
    return held["events"] if isinstance(held, dict) else held


@pytest.mark.parametrize(
    ("text", "before"),
    [
        pytest.param(LISTED, 1, id="a list"),
        pytest.param(NAMED, 1, id="under 'events'"),
        pytest.param("events:\n- type: one\n", 1, id="under 'events', at the margin"),
        pytest.param("[]\n", 0, id="an empty list"),
        pytest.param("# nothing yet\n", 0, id="a comment"),
        pytest.param("", 0, id="an empty file"),
        pytest.param("events: []\n", 0, id="an empty list under 'events'"),
        pytest.param("events:\n", 0, id="'events' and nothing"),
        pytest.param(
            "events:\n- type: one\nmetadata:\n  by: me\n", 1, id="with something after it"
        ),
        pytest.param("- type: one", 1, id="no newline at the end"),
        pytest.param("- {type: one}\n# the end\n", 1, id="a comment at the end"),
        pytest.param("[{type: one}]\n", 1, id="flow style"),
        pytest.param("- type: one\r\n", 1, id="CRLF"),
        pytest.param("---\n- type: one\n", 1, id="a document marker"),
        pytest.param("- type: one\n  notes: |\n    last\n\n\n", 1, id="a block at the end"),
    ],
)
def test_a_row_is_added_to_any_shape(log: Path, text: str, before: int):
    log.write_bytes(text.encode())
    add(log, type="new", notes="it's: # here")

    found = rows(log)
    assert found[before:] == [{"type": "new", "notes": "it's: # here"}]
    assert len(found) == before + 1
    assert events.last(log, 1) == [EventEntry(type="new", notes="it's: # here")]
    comments = [line for line in text.splitlines() if line.startswith("#")]
    assert all(comment in log.read_text() for comment in comments)


def test_a_log_that_is_not_there_is_begun(log: Path):
    add(log, type="new")

    assert rows(log) == [{"type": "new"}]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("events: 3\n", id="not a list"),
        pytest.param("- 'open\n", id="a quote left open"),
        pytest.param("a: [1\n", id="a bracket left open"),
        pytest.param("- just words\n", id="rows that are no mappings"),
    ],
)
def test_a_log_that_cannot_be_read_is_left_alone(log: Path, text: str):
    log.write_text(text)
    with pytest.raises(StoreError, match="It was not changed"):
        add(log, type="new")

    assert log.read_text() == text


def test_an_append_costs_the_same_however_long_the_log_is(
    log: Path, monkeypatch: pytest.MonkeyPatch
):
    log.write_text("- {type: old, notes: '%s'}\n" % ("x" * 200) * 20_000)
    sizes: list[int] = []
    real = events._piece

    def piece(path: Path, start: int, size: int = -1) -> str:
        text = real(path, start, size)
        sizes.append(len(text))
        return text

    monkeypatch.setattr(events, "_piece", piece)
    add(log, type="new")

    assert sum(sizes) <= 4 * events.WINDOW
    assert [entry.type for entry in events.last(log, 2)] == ["old", "new"]


@given(
    row=st.dictionaries(
        st.text(min_size=1, max_size=8),
        st.recursive(
            st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
            lambda inner: (
                st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
            ),
            max_leaves=6,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_any_row_reads_back_the_same(tmp_path_factory: pytest.TempPathFactory, row: dict[str, Any]):
    log = tmp_path_factory.mktemp("log") / "events.yaml"
    log.write_text("- type: first\n")
    events.append(log, row, max_mb=1)

    assert yaml.safe_load(log.read_bytes()) == [{"type": "first"}, row]


class Cut(BaseException):
    """The process dies here."""


@pytest.mark.req("BB-ST-4")
def test_cut_short_anywhere_the_log_is_valid_and_the_next_row_goes_in(
    log: Path, monkeypatch: pytest.MonkeyPatch
):
    row = {"type": "cut", "notes": "ü" * 50}
    line = len(one_line(row, indent=0, newline="\n").encode())
    for written in range(line + 1):
        log.write_text("- type: first\n")

        def short(file: InPlace, at: int, data: bytes, until: int = written) -> None:
            os.pwrite(file._fd, data[:until], at)
            raise Cut

        with monkeypatch.context() as patch:
            patch.setattr(InPlace, "write_at", short)
            with pytest.raises(Cut):
                events.append(log, row, max_mb=1)
        assert yaml.safe_load(log.read_bytes().decode(errors="ignore")) == [{"type": "first"}]
        add(log, type="next")
        assert [r["type"] for r in yaml.safe_load(log.read_bytes().decode(errors="replace"))] == [
            "first",
            "next",
        ]


def test_a_row_counts_only_when_it_is_on_disk(log: Path, monkeypatch: pytest.MonkeyPatch):
    log.write_text("- type: first\n")
    seen = {}
    monkeypatch.setattr(faults, "listener", lambda name: seen.update({name: len(rows(log))}))
    add(log, type="second")

    assert seen == {"event drafted": 1, "event synced": 1, "event counted": 2}


def test_what_an_entry_does_not_know_is_kept_in_its_data():
    row = {"type": "x", "run_number": 66, "message": "hello", "data": {"a": 1}, "task_id": None}

    assert events.entry_from(row) == EventEntry(
        type="x", data={"a": 1, "run_number": 66, "message": "hello"}
    )
