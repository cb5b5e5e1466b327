"""A morning of a team that counts: a budget that stops an agent, and a record that proves itself.

Run it: ``python examples/demo_business.py``. No key, no network: a scripted model answers on loopback.
An agent spends its dollar: told at half, on a cheaper model at 70 %, without helpers at 90 %, stopped
at 100 %. Then somebody cuts the end off the record, and is found out.
"""

import contextlib
import io
import os
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from snaphook.cli.main import main as snaphook
from snaphook.testing import ModelServer

SCRIPT = """
turn
  usage 0 72000
  call Task {"prompt": "look around", "subagent_type": "scout"}
turn when "look around"
  usage 0 1
  say Nothing to see.
turn
  usage 0 400000
  call Task {"prompt": "look again", "subagent_type": "scout"}
turn when "no more subagents"
  usage 0 200000
  call Write {"file_path": "a.txt", "content": "hello"}
turn
  usage 0 10
  say I had to stop.
"""
SETTINGS = """
[agent]
model = "anthropic:claude-sonnet-5"
[budget.tree]
dollars = 1.0
[audit]
keep_years = 7
copy_to = "{folder}/elsewhere"
[tenants.acme]
default = true
"""


def run(console: Console, *words: str) -> str:
    """Run a command of ours, show it, and return what it printed."""
    console.print(f"[bold cyan]$ snaphook {' '.join(words)}[/]")
    raw = io.BytesIO()
    said = io.TextIOWrapper(raw, encoding="utf-8", write_through=True)
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        snaphook(list(words))
    told = raw.getvalue().decode()
    lines = told.rstrip().splitlines()
    if lines and all(line.startswith("{") for line in lines):  # data for programs, not for a screen
        told = f"({len(lines)} checkpoints as JSON, to be stored on another machine)"
    console.print(told.rstrip(), markup=False, highlight=False, soft_wrap=True)
    return told


def play(folder: Path, console: Console) -> bool:
    """Play the morning and say whether everything happened as it should."""
    home, work = folder / "home", folder / "project"
    (home / ".config/snaphook").mkdir(parents=True)
    work.mkdir()
    (home / ".config/snaphook/snaphook.toml").write_text(SETTINGS.format(folder=folder))
    os.environ.update(HOME=str(home), NO_COLOR="1", SNAPHOOK_NO_DAEMON="1")
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SNAPHOOK_TENANT"):
        os.environ.pop(name, None)
    os.chdir(work)
    with ModelServer(SCRIPT) as server:
        os.environ.update(server.environment())
        run(console, "agent", "--permissions", "accept-edits", "write a file")
    report = run(console, "budget", "report")
    run(console, "audit", "key")
    run(console, "audit", "checkpoint")
    honest = run(console, "audit", "verify")
    console.print("[dim]Somebody removes the last two records.[/]")
    log = home / ".local/share/snaphook/tenants/acme/log/direct/00000001.log"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-2]))
    caught = run(console, "audit", "verify")
    return (
        not (work / "a.txt").exists()
        and "tree: 102 % of $1.0000" in report
        and "Complete up to checkpoint" in honest
        and "✗" not in honest
        and "tail cut" in caught
    )


def main() -> int:
    """Show the demo; 0 if all of it worked."""
    console = Console(width=110 if not sys.stdout.isatty() else None)
    here = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="snaphook-demo-") as name:
        try:
            worked = play(Path(name), console)
        finally:
            os.chdir(here)
    return 0 if worked else 1


if __name__ == "__main__":
    sys.exit(main())
