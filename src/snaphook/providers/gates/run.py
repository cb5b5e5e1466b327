"""Run gates in order, up to the first that fails.

Gates  ->  Verdicts

Each is handed to ``sh -c`` as it was written, in the codebase. What a builder reads of its output is
bounded; where that leaves something out, a file that the feedback names holds the rest.
"""

import contextlib
import re
import signal
from collections.abc import Callable, Iterable
from pathlib import Path

from snaphook.process import CapturedStream, Completed, run_async
from snaphook.storage.files import create

from .gate import Gate, GateRun, Verdicts

KEEP = 24 * 1024
"""Bytes of each stream that a builder reads."""
FULL = 8 * 1024 * 1024
"""Bytes of each stream that are kept on disk."""
_UNREADABLE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]")
"""Colours and other control characters: noise to a model, and some of its programs refuse them."""

Watch = Callable[[Gate, GateRun | None], None]


def unwatched(_gate: Gate, _run: GateRun | None) -> None:
    """Tell nobody."""


async def run_gates(
    gates: Iterable[Gate],
    *,
    codebase: Path,
    outputs: Path | None = None,
    watch: Watch = unwatched,
) -> Verdicts:
    """Return how *gates* went; *watch* hears of each before (with ``None``) and after it ran."""
    runs: list[GateRun] = []
    for gate in gates:
        watch(gate, None)
        run = await run_gate(gate, codebase=codebase, outputs=outputs)
        runs.append(run)
        watch(gate, run)
        if not run.passed:
            break
    return Verdicts(runs=tuple(runs))


async def run_gate(gate: Gate, *, codebase: Path, outputs: Path | None = None) -> GateRun:
    """Return how *gate* went. A gate that cannot be run has failed."""
    completed = await run_async(
        gate.command, cwd=str(codebase), timeout=gate.timeout, keep=FULL if outputs else KEEP
    )
    shortened = [_shortened(stream) for stream in (completed.stdout, completed.stderr)]
    long = any(stream.dropped for stream in shortened)
    return GateRun(
        gate=gate,
        exit_code=completed.status,
        output=_joined(shortened),
        full_output=_kept(completed, outputs) if long and outputs else "",
        why=_why(completed, gate),
        duration=completed.duration,
    )


def _shortened(stream: CapturedStream) -> CapturedStream:
    """Return the beginning and the end of *stream*, small enough to be read by a model."""
    whole = stream.head + stream.tail
    if len(whole) <= KEEP:
        return stream
    half = KEEP // 2
    return CapturedStream(whole[:half], whole[-half:], len(whole) - KEEP + stream.dropped)


def _joined(streams: list[CapturedStream]) -> str:
    texts = (_readable(stream.text).strip("\n") for stream in streams)
    return "\n".join(text for text in texts if text)


def _readable(text: str) -> str:
    return _UNREADABLE.sub("", text.replace("\r\n", "\n"))


def _kept(completed: Completed, outputs: Path) -> str:
    """Return the file that now holds the output; empty where the disk would not take it."""
    with contextlib.suppress(OSError):
        outputs.mkdir(parents=True, exist_ok=True)
        text = "\n".join(part.text for part in (completed.stdout, completed.stderr))
        number = sum(1 for _ in outputs.glob("gate-*.log")) + 1
        # Another build may have counted the same files: whoever comes second takes the next number.
        while not create(path := outputs / f"gate-{number:04}.log", text.encode(), mode=0o644):
            number += 1
        return str(path)
    return ""


def _why(completed: Completed, gate: Gate) -> str:
    if completed.failure:
        return f"it could not be started: {completed.failure}"
    if completed.timed_out:
        return f"it timed out after {gate.timeout:g} s"
    if completed.signal:
        return f"it was killed by {signal.Signals(completed.signal).name}"
    return ""
