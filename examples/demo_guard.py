"""The guard in daily life, for ``make demo``: a denial, an undo, a replay.

Everything runs in a folder of its own with a home and a daemon of its own; nothing on this machine is
touched. The agent is played by this script: it asks the hook as Claude Code does, and runs what may run.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

BOLD, DIM, RED, GREEN, END = (
    ("\033[1m", "\033[2m", "\033[31m", "\033[32m", "\033[0m") if sys.stdout.isatty() else ("",) * 5
)
SETTINGS = """\
[guard]
safety_net = ["git.reset-unsaved", "git.discard", "delete.sources"]
"""
CANDIDATE = """\
[guard.rules]
"git.push-protected" = "ask"
"git.push-force" = "ask"
"""
PROJECT = (
    "git init -q -b main && git config user.name Ada && git config user.email ada@example.org && "
    "echo 'print(\"hello\")' > app.py && git add . && git commit -qm Begin && "
    "echo 'print(\"half a day of work\")' >> app.py"
)


class Stage:
    """A project, a home, and an agent who asks before it runs anything."""

    def __init__(self, folder: Path) -> None:
        self.project = folder / "project"
        home, runtime = folder / "home", folder / "run"
        for one in (self.project, home / ".config/snaphook", runtime):
            one.mkdir(parents=True, mode=0o700)
        (home / ".config/snaphook/snaphook.toml").write_text(SETTINGS)
        self.env = {
            "HOME": str(home),
            "XDG_RUNTIME_DIR": str(runtime),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "NO_COLOR": "1",
            "COLUMNS": "110",
            "TERM": os.environ.get("TERM", "dumb"),
        }

    def say(self, text: str) -> None:
        """Tell what comes next, and why."""
        print(f"\n{BOLD}{text}{END}", flush=True)

    def person(self, command: str, *, shown: bool = True) -> None:
        """Run what the person types."""
        if shown:
            print(f"{DIM}$ {command}{END}", flush=True)
        quiet = None if shown else subprocess.DEVNULL
        subprocess.run(
            ["sh", "-c", command], cwd=self.project, env=self.env, check=False, stdout=quiet
        )

    def agent(self, command: str) -> None:
        """Ask about *command* as an agent does; run it if nobody objects."""
        print(f"{DIM}▸ {command}{END}", flush=True)
        wire = {
            "hook_event_name": "PreToolUse",
            "session_id": "demo",
            "cwd": str(self.project),
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }
        done = subprocess.run(
            ["snaphook", "hook", "claude-code", "PreToolUse"],
            input=json.dumps(wire),
            capture_output=True,
            text=True,
            env=self.env,
            cwd=self.project,
            check=True,
        )
        said = json.loads(done.stdout or "{}").get("hookSpecificOutput", {})
        if said.get("permissionDecision"):
            print(f"{RED}{said['permissionDecision']}{END}  {_gist(said)}")
            return
        print(f"{GREEN}goes on{END}  {said.get('additionalContext', '')}")
        self.person(command, shown=False)


def _gist(said: dict[str, str]) -> str:
    """Return the lines of the guard's message that a reader needs."""
    lines = said["permissionDecisionReason"].splitlines()
    return "\n      ".join(
        line for line in lines if line.startswith(("Reason: ", "Push ", "A person "))
    )


def main() -> None:
    """Play the three scenes."""
    with tempfile.TemporaryDirectory(prefix="sh-demo-", ignore_cleanup_errors=True) as folder:
        stage = Stage(Path(folder))
        try:
            play(stage)
        finally:
            stage.person("snaphook daemon stop", shown=False)


def play(stage: Stage) -> None:
    """Show a denial, an undo and a replay."""
    stage.person(PROJECT, shown=False)
    stage.person("snaphook daemon start", shown=False)
    stage.say("1. A denial. The agent hears why, what to do instead, and who could allow it.")
    stage.agent("git push --force origin main")
    stage.agent("snaphook allow 1 --once")
    stage.say("2. An undo. A snapshot is taken before a risky command, so it can be undone.")
    stage.agent("git reset --hard")
    stage.person("cat app.py")
    stage.person("snaphook undo && cat app.py")
    stage.say(
        "3. A replay. A stricter policy is tried on what has happened, before it stops anybody."
    )
    (stage.project / "candidate.toml").write_text(CANDIDATE)
    stage.person("snaphook replay --policy candidate.toml")


if __name__ == "__main__":
    main()
