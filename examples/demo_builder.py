"""A build to watch: three tasks, a gate that fails, a fix in the same session, a report.

Run it: ``python examples/demo_builder.py``. No key, no network: a scripted model answers on loopback,
and everything else (the agent, its tools, the guard, the gates, the journal) is real.
"""

import os
import sys
import tempfile
from pathlib import Path

from snaphook.cli.main import main as snaphook
from snaphook.testing import ModelServer

SPEC = "A greeting in the language of the visitor. English and French for now.\n"
TASKS = """\
# Tasks

- [ ] Write hello.sh, which greets in English
- [ ] Let it greet in French when it is called with 'fr'
- [ ] Say in README.md how to call it
"""
GATES = """\
[
  {"command": "sh -n hello.sh", "name": "syntax"},
  {"command": "sh test.sh", "name": "tests", "timeout": 30}
]
"""
TEST = """\
[ "$(sh hello.sh)" = "Hello" ] || { echo "expected Hello, got: $(sh hello.sh)"; exit 1; }
grep -q fr hello.sh || exit 0
[ "$(sh hello.sh fr)" = "Bonjour" ] || { echo "expected Bonjour, got: $(sh hello.sh fr)"; exit 1; }
echo all good
"""
ENGLISH = "echo Hello"
WRONG = 'case "$1" in (fr) echo Bonsoir;; (*) echo Hello;; esac'
RIGHT = 'case "$1" in (fr) echo Bonjour;; (*) echo Hello;; esac'


def tick(task: str) -> str:
    """Return the tool call that ticks the task which begins with *task*."""
    tasks = ".sauna/jobs/greet/tasks.md"
    return f'call Edit {{"file_path": "{tasks}", "old_string": "- [ ] {task}", "new_string": "- [x] {task}"}}'


def write(file: str, text: str) -> str:
    """Return the tool call that writes *text* into *file*."""
    quoted = text.replace('"', '\\"')
    return f'call Write {{"file_path": "{file}", "content": "{quoted}\\n"}}'


SCRIPT = f"""
turn
  call Read {{"file_path": ".sauna/jobs/greet/tasks.md"}}
  {write("hello.sh", ENGLISH)}
  {tick("Write hello.sh")}
turn
  say hello.sh greets in English.
turn
  call Read {{"file_path": ".sauna/jobs/greet/tasks.md"}}
  call Read {{"file_path": "hello.sh"}}
  {write("hello.sh", WRONG)}
  {tick("Let it greet")}
turn
  say It greets in French too.
turn when "Hook failed"
  say Bonsoir is for the evening.
  {write("hello.sh", RIGHT)}
turn
  say Now it says Bonjour.
turn
  call Read {{"file_path": ".sauna/jobs/greet/tasks.md"}}
  {write("README.md", "sh hello.sh [fr]")}
  {tick("Say in README.md")}
turn
  say The README tells how to call it.
"""


def project(folder: Path) -> Path:
    """Make a project with a job and two gates, and return it."""
    job = folder / "project" / ".sauna" / "jobs" / "greet"
    job.mkdir(parents=True)
    (job / "spec.md").write_text(SPEC)
    (job / "tasks.md").write_text(TASKS)
    (folder / "project" / ".sauna" / "hooks.json").write_text(GATES)
    (folder / "project" / "test.sh").write_text(TEST)
    return folder / "project"


def main() -> int:
    """Show the demo; 0 if all of it worked."""
    with (
        tempfile.TemporaryDirectory(prefix="snaphook-demo-") as name,
        ModelServer(SCRIPT) as server,
    ):
        os.environ.update(server.environment(), HOME=name, XDG_DATA_HOME=f"{name}/data")
        os.chdir(project(Path(name)))
        worked = True
        for words in (["jobs"], ["build", "--job", "greet"], ["report", "--job", "greet"]):
            print(f"\n$ snaphook {' '.join(words)}", flush=True)
            worked = snaphook(words) == 0 and worked
        told_once = sum("Hook failed: `sh test.sh`" in asked.news for asked in server.asked) == 1
        os.chdir("/")
    return 0 if worked and told_once else 1


if __name__ == "__main__":
    sys.exit(main())
