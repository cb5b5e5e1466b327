"""What one session learns, the next one knows: no key, no network, nothing left behind.

session 1 stops  ->  retained in the background  ->  session 2 starts, and is told
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

DECISIONS = """\
# Decisions

## D-001: Storage backend
**Status:** Accepted
**Decision:** SQLite in WAL mode, one file for each user
**Rationale:** no server is needed, and readers never wait
"""
THOUGHTS = """\
# Thoughts

**Problem:** The tests hang on macOS after the fork
**Fix:** Use spawn in tests/conftest.py:12, verified on three machines

- The release script needs `make generate` first, or docs-check fails
"""


def main() -> int:
    """Play both sessions in a folder of their own."""
    with tempfile.TemporaryDirectory(prefix="snaphook-demo-") as name:
        home = Path(name)
        project = home / "project"
        (project / ".git").mkdir(parents=True)
        settings = home / ".config" / "snaphook" / "snaphook.toml"
        settings.parent.mkdir(parents=True)
        settings.write_text("[memory]\n")
        snaphook = Demo(home, project)
        print(
            "Notes that came with somebody else's repository are kept as quotes. This one is ours:"
        )
        print("$ snaphook trust --yes")
        snaphook.run("trust", "--yes")
        (project / "DECISIONS.md").write_text(DECISIONS)
        (project / "THOUGHTS.md").write_text(THOUGHTS)
        print("\nSession 1 wrote down what it decided and found out. It stops:")
        snaphook.hook("Stop", session="one")
        print(f"  {snaphook.retained()} memories were kept in the background.")
        for document in ("DECISIONS.md", "THOUGHTS.md"):
            (project / document).unlink()
        print("\nSession 2 starts in the same project, its notes long gone. It is told:")
        answer = snaphook.hook("SessionStart", session="two")
        print(answer["hookSpecificOutput"]["additionalContext"])
        print("\n$ snaphook memory recall 'why do tests hang' --explain")
        snaphook.run("memory", "recall", "why do tests hang", "--explain", "--limit", "1")
    return 0


class Demo:
    """The program, run in a home of its own."""

    def __init__(self, home: Path, project: Path) -> None:
        self._project = project
        self._env = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "SNAPHOOK_NO_DAEMON": "1",
            "NO_COLOR": "1",
        }

    def run(self, *words: str) -> None:
        """Run a command and show what it prints."""
        sys.stdout.flush()
        self._call(words, stdout=None)

    def retained(self) -> int:
        """Wait for the background to be done; return how many memories there are."""
        for _ in range(300):
            told = json.loads(
                self._call(("memory", "stats", "--json"), stdout=subprocess.PIPE).stdout
            )
            if told["memories"]:
                return int(told["memories"])
            time.sleep(0.1)
        raise SystemExit("nothing was retained: 'snaphook outbox list' would tell why")

    def hook(self, event: str, *, session: str) -> dict[str, dict[str, str]]:
        """Tell of *event* as Claude Code would, and return the answer."""
        wire = {"hook_event_name": event, "session_id": session, "cwd": str(self._project)}
        if event == "SessionStart":
            wire["source"] = "startup"
        done = self._call(("hook", "claude-code"), stdout=subprocess.PIPE, stdin=json.dumps(wire))
        answer: dict[str, dict[str, str]] = json.loads(done.stdout or "{}")
        return answer

    def _call(
        self, words: tuple[str, ...], *, stdout: int | None, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-I", "-m", "snaphook", *words],
            input=stdin,
            stdout=stdout,
            text=True,
            env=self._env,
            cwd=self._project,
            check=True,
        )


if __name__ == "__main__":
    sys.exit(main())
