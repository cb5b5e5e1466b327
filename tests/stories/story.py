"""A story: commands, what they print, and the files they need, in one text.

# a comment
== snaphook.toml            the lines up to the next mark are this file
$ snaphook check            a command, run by sh in the story's own folder
... error ...               lines it prints; '...' stands for anything, also for whole lines
? 1                         its exit status, where it is not 0
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

BIN = Path(sys.executable).parent


class Step(NamedTuple):
    """One command and what it should do."""

    line: int
    command: str
    prints: str
    status: int


class File(NamedTuple):
    """One file to write."""

    path: str
    text: str


def parse(text: str) -> list[Step | File]:
    """Return the steps of a story in order."""
    steps: list[Step | File] = []
    for block in re.split(r"^(?=[$=?#] |== )", text, flags=re.MULTILINE):
        head, _, body = block.partition("\n")
        if head.startswith("== "):
            steps.append(File(head[3:].strip(), body.rstrip("\n") + "\n"))
        elif head.startswith("$ "):
            line = text[: text.index(block)].count("\n") + 1
            steps.append(Step(line, head[2:], body.strip("\n"), 0))
        elif head.startswith("? "):
            last = steps[-1]
            assert isinstance(last, Step), f"'{head}' follows no command"
            steps[-1] = last._replace(status=int(head[2:]))
    return steps


def play(text: str, folder: Path) -> None:
    """Run the story in *folder*; fail at the first step that goes otherwise."""
    home = folder / "home"
    project = folder / "project"
    home.mkdir()
    project.mkdir()
    keep = {
        name: value for name, value in os.environ.items() if name in {"LANG", "LC_ALL", "TMPDIR"}
    }
    path = f"{BIN}:{os.environ['PATH']}"
    env = {**keep, "PATH": path, "HOME": str(home), "NO_COLOR": "1", "COLUMNS": "120"}
    for step in parse(text):
        if isinstance(step, File):
            target = project / step.path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(step.text)
            if step.text.startswith("#!"):
                target.chmod(0o755)
        else:
            done = subprocess.run(
                ["sh", "-c", step.command],
                cwd=project,
                env=env,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=60,
            )
            where = f"line {step.line}: $ {step.command}"
            assert done.returncode == step.status, f"{where}\n{done.stdout}"
            assert _agrees(step.prints, done.stdout), f"{where}\n{done.stdout}"


def _agrees(expected: str, printed: str) -> bool:
    """Say whether *printed* is *expected*, where '...' stands for anything."""
    if not expected:
        return True
    pattern = ".*".join(re.escape(part) for part in expected.split("..."))
    return re.fullmatch(pattern, printed.strip("\n"), flags=re.DOTALL) is not None
