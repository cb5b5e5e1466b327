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
from snaphook.providers.guard import GuardAnswer, GuardSettings, Judgement, StillWorld, examine
from snaphook.providers.guard.custom_rules.tables import CustomRule
from snaphook.providers.guard.examine import examine_tool

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


def _approval() -> None:
    """What a proof costs on top of the guard's own time, for commands that are approved and others."""
    from snaphook.providers.guard.approval.proof import prove
    from snaphook.providers.guard.path_classes import PathClasses

    rows = [
        json.loads(line) for file in sorted(CORPUS.glob("everyday_*.jsonl")) for line in file.open()
    ]
    times = []
    for one in rows:
        judgement = examine(one["command"], WORLD)
        best = []
        for _ in range(4):
            classes = PathClasses(WORLD, GuardSettings())
            started = process_time()
            prove(judgement, classes, level="project", trusted=True)
            best.append(process_time() - started)
        times.append(min(best))
    times.sort()
    row(f"a proof on top, median of {len(times)}", median(times) * 1e6, "µs", 20)
    row("… 99 of 100", times[int(len(times) * 0.99)] * 1e6, "µs")


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


def _own_rules() -> None:
    """A thousand rules of one's own cost a command little more than one."""
    few, many = (GuardSettings(own=_rules(count)) for count in (1, 1_000))
    cases = {
        "a program with a rule": ("tool-5 install left-pad", {}),
        "a program without": ("git status", {}),
        "a path": ("cp notes.txt docs/part-6/notes.txt", {}),
        "a whole folder": ("rm -r docs/part-6", {}),
        "a tool": ("", {"query": "x"}),
    }
    for name, (command, args) in cases.items():
        one, thousand = (_judging(command, args, settings) for settings in (few, many))
        row(f"1,000 rules of one's own, {name}: more than 1", (thousand - one) * 1e6, "µs", 50)
        row(f"… {name}: times 1", thousand / max(one, SMALLEST), "×", 2)


def _judging(command: str, args: dict[str, str], settings: GuardSettings) -> float:
    def judge() -> Judgement:
        if command:
            return examine(command, WORLD, settings=settings)
        return examine_tool("WebSearch", args, WORLD, settings=settings)

    judge()
    times = []
    for _ in range(200):
        started = process_time()
        judge()
        times.append(process_time() - started)
    return median(times)


def _rules(count: int) -> tuple[CustomRule, ...]:
    """Return rules as people write them: by program, by path, by tool, about the guard's own."""
    made = []
    for at in range(count):
        match at % 4:
            case 0 | 1:
                made.append(
                    CustomRule(id=f"p{at}", verdict="deny", program=f"tool-{at}", args="x{9}")
                )
            case 2:
                paths = (f"docs/part-{at}/**", f"infra/{at}/*.tf")
                made.append(
                    CustomRule(id=f"f{at}", verdict="ask", paths=paths, does=("writes", "deletes"))
                )
            case _:
                made.append(CustomRule(id=f"t{at}", verdict="warn", tool=f"mcp__server{at}__write"))
    return tuple(made)


def main() -> None:
    section("guard")
    _corpus()
    _approval()
    for name, command in HOSTILE.items():
        row(name, _seconds(command) * 1e3, "ms", 50)
        if examine(command, WORLD).answer is not GuardAnswer.DENY:
            row(f"{name}: denied", 0, "", 1, floor=True)
    _growth()
    _own_rules()
