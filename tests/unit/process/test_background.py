"""Commands that nobody waits for."""

import queue
import sys

from snaphook.process import Command, Completed, run
from snaphook.process.background import start, start_apart


def started(command: Command) -> Completed:
    """Start *command* and wait for the word that it has ended."""
    heard: queue.Queue[Completed] = queue.Queue()
    assert start(command, ended=heard.put) is None
    return heard.get(timeout=30)


def test_its_end_is_told_with_what_it_printed():
    completed = started(Command(line="cat; echo err >&2; exit 3", stdin=b"told\n"))

    assert (completed.exit_code, completed.stdout.text) == (3, "told\n")
    assert completed.stderr.text == "err\n"


def test_its_timeout_ends_the_group():
    completed = started(Command(line="sleep 60 & sleep 60", timeout=0.2))

    assert (completed.exit_code, completed.timed_out) == (None, True)


def test_two_that_run_at_once_do_not_get_each_others_output():
    heard: queue.Queue[Completed] = queue.Queue()
    for name in "ab":
        assert start(Command(line=f"echo {name}; sleep 0.2; echo {name}"), ended=heard.put) is None

    texts = {heard.get(timeout=30).stdout.text for _ in range(2)}

    assert texts == {"a\na\n", "b\nb\n"}


def test_of_a_flood_the_beginning_and_the_end_are_kept():
    completed = started(Command(line="seq 100000", keep=100))

    assert completed.stdout.text.startswith("1\n2\n")
    assert completed.stdout.text.endswith("100000\n")
    assert len(completed.stdout.head + completed.stdout.tail) == 100


def test_what_cannot_be_started_says_why_at_once(tmp_path):
    refused = start(Command(line="true", cwd=str(tmp_path / "gone")), ended=lambda _: None)

    assert refused is not None
    assert "gone" in (refused.failure or "")


def test_a_process_apart_outlives_the_one_that_started_it(tmp_path):
    marks = tmp_path / "marks"
    program = (
        "from snaphook.process.background import start_apart\n"
        f"start_apart(('sh', '-c', 'cat > {marks}.new; sleep 0.4; mv {marks}.new {marks}'), b'given')\n"
    )

    assert run((sys.executable, "-c", program)).ok
    assert not marks.exists()

    run(f"until [ -e {marks} ]; do sleep 0.05; done", timeout=30)
    assert marks.read_text() == "given"


def test_a_process_apart_that_cannot_be_started_says_why(tmp_path):
    refused = start_apart((str(tmp_path / "gone"),), b"")

    assert refused is not None
    assert "gone" in (refused.failure or "")
