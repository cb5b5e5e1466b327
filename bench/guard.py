"""The guard: what one command costs, what a hostile one costs, and that cost grows with length.

Processor time, not wall time, so that a busy machine does not count.
"""

import gc
import json
import shlex
from functools import reduce
from pathlib import Path
from statistics import median
from time import process_time

from bench.table import row, section
from snaphook.providers.guard import Answer, StillWorld, examine

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "guard"
WORLD = StillWorld()
SMALLEST = 1e-6

HOSTILE = {
    "40 unclosed $(": "rm -rf ~ ; " + "$(" * 40,
    "200 nested $(…)": "echo " + "$(" * 200 + "rm -rf /" + ")" * 200,
    "8 nested bash -c": reduce(
        lambda text, _: f"bash -c {shlex.quote(text)}", range(8), "rm -rf /"
    ),
    "2,000 statements": "ls -la;\n" * 2_000 + "rm -rf /",
    "300 KB of padding": " " * 300_000 + "rm -rf /",
    "100 KB here-document": "cat > f <<'EOF'\n" + "hello world\n" * 8_500 + "EOF\nrm -rf /",
    "100 KB of words": "echo " + "abc " * 25_000 + "; rm -rf /",
    "100 KB of expansions": 'echo "' + "a$b " * 25_000 + '"; rm -rf /',
    "a variable doubled 60 times": "a=x;" + "a=$a$a;" * 60 + "rm -rf /",
}


def _seconds(command: str, rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        started = process_time()
        examine(command, WORLD)
        times.append(process_time() - started)
    return min(times)


def _corpus() -> None:
    rows = [json.loads(line) for file in sorted(CORPUS.glob("*.jsonl")) for line in file.open()]
    commands = [one["command"] for one in rows]
    for command in commands:
        examine(command, WORLD)
    gc.collect()
    gc.freeze()
    times = sorted(_seconds(command, 3) for command in commands)
    row(f"one command, median of {len(times)}", median(times) * 1e6, "µs", 150)
    row("… 99 of 100", times[int(len(times) * 0.99)] * 1e6, "µs", 1_000)


def _growth() -> None:
    """Twice the text costs twice the time, not four times."""
    for name, unit in (
        ("statements", "echo one two > out;\n"),
        ("words", "word "),
        ("text", "x" * 50),
    ):
        few, many = (
            _seconds(("echo " if name != "statements" else "") + unit * n) for n in (50, 200)
        )
        row(f"four times the {name}", many / max(few, SMALLEST), "×", 6)


def main() -> None:
    section("guard")
    _corpus()
    for name, command in HOSTILE.items():
        row(name, _seconds(command) * 1e3, "ms", 50)
        if examine(command, WORLD).answer is not Answer.DENY:
            row(f"{name}: denied", 0, "", 1, floor=True)
    _growth()
