"""Commands that nobody waits for."""

import queue
import sys

from snaphook.process import Command, Completed, run
from snaphook.process.background import start


def started(command: Command, **options) -> Completed:
    """Start *command* and wait for the word that it has ended."""
    heard: queue.Queue[Completed] = queue.Queue()
    assert start(command, ended=heard.put, **options) is None
    return heard.get(timeout=30)


def test_its_end_is_told_with_both_streams_in_one():
    completed = started(Command(line="cat; echo err >&2; exit 3", stdin=b"told\n"))

    assert (completed.exit_code, completed.stdout.text) == (3, "told\nerr\n")


def test_its_timeout_ends_the_group():
    completed = started(Command(line="sleep 60 & sleep 60", timeout=0.2))

    assert (completed.exit_code, completed.timed_out) == (None, True)


def test_its_log_is_added_to_and_only_its_own_part_is_told(tmp_path):
    log = tmp_path / "hooks.log"
    log.write_text("earlier\n")

    completed = started(Command(line="echo mine"), log=log)

    assert completed.stdout.text == "mine\n"
    assert log.read_text() == "earlier\nmine\n"


def test_a_log_that_grew_large_is_begun_anew(tmp_path):
    log = tmp_path / "new" / "hooks.log"
    started(Command(line="head -c 5000000 /dev/zero"), log=log)

    started(Command(line="echo mine"), log=log)

    assert log.read_text() == "mine\n"
    assert log.with_suffix(".old").stat().st_size == 5_000_000
    assert log.stat().st_mode & 0o777 == 0o600


def test_a_log_that_cannot_be_written_is_no_reason_not_to_start(tmp_path):
    completed = started(Command(line="echo mine"), log=tmp_path)

    assert completed.stdout.text == "mine\n"


def test_what_cannot_be_started_says_why_at_once(tmp_path):
    refused = start(Command(line="true", cwd=str(tmp_path / "gone")))

    assert refused is not None
    assert "gone" in (refused.failure or "")


def test_it_outlives_the_process_that_started_it(tmp_path):
    marks, log = tmp_path / "marks", tmp_path / "log"
    program = (
        "from pathlib import Path\n"
        "from snaphook.process import Command\n"
        "from snaphook.process.background import start\n"
        f"start(Command(line='sleep 0.4; echo late; touch {marks}'), log=Path({str(log)!r}))\n"
    )

    assert run((sys.executable, "-c", program)).ok
    assert not marks.exists()

    run(f"until [ -e {marks} ]; do sleep 0.05; done", timeout=30)
    assert log.read_text() == "late\n"
