"""Replay: how many past calls a second are put to the rules.

Every command of the guard's corpus once, in a project of its own, so that nothing is judged twice.
"""

import json
import tempfile
from pathlib import Path
from time import process_time

from bench.table import row, section
from snaphook.config import Environment
from snaphook.replay import CandidatePolicy, CurrentPolicy, compare, past_calls, sources

CORPUS = Path(__file__).parent.parent / "tests" / "corpus" / "guard"


def main() -> None:
    section("Replay (processor time)")
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        (home / "project").mkdir()
        around = Environment(cwd=home / "project", home=home, env={}, managed=home / "etc")
        transcript, calls = _transcript(home)
        [source] = sources([transcript], around, home / "log")
        candidate = home / "candidate.toml"
        candidate.write_text('[guard]\nrules = { "git.discard" = "off" }\n')

        started = process_time()
        report = compare(past_calls(source), CurrentPolicy(around))
        once = process_time() - started
        started = process_time()
        compare(past_calls(source), CandidatePolicy(candidate, around), CurrentPolicy(around))
        twice = process_time() - started
    assert report.calls == calls
    row(f"{calls:,} different calls, against history", calls / once, "/s", 2_000, floor=True)
    row(f"{calls:,} different calls, one policy against another", calls / twice, "/s")


def _transcript(home: Path) -> tuple[Path, int]:
    commands = {
        json.loads(line)["command"]
        for file in sorted(CORPUS.glob("*.jsonl"))
        for line in file.read_text().splitlines()
    }
    path = home / "session.jsonl"
    with path.open("w") as file:
        for number, command in enumerate(sorted(commands)):
            call = {"type": "tool_use", "id": str(number), "name": "Bash"}
            line = {
                "type": "assistant",
                "sessionId": "s",
                "cwd": str(home / "project"),
                "message": {"content": [call | {"input": {"command": command}}]},
            }
            file.write(json.dumps(line) + "\n")
    return path, len(commands)
