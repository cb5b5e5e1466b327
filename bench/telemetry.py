"""What telemetry costs: nothing on the way of an answer, and how much behind it."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from multiprocessing import get_context
from multiprocessing.synchronize import Event
from pathlib import Path
from time import process_time

from bench.table import row, section
from snaphook.canon import HookContext, HooksProvider, PreToolUse
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.telemetry import TelemetryProvider, TelemetrySettings
from snaphook.providers.telemetry.collector import ExportFailure
from snaphook.providers.telemetry.measures import Measures
from snaphook.providers.telemetry.otlp import Otlp
from snaphook.providers.telemetry.pipeline import TelemetryPipeline
from snaphook.providers.telemetry.spans import TraceSpan
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog import EventLog, Record, RecordedAnswer
from snaphook.wiring.recording import record

COUNT = 6_000
CALLS = 1_000
TRIES = 5
CALL = PreToolUse(
    context=HookContext(session_id="s", timestamp=1.0),
    tool_name="Bash",
    tool_args={"command": "git status --short"},
)


class Encodes(Otlp):
    """A collector to which everything is made ready, and then not sent."""

    def spans(self, spans: Sequence[TraceSpan]) -> bool:
        from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

        encode_spans([self._span(span) for span in spans]).SerializePartialToString()
        return True

    def stops(self, stops: Sequence[ExportFailure]) -> bool:
        return True

    def close(self) -> None:
        """Stay open: it is used again."""

    def metrics(self, measures: Measures, now: float) -> bool:
        return True


def main() -> None:
    """Follow a record of usual size; answer while somebody follows; observe in one's own agent."""
    section(f"telemetry ({COUNT} events, processor time of each)")
    row("modules imported by a hook that telemetry brings", _imported(), "", 0)
    collector = Encodes(TelemetrySettings(endpoint="http://127.0.0.1:9"), {})
    row("in the daemon, every trace told", _beside(), "us", 100)
    row("in the process beside it: metrics alone", _least(None), "us", 100)
    row("… with traces, sampled 1 in 10", _least(collector, 0.1), "us", 100)
    row("… with every trace, encoded for OTLP", _least(collector), "us", 100)
    row("observed in one's own agent, on the way of the call", _observed(), "us", 100)


def _imported() -> int:
    """Return how many modules of telemetry the command a host calls has loaded."""
    look = "import sys, snaphook.cli.hook, snaphook.wiring.assembly"
    look += "; print(sum('telemetry' in m for m in sys.modules))"
    said = subprocess.run([sys.executable, "-c", look], capture_output=True, check=True, text=True)
    return int(said.stdout)


def _least(collector: Encodes | None, sample: float = 1.0) -> float:
    """Return what an event costs where neighbours disturb least: the lowest of a few tries."""
    return min(_in_a_home(lambda home: _follow(home, collector, sample)) for _ in range(TRIES))


def _in_a_home(measure: Callable[[Path], float]) -> float:
    with tempfile.TemporaryDirectory(prefix="sh-bench-") as name:
        return measure(Path(name))


def _beside() -> float:
    """Return what an event costs the daemon's process more while another process tells of it."""
    pairs = [
        (_in_a_home(lambda home: _answered(home, told=True)), _in_a_home(_answered))
        for _ in range(TRIES)
    ]
    told, untold = zip(*pairs, strict=True)
    return max(0.0, min(told) - min(untold))


def _answered(home: Path, *, told: bool = False) -> float:
    """Return the microseconds of this process for an event, answered and recorded."""
    log, clean = EventLog(home / "log"), Scrubber()
    engine = Engine([_Silent()], observers=[lambda came: log.write([record(came, clean)])])
    with _telling(home) if told else nullcontext():
        started = process_time()
        for _ in range(CALLS):
            dispatch_sync(engine, CALL)
        took = process_time() - started
    log.close()
    return took / CALLS * 1e6


@contextmanager
def _telling(home: Path) -> Iterator[None]:
    """Have a process tell of what is recorded in *home*, as the daemon has."""
    beside = get_context("spawn")
    ready, over = beside.Event(), beside.Event()
    process = beside.Process(target=_tell, args=(home, ready, over))
    process.start()
    ready.wait()
    try:
        yield
    finally:
        over.set()
        process.join()


def _tell(home: Path, ready: Event, over: Event) -> None:
    collector = Encodes(TelemetrySettings(endpoint="http://127.0.0.1:9"), {})
    pipeline = TelemetryPipeline(
        TelemetrySettings(), home / "log", home, env={}, collector=collector
    )
    ready.set()
    while not over.wait(0.01):
        pipeline.once()
    pipeline.close()


def _follow(home: Path, collector: Encodes | None, sample: float = 1.0) -> float:
    """Return the microseconds of processor time for each event, in a station that catches up."""
    settings = TelemetrySettings(sample=sample)
    pipeline = TelemetryPipeline(settings, home / "log", home, env={}, collector=collector)
    log = EventLog(home / "log")
    log.append([_record(number) for number in range(COUNT)])
    log.close()
    started = process_time()
    assert pipeline.once()
    took = process_time() - started
    pipeline.close()
    return took / COUNT * 1e6


def _record(number: int) -> Record:
    event = ("PreToolUse", "PostToolUse")[number % 2]
    args = {"command": "pytest -q tests/unit && git status --short" * 4}
    return Record(
        id=f"{number:012x}" + "0" * 20,
        time=1e9 + number,
        event=event,
        session=f"session-{number // 200}",
        host="claude-code",
        agent="main",
        project="/home/ada/shop",
        tool="Bash",
        input={"tool_use_id": f"toolu_{number // 2}", "tool_args": args},
        answers=(
            RecordedAnswer(by="guard", duration_ms=0.2),
            RecordedAnswer(by="budget", duration_ms=0.01),
        ),
        duration_ms=0.4,
        salt="0" * 16,
    )


class _Silent(HooksProvider):
    suspends = False

    def on_pre_tool_use(self, event: PreToolUse, context: HookContext) -> None:  # type: ignore[override]
        return None


def _observed() -> float:
    telemetry = TelemetryProvider(TelemetrySettings(interval=60), env={})
    times = []
    for observers in ((), (telemetry.observe,)):
        engine = Engine([_Silent()], observers=observers)
        started = process_time()
        for _ in range(CALLS):
            dispatch_sync(engine, CALL)
        times.append(process_time() - started)
    telemetry.close()
    return (times[1] - times[0]) / CALLS * 1e6
