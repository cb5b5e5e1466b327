"""Telemetry beside the daemon: it follows the settings and never stands in anybody's way."""

import os
import signal
import subprocess
import sys
from urllib.request import urlopen

import pytest
from tests.servers.otlp import receiver
from tests.unit.providers.telemetry.story import story
from tests.until import until

from snaphook.cli.doctor import exporter_status
from snaphook.daemon import exporter as room
from snaphook.daemon import exporter_supervisor as beside
from snaphook.daemon.control import ExporterStatus
from snaphook.daemon.exporter import AWAY, ExporterProcess
from snaphook.daemon.exporter_supervisor import ExporterSupervisor
from snaphook.stores.eventlog import EventLog

NOW = 1_000.0


class Home:
    """A user's home, with settings that change and a record that grows."""

    def __init__(self, folder):
        self.folder = folder
        self.env = {"HOME": str(folder)}
        self._file = folder / ".config/snaphook/snaphook.toml"
        self._file.parent.mkdir(parents=True)

    def says(self, text):
        draft = self._file.with_suffix(".new")
        draft.write_text(text)
        draft.replace(self._file)

    def happens(self, session):
        log = EventLog(self.folder / ".local/share/snaphook/log")
        log.append(story(session))
        log.close()


@pytest.fixture
def collector():
    with receiver() as made:
        yield made


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setattr(room, "LOOK", 0.05)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "0.7")
    return Home(tmp_path)


@pytest.fixture
def thread(home, collector):
    made = ExporterProcess(home.env)
    yield made
    if made.is_alive():
        made.stop()


def on(collector, more="", interval=0.1):
    return f'[telemetry]\nendpoint = "{collector.url}"\ninterval = {interval}\n{more}'


@pytest.mark.req("SQ-14")
def test_settings_switch_it_on_and_off_while_the_daemon_lives(home, thread, collector):
    thread.start()
    home.says(on(collector))
    until(lambda: thread.exporter_status and thread.exporter_status.told)
    home.happens("s1")
    until(lambda: collector.spans)

    home.says("")
    until(lambda: thread.exporter_status is None)
    home.happens("s2")
    told = len(collector.spans)
    home.says(on(collector))

    until(lambda: len(collector.spans) == 2 * told)  # what happened while it was off comes later


@pytest.mark.req("SQ-14")
def test_a_collector_that_was_away_is_told_when_it_is_back(home, thread, collector):
    home.says(on(collector))
    thread.start()
    until(lambda: thread.exporter_status and thread.exporter_status.told)
    collector.away = True
    home.happens("s1")
    until(lambda: thread.exporter_status and thread.exporter_status.problem == AWAY)

    collector.away = False

    until(lambda: thread.exporter_status and not thread.exporter_status.problem)
    ids = [span.span_id for span in collector.spans]
    assert len(ids) == len(set(ids)) > 20


@pytest.mark.req("SQ-14")
def test_what_is_left_is_told_at_the_end(home, thread, collector):
    home.says(on(collector, interval=3600))
    thread.start()
    until(lambda: thread.exporter_status and thread.exporter_status.told)
    home.happens("s1")

    thread.stop()

    assert not thread.is_alive()
    assert "invoke_agent main" in collector.tree()


@pytest.mark.req("SQ-14")
def test_a_collector_that_hangs_does_not_keep_the_daemon_from_leaving(
    home, thread, collector, monkeypatch
):
    monkeypatch.setattr(room, "LEAVE", 0.1)
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "30")
    home.says(on(collector))
    collector.answers.clear()
    thread.start()
    collector.knocked.wait(30)

    thread.stop()  # the collector answers nobody before this has returned

    assert thread.is_alive()
    collector.answers.set()
    thread.join(30)
    assert not thread.is_alive()


