"""Settings: what loading costs, against only parsing the same files."""

import json
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from bench.table import per_call, row, section
from snaphook.config import Environment, LiveSettings, load
from snaphook.config.check import check

HOOKS = 500
ROUNDS = 7
EVENTS = ("PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit")


def _json() -> str:
    hooks: dict[str, list[object]] = {event: [] for event in EVENTS}
    for n in range(HOOKS):
        group: dict[str, object] = {
            "hooks": [{"type": "command", "command": f"echo hook number {n}", "timeout": 30}]
        }
        event = EVENTS[n % len(EVENTS)]
        if "ToolUse" in event:
            group["matcher"] = "Edit|Write"
        hooks[event].append(group)
    return json.dumps({"hooks": hooks}, indent=2)


def _toml(hooks: int = HOOKS) -> str:
    return "".join(
        f'[[hooks.{EVENTS[n % 2]}]]\nmatcher = "Edit|Write"\n'
        f'command = "echo hook number {n}"\ntimeout = 30\n\n'
        for n in range(hooks)
    )


@contextmanager
def _home(name: str, text: str) -> Iterator[Environment]:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        file = base / "home" / name
        file.parent.mkdir(parents=True)
        file.write_text(text)
        (base / "project/.git").mkdir(parents=True)
        yield Environment(cwd=base / "project", home=base / "home", env={}, managed=base / "etc")


def _ratio(one: float, other: float) -> float:
    return one / other if other else 0.0


def main() -> None:
    """Print the table."""
    section(f"settings: {HOOKS} hooks")
    for name, text, parse, bound in (
        (".claude/settings.json", _json(), json.loads, 20),
        (".config/snaphook/snaphook.toml", _toml(), tomllib.loads, 3),
    ):
        kind = Path(name).suffix[1:].upper()
        with _home(name, text) as around:
            assert len(load(around).hooks) == HOOKS
            quotients, times = [], []
            for _ in range(ROUNDS):
                bare = per_call(lambda text=text, parse=parse: parse(text), calls=5, rounds=1)
                full = per_call(lambda around=around: load(around), calls=5, rounds=1)
                quotients.append(_ratio(full, bare))
                times.append(full)
            row(f"load from {kind}", median(times) * 1e3, "ms")
            row(f"load from {kind} against parsing it", median(quotients), "×", bound)
            live = LiveSettings(around)
            row(f"look whether {kind} changed", per_call(live.current, calls=200) * 1e6, "µs")
    with _home(".config/snaphook/snaphook.toml", _toml(40)) as around:
        row(
            "check of a file with 40 hooks",
            per_call(lambda: check(around), calls=1) * 1e3,
            "ms",
        )
