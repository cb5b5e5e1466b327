"""The audit page walks the chain, beside the request, and says what it came to."""

import re
import time

import pytest
from msgspec.structs import replace
from tests.unit.web.dashboards import NOW, client, desk_at

from snaphook.stores.eventlog import Record
from snaphook.web.proof import GAP, ProofState, Prover

RECORDS = [
    Record(id=f"r{number}", time=NOW - 100 + number, event="Stop", session="s")
    for number in range(40)
]


def edited(segment):
    lines = segment.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20].replace(b'"session":"s"', b'"session":"x"')
    segment.write_bytes(b"".join(lines))


def cut(segment):
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join(lines[:-5]))


def dropped(segment):
    lines = segment.read_bytes().splitlines(keepends=True)
    segment.write_bytes(b"".join(lines[:10] + lines[11:]))


def unnoted(segment):
    (segment.parent / "checkpoints.jsonl").unlink()


def untouched(segment):
    pass


def settled(browser):
    """Return the page once the walk it asked for is over."""
    until = time.monotonic() + 30
    while ">Verifying<" in (text := browser.get("/audit").text) and time.monotonic() < until:
        time.sleep(0.05)
    return text


@pytest.mark.parametrize(
    ("deed", "state", "says"),
    [
        pytest.param(untouched, "Complete", "complete up to checkpoint 1", id="whole"),
        pytest.param(unnoted, "Intact", "Without a checkpoint", id="nothing to hold it against"),
        pytest.param(edited, "Broken", "line 21: was changed", id="a line was edited"),
        pytest.param(
            dropped,
            "Broken",
            "line 11: does not follow the line before it",
            id="a line was dropped",
        ),
        pytest.param(cut, "Broken", "it was truncated", id="the end was cut off"),
    ],
)
def test_the_page_tells_whether_the_record_is_what_was_written(tmp_path, deed, state, says):
    dashboard = desk_at(tmp_path, RECORDS)
    assert dashboard.folder is not None
    deed(next((dashboard.folder / "daemon").glob("*.log")))

    with client(dashboard) as browser:
        text = settled(browser)

    [told] = re.findall(r'class="proof-state">([^<]+)<', text)
    assert told == state
    assert says in text
    assert "Verified <time" in text


def test_a_page_never_waits_for_a_walk_and_walks_are_rare(tmp_path, monkeypatch):
    now = [NOW]
    dashboard = replace(desk_at(tmp_path, RECORDS), clock=lambda: now[0])
    walks = []
    real = Prover._found

    def found(self):
        walks.append(now[0])
        return real(self)

    monkeypatch.setattr(Prover, "_found", found)
    prover = Prover(dashboard)

    first = prover.look()
    assert (first.under_way, first.checked, first.state) == (True, None, None)
    until = time.monotonic() + 30
    while prover.look().under_way and time.monotonic() < until:
        time.sleep(0.02)
    assert prover.look().state is ProofState.COMPLETE

    now[0] += GAP - 1
    assert prover.look().checked == NOW
    assert walks == [NOW]
    now[0] += 2
    assert prover.look().under_way
    prover.stop()
    dashboard.close()


def test_a_walk_that_fails_is_told_and_the_page_stands(tmp_path):
    dashboard = desk_at(tmp_path, RECORDS)
    env = {**dashboard.around.env, "HOME": str(tmp_path / "gone"), "XDG_DATA_HOME": "relative"}
    broken = replace(dashboard, around=replace(dashboard.around, env=env, cwd=tmp_path / "gone"))
    with client(broken) as browser:
        text = settled(browser)
    assert "Not checked" in text
