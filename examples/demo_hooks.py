"""The first half of ``make demo``: settings, a check, trust, and events fired by hand.

Everything runs in a folder of its own with a home of its own; nothing on this machine is touched.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

BOLD, DIM, END = ("\033[1m", "\033[2m", "\033[0m") if sys.stdout.isatty() else ("", "", "")

BROKEN = """\
[[hooks.PreToolUze]]
matcher = "Bash"
comand = "exit 0"
"""

SETTINGS = """\
[[hooks.UserPromptSubmit]]
name = "today"
command = 'echo "The release branch is frozen."'

[[hooks.PostToolUse]]
name = "no-tabs"
matcher = "Edit|Write"
command = '''
file=$(snaphook field file) || exit 0
if grep -q "$(printf '\\t')" "$file"; then
  echo "$file holds tabs. Indent with spaces." >&2
  exit 2
fi
'''

[[hooks.Stop]]
name = "tests"
command = 'echo "2 tests fail. Fix them first." >&2; exit 2'
"""


def main() -> None:
    """Show the main job, step by step."""
    with tempfile.TemporaryDirectory(prefix="snaphook-demo-") as folder:
        project = Path(folder) / "project"
        project.mkdir()
        stage = Stage(project, home=Path(folder) / "home")
        settings_and_trust(stage)
        events(stage)
        the_guard(stage)


class Stage:
    """A project and a home; runs commands and shows them as a person would type them."""

    def __init__(self, project: Path, *, home: Path) -> None:
        home.mkdir()
        bin_folder = Path(sys.executable).parent
        self.project = project
        self.env = {
            "HOME": str(home),
            "PATH": f"{bin_folder}:{os.environ['PATH']}",
            "NO_COLOR": "1",
            "COLUMNS": "110",
        }

    def say(self, text: str) -> None:
        """Tell what comes next, and why."""
        print(f"\n{BOLD}{text}{END}")

    def run(self, command: str) -> None:
        """Show *command* and what it prints."""
        print(f"{DIM}$ {command}{END}", flush=True)
        subprocess.run(["sh", "-c", command], cwd=self.project, env=self.env, check=False)


def settings_and_trust(stage: Stage) -> None:
    """Show a broken file, its mending, and the approval a stranger's file needs."""
    settings = stage.project / "snaphook.toml"
    stage.say("1. A settings file with two mistakes. 'check' finds both, with line and fix.")
    settings.write_text(BROKEN)
    stage.run("snaphook check")
    stage.say("2. The file fixed. Its commands came with a repository, so you must approve them.")
    settings.write_text(SETTINGS)
    stage.run("snaphook check && snaphook trust --yes")


def events(stage: Stage) -> None:
    """Fire the events of a small session."""
    stage.say("3. A prompt: the hook's output becomes context for the model.")
    stage.run('snaphook fire UserPromptSubmit --prompt "Add a retry to the client"')
    stage.say("4. The agent edits a file. The hook looks at it and tells the agent what is wrong.")
    (stage.project / "client.py").write_text("def get():\n\treturn 1\n")
    stage.run("""snaphook fire PostToolUse --tool Edit --input '{"file_path": "client.py"}'""")
    stage.say("5. The agent says it is done. It is not.")
    stage.run("snaphook fire Stop")


def the_guard(stage: Stage) -> None:
    """Show what the guard understands, and what it leaves alone."""
    stage.say(
        "6. The guard reads commands, not text: this deletes everything, however it is spelled."
    )
    stage.run("snaphook explain 'X=/ && sudo rm -fr $X*' | head -n 7")
    stage.say("7. And this only mentions it.")
    stage.run("""snaphook explain 'git commit -m "never rm -rf / again"' | head -n 1""")


if __name__ == "__main__":
    main()
