"""How often provenance interrupts work that nobody has poisoned.

everyday commands, in sessions of 40  ->  the share that is asked about or denied by provenance alone

The commands are the guard's own corpus of everyday work. A session of the second kind has first read three
pages of documentation from outside, as agents do; none of them tells the agent anything.
"""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.table import row, section
from snaphook.canon import HookContext, PostToolUse, PreToolUse, UserPromptSubmit, Verdict, verdict
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.provenance.provider import ProvenanceProvider
from snaphook.shell.known_programs import PROGRAMS
from snaphook.shell.live import LiveWorld
from snaphook.shell.understood import Understood, understand
from snaphook.stores.provenance.store import ProvenanceStore

ROOT = Path(__file__).parent.parent
CORPUS = ROOT / "tests" / "corpus" / "guard"
CALLS = 40
"""Commands of one session."""


def main() -> None:
    """Print the share of interruptions in sessions without and with text from outside."""
    section("Provenance: interruptions of everyday work")
    commands = list(_commands())
    with TemporaryDirectory() as folder:
        for name, pages, goal in (
            ("without text from outside", [], 0.3),
            ("after three pages from outside", list(_pages()), 1.0),
        ):
            stopped = Counter(_interrupted(commands, pages, Path(folder) / name.split()[0]))
            share = 100 * sum(stopped.values()) / len(commands)
            row(f"of {len(commands):,} calls {name}, interrupted", share, "%", goal)
            for command, times in stopped.most_common(8):
                print(f"    {times} x {command[:100]}")


def _commands() -> Iterator[str]:
    files = [*sorted(CORPUS.glob("everyday_*.jsonl")), CORPUS / "false_positives.jsonl"]
    for file in files:
        for line in file.read_text().splitlines():
            case = json.loads(line)
            if case["expect"] == "allow":
                yield case["command"]


def _pages() -> Iterator[tuple[str, str]]:
    """Yield documentation as a fetched page would be: addresses, packages and commands in plenty."""
    for name in ("how-to/install.md", "how-to/telemetry.md", "how-to/daemon.md"):
        yield f"https://docs.example.org/{name}", (ROOT / "docs" / name).read_text()


def _interrupted(commands: list[str], pages: list[tuple[str, str]], folder: Path) -> Iterator[str]:
    project = folder / "project"
    project.mkdir(parents=True)
    provider = ProvenanceProvider(store=ProvenanceStore(folder / "data"), shell=_understood)
    engine = Engine([provider])
    for start in range(0, len(commands), CALLS):
        context = HookContext(session_id=f"s{start}", cwd=str(project), team_root=str(project))
        dispatch_sync(engine, UserPromptSubmit(context=context, prompt="Go on with the release."))
        for url, text in pages:
            read = {"tool_name": "WebFetch", "tool_args": {"url": url}, "tool_result": text}
            dispatch_sync(engine, PostToolUse(context=context, **read))
        provider.settle(context)
        for command in commands[start : start + CALLS]:
            event = PreToolUse(context=context, tool_name="Bash", tool_args={"command": command})
            output = dispatch_sync(engine, event).output
            if verdict(output) in (Verdict.ASK, Verdict.DENY):
                yield command


def _understood(command: str, context: HookContext) -> Understood:
    return understand(command, LiveWorld(context.cwd, env={}, project=context.team_root), PROGRAMS)
