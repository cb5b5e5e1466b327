"""A real daemon that tells a collector: away, hanging or back, no answer is changed by it."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.faults.nursery import ALLOWED, DENIED, Nursery
from tests.servers.otlp import Receiver, receiver
from tests.until import until

pytestmark = [
    pytest.mark.needs("cc", "native-client"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.timeout(120),
]
SNAPHOOK = Path(sys.executable).with_name("snaphook")


@pytest.fixture
def collector() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def nursery(collector) -> Iterator[Nursery]:
    made = Nursery()
    settings = made.home / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[telemetry]\nendpoint = "{collector.url}"\ninterval = 0.1\n')
    yield made
    made.close()


def is_told(nursery: Nursery) -> bool:
    found = nursery.status().telemetry
    return found is not None and found.told is not None


def doctor(nursery: Nursery) -> str:
    done = subprocess.run(
        [SNAPHOOK, "doctor", "claude-code"],
        env=nursery.env,
        cwd=nursery.project,
        capture_output=True,
        text=True,
        check=False,
    )
    return next(line for line in done.stdout.splitlines() if line.startswith("Telemetry"))


@pytest.mark.req("SQ-14")
def test_a_collector_that_hangs_changes_no_answer_and_is_told_later(nursery, collector):
    collector.answers.clear()
    nursery.start()
    until(collector.knocked.is_set)

    assert [nursery.call(command) for command in (DENIED, ALLOWED)] == ["deny", "silence"]
    assert doctor(nursery) == f"Telemetry: {collector.url}, not exported yet."

    collector.answers.set()
    until(lambda: len(collector.spans) >= 3 and collector.lines and is_told(nursery))
    assert [line.body.string_value.partition(" (")[0] for line in collector.lines] == [
        "deny Bash by guard"
    ]
    assert doctor(nursery).startswith(f"Telemetry: {collector.url}, last export ")


@pytest.mark.req("SQ-14")
def test_a_daemon_leaves_though_its_collector_hangs_and_the_next_one_tells(nursery, collector):
    first = nursery.start()
    until(lambda: is_told(nursery))
    collector.answers.clear()
    assert nursery.call(DENIED) == "deny"

    nursery.close_gently()  # nobody is answered before it has left

    assert first not in nursery.daemons()
    collector.answers.set()
    before = len(collector.spans)
    nursery.start()
    until(lambda: collector.lines and len(collector.spans) > before)


@pytest.mark.req("SQ-14")
def test_a_daemon_that_was_killed_has_the_next_one_tell_the_same_spans(nursery, collector):
    pid = nursery.start()
    until(lambda: is_told(nursery))
    collector.away = True
    assert nursery.call(DENIED) == "deny"
    until(lambda: collector.refused)
    nursery.kill(pid)
    collector.away = False

    nursery.start()

    until(lambda: collector.lines)
    ids = [span.span_id for span in collector.spans]
    assert len(ids) == len(set(ids))
    assert collector.tree()[-2:] == ["execute_tool Bash", "  hook PreToolUse"]
