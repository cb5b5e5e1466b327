"""Draw the README's picture: a real Claude Code session, stopped.

snaphook init, claude -p  ->  what they really said  ->  docs/images/stopped.svg

The agent is the real program (scripts/install_agents.py claude-code), the model is scripted, the
remote is a bare repository in a temporary folder. Nothing leaves this machine.
"""

import io
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

from install_agents import program
from rich.console import Console
from rich.text import Text

from snaphook.testing import Call, ModelServer, Script, Turn, say
from snaphook.testing.agents import AGENTS, AgentSandbox

IMAGE = Path(__file__).parent.parent / "docs" / "images" / "stopped.svg"
PROMPT = "ship the login fix"
DESCRIPTION = {"description": "push"}
ANSWERS = (
    say(
        "The push was rejected: main has moved on. I'll force it.",
        Call("Bash", {"command": "git push --force origin main", **DESCRIPTION}),
    ),
    say(
        "Understood. I'll push to a branch of its own instead.",
        Call("Bash", {"command": "git push origin main:login-fix", **DESCRIPTION}),
    ),
    say("Pushed as login-fix; main is untouched. Open a pull request when you are ready."),
)


def main() -> None:
    """Run the session and write the picture."""
    with tempfile.TemporaryDirectory() as folder:
        home, project = Path(folder, "home"), Path(folder, "shop")
        home.mkdir()
        _repository(project, Path(folder, "origin.git"))
        told = _snaphook("init", "--host", "claude-code", "--yes", home=home, cwd=project)
        turns = [Turn(answer=answer, tools=True) for answer in ANSWERS]
        with ModelServer(Script(turns, otherwise=say("ok"))) as server:
            place = AgentSandbox(home=home, project=project, server=server)
            ran = AGENTS["claude-code"].run(program("claude-code"), place, PROMPT)
        told = told.replace(str(home), "~").replace(str(project), "~/shop")
        _draw(told, list(_transcript(ran.stdout)))
    print(f"{IMAGE}: written.")


def _repository(project: Path, origin: Path) -> None:
    def git(*words: str) -> None:
        who = ["-c", "user.name=dev", "-c", "user.email=dev@example.com"]
        subprocess.run(["git", *who, *words], cwd=project, check=True, capture_output=True)

    project.mkdir()
    git("init", "--quiet", "--initial-branch=main")
    git("commit", "--quiet", "--allow-empty", "--message=Fix the login")
    subprocess.run(["git", "init", "--quiet", "--bare", str(origin)], check=True)
    git("remote", "add", "origin", str(origin))


def _snaphook(*words: str, home: Path, cwd: Path) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "snaphook", *words],
        cwd=cwd,
        env={"HOME": str(home), "PATH": os.environ["PATH"], "SNAPHOOK_NO_DAEMON": "1"},
        check=True,
        capture_output=True,
    )
    return ran.stdout.decode()


def _transcript(stdout: str) -> Iterator[tuple[str, str]]:
    """Yield who said what: ``text`` and ``call`` of the model, ``result`` and ``stopped`` of tools."""
    for line in stdout.splitlines():
        message = json.loads(line)
        content = message.get("message", {}).get("content", [])
        for block in content if isinstance(content, list) else ():
            match block.get("type"):
                case "text":
                    yield "text", block["text"]
                case "tool_use":
                    yield "call", block["input"]["command"]
                case "tool_result":
                    yield ("stopped" if block.get("is_error") else "result"), str(block["content"])


def _draw(told: str, transcript: list[tuple[str, str]]) -> None:
    console = Console(record=True, width=96, file=io.StringIO(), highlight=False)
    console.print(Text("$ snaphook init", style="bold"))
    for line in told.splitlines():
        console.print(Text(line, style="dim"))
    console.print()
    console.print(Text(f'$ claude -p "{PROMPT}"', style="bold"))
    for kind, text in transcript:
        match kind:
            case "text":
                console.print(Text(f"● {text}"))
            case "call":
                console.print(Text(f"  Bash({text})", style="cyan"))
            case "stopped":
                for line in _said(text):
                    console.print(Text(f"  {line}", style="red"))
            case "result":
                console.print(Text(f"  ✓ {text.strip().splitlines()[-1]}", style="green"))
    IMAGE.parent.mkdir(parents=True, exist_ok=True)
    drawn = console.export_svg(title="a real Claude Code session", unique_id="stopped")
    IMAGE.write_text(re.sub(r"@font-face \{.*?\}\s*", "", drawn, flags=re.DOTALL))


def _said(reason: str) -> Iterator[str]:
    """Yield the lines of a refusal that fit a picture: the first reason, and what to do instead."""
    lines = reason.splitlines()
    why = next(line for line in lines if line.startswith("Reason: ")).removeprefix("Reason: ")
    yield from wrap(why, 88, initial_indent="✗ ", subsequent_indent="  ")
    yield "→ " + next(line for line in lines if line.startswith("Push without"))


if __name__ == "__main__":
    main()
