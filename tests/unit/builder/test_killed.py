"""``kill -9`` after every step of a build, and the build that goes on."""

import signal
import subprocess
import sys

import pytest
from tests.thorough import thorough

from snaphook.builder.job import BuildJob
from snaphook.builder.journal import FILE, read_journal, unfinished
from snaphook.builder.records import BuildEnded, Built, GateRan, Passed, TaskStarted

from .conftest import tasks_of

BUILDER = r"""
echo "$1" >> sessions
case "$(head -n 1 "$2")" in
"Hook failed:"*) touch mended ;;
*) awk '!d && sub(/- \[ \]/, "- [x]") { d = 1 } 1' .sauna/jobs/demo/tasks.md > t &&
   mv t .sauna/jobs/demo/tasks.md ;;
esac
"""
KILLED = """
import os, signal, sys
from snaphook.builder.journal import BuildJournal
from snaphook.cli.main import main

append, steps = BuildJournal.append, int(sys.argv.pop(1))

def append_then_die(self, record):
    global steps
    stamped = append(self, record)
    steps -= 1
    if steps == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    return stamped

BuildJournal.append = append_then_die
sys.exit(main(sys.argv[1:]))
"""
STEPS = 22
"""What a build of two tasks, two gates and one fix writes down."""
WORDS = ("build", "--job", "demo", "--builder", "command: sh builder {session} {message_file}")


@pytest.fixture
def codebase(tmp_path):
    tasks_of(tmp_path).parent.mkdir(parents=True)
    tasks_of(tmp_path).write_text("- [ ] one\n- [ ] two\n")
    (tmp_path / ".sauna" / "hooks.json").write_text('["true", "test -e mended"]')
    (tmp_path / "builder").write_text(BUILDER)
    return tmp_path


def build(codebase, steps: int) -> int:
    """Build; the process kills itself after so many *steps*, never if it is 0."""
    return subprocess.run(
        [sys.executable, "-c", KILLED, str(steps), *WORDS], cwd=codebase, capture_output=True
    ).returncode


@pytest.mark.req("SA-4", "SA-8")
@pytest.mark.parametrize("steps", range(1, STEPS + 1, thorough(1, 4)))
def test_a_killed_build_goes_on_where_it_was(codebase, steps):
    job = BuildJob(name="demo", codebase=codebase)
    assert build(codebase, steps) == -signal.SIGKILL
    before = read_journal(job.state / FILE)
    assert len(before) == steps
    left = unfinished(before)

    assert build(codebase, 0) == 0

    records = read_journal(job.state / FILE)
    after = records[steps:]
    assert [record.task for record in records if isinstance(record, Passed)] == ["one", "two"]
    assert isinstance(records[-1], BuildEnded)
    assert unfinished(records) is None
    assert "- [ ]" not in tasks_of(codebase).read_text()
    for task in (record for record in before if isinstance(record, Passed)):
        assert not any(isinstance(r, TaskStarted) and r.task == task.task for r in after)
    for number, record in enumerate(records):
        if isinstance(record, Passed):
            assert _gates_before(records[:number]) == [("true", 0), ("test -e mended", 0)]
    if left is not None and left.built:
        again = [record.session for record in after if isinstance(record, TaskStarted)]
        assert again[0] == left.session


def _gates_before(records) -> list[tuple[str, int]]:
    """Return the gates that ran since the builder, or a new run, last began."""
    ran: list[tuple[str, int]] = []
    for record in records:
        match record:
            case Built() | TaskStarted():
                ran = []
            case GateRan():
                ran.append((record.gate, record.exit_code))
    return ran


def test_the_steps_above_are_all_there_are(codebase):
    assert build(codebase, 0) == 0

    assert len(read_journal(codebase / ".sauna/state/demo" / FILE)) == STEPS