@pytest.mark.req("SQ-14")
def test_prometheus_is_answered_while_the_collector_hangs(home, thread, collector, monkeypatch):
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "30")
    home.says(on(collector, 'prometheus = "127.0.0.1:0"\n'))
    collector.answers.clear()
    thread.start()
    collector.knocked.wait(30)  # all numbers are told at the start, so this is about them
    home.happens("s1")
    assert thread.exporter_status

    with urlopen(thread.exporter_status.prometheus, timeout=20) as answer:
        said = answer.read().decode()

    assert 'snaphook_sessions_total{vcs_repository_name="shop"' in said
    collector.answers.set()


def test_settings_that_cannot_be_begun_with_are_told_and_tried_again(home, thread, collector):
    """Two daemons of one user: the second has to wait until the first has gone."""
    first = ExporterProcess(home.env)
    home.says(on(collector))
    first.start()
    until(lambda: first.exporter_status and first.exporter_status.told)
    thread.start()
    waits = until(lambda: thread.exporter_status and thread.exporter_status.problem)
    assert "already exports telemetry" in waits

    first.stop()

    until(lambda: thread.exporter_status and thread.exporter_status.told)


@pytest.fixture
def exporter(home, collector, monkeypatch):
    monkeypatch.setattr(beside, "LOOK", 0.05)
    monkeypatch.setattr(beside, "AGAIN", 0.0)
    made = ExporterSupervisor({**os.environ, **home.env})
    made.start()
    yield made
    made.stop()


@pytest.mark.req("SQ-14")
def test_a_process_tells_for_as_long_as_the_settings_want_it(home, exporter, collector):
    home.says(on(collector))
    until(lambda: exporter.exporter_status and exporter.exporter_status.told)
    home.happens("s1")
    until(lambda: collector.spans)
    assert exporter.exporter_status.collector == collector.url

    home.says("[telemetry]\nenabled = false\n")

    until(lambda: exporter.pid is None and exporter.exporter_status is None)


@pytest.mark.req("SQ-14")
def test_one_that_dies_has_an_heir_who_goes_on(home, exporter, collector):
    home.says(on(collector))
    until(lambda: exporter.exporter_status and exporter.exporter_status.told)
    os.kill(exporter.pid, signal.SIGKILL)
    home.happens("s1")

    until(lambda: collector.spans)


@pytest.mark.req("SQ-14")
def test_while_nobody_asks_for_it_nothing_of_telemetry_is_loaded(tmp_path):
    look = (
        "import sys, time\n"
        "import snaphook.daemon.handle\n"
        "from snaphook.daemon import exporter_supervisor as outpost\n"
        "outpost.LOOK = 0.01\n"
        f"thread = outpost.ExporterSupervisor({{'HOME': {str(tmp_path)!r}}})\n"
        "thread.start()\n"
        "while thread._live is None: time.sleep(0.01)\n"
        "thread.stop()\n"
        "assert thread.pid is None\n"
        "print(*sorted(m for m in sys.modules if 'telemetry' in m))\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", look], capture_output=True, check=True, text=True
    )

    assert done.stdout.split() == [
        "snaphook.providers.telemetry",
        "snaphook.providers.telemetry.settings",
    ]


@pytest.mark.parametrize(
    ("found", "said"),
    [
        pytest.param(
            ExporterStatus(collector="http://c:4318", told=NOW - 3),
            "Telemetry: http://c:4318, last export 3 s ago.",
            id="well",
        ),
        pytest.param(
            ExporterStatus(collector="http://c:4318"),
            "Telemetry: http://c:4318, not exported yet.",
            id="just begun",
        ),
        pytest.param(
            ExporterStatus(collector="http://c:4318", told=NOW - 7_200, problem=AWAY),
            (
                "Telemetry: the collector cannot be reached or rejects the data, last export 2 "
                "h ago. Records are kept on disk until then."
            ),
            id="away",
        ),
        pytest.param(
            ExporterStatus(prometheus="http://127.0.0.1:9464/metrics", told=NOW),
            "Telemetry: no collector configured. Metrics at http://127.0.0.1:9464/metrics.",
            id="Prometheus alone",
        ),
    ],
)
def test_the_doctor_says_how_telemetry_fares(found, said):
    assert exporter_status(found, NOW) == said
