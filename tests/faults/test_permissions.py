"""Whatever a session leaves behind, nobody but its owner can read it."""

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

SNAPHOOK = Path(sys.executable).with_name("snaphook")
SETTINGS = "[memory]\nretain = true\n[budget]\nlimit = 5\n[essentials]\n"
CALLS: list[tuple[str, dict[str, object]]] = [
    ("SessionStart", {"source": "startup"}),
    ("UserPromptSubmit", {"prompt": "From now on, use uv."}),
    ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "ls"}}),
    ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}),
    ("PreToolUse", {"tool_name": "Bash", "tool_input": {"command": "git reset --hard"}}),
    (
        "PostToolUse",
        {"tool_name": "Bash", "tool_input": {"command": "ls"}, "tool_response": {"stdout": "a"}},
    ),
    ("Stop", {}),
    ("SessionEnd", {"reason": "other"}),
]
COMMANDS = [
    ["stats"],
    ["audit", "checkpoint"],
    ["memory", "retain", "DECISIONS.md"],
    ["directives", "list"],
    ["outbox", "list"],
    ["trust", "--yes"],
    ["daemon", "stop"],
]


@pytest.mark.parametrize("daemon", [False, True], ids=["direct", "daemon"])
def test_everything_we_write_is_private(tmp_path, daemon):
    home, project, runtime = tmp_path / "home", tmp_path / "project", tmp_path / "run"
    settings = home / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(SETTINGS)
    runtime.mkdir(mode=0o700)
    project.mkdir()
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    (project / "DECISIONS.md").write_text(
        "## Tools\n\n- We decided to use uv, because it is fast.\n"
    )
    (project / "snaphook.toml").write_text('[[hooks.Stop]]\ncommand = "true"\n')
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(runtime)}
    env |= {} if daemon else {"SNAPHOOK_NO_DAEMON": "1"}
    theirs = set(home.rglob("*"))

    def run(*words: str, text: str = "") -> None:
        subprocess.run(
            [str(SNAPHOOK), *words],
            cwd=project,
            env=env,
            input=text.encode(),
            capture_output=True,
            check=False,
            timeout=60,
            umask=0o022,
        )

    try:
        for event, more in CALLS:
            call = {"hook_event_name": event, "session_id": "s", "cwd": str(project), **more}
            run("hook", "claude-code", event, text=json.dumps(call))
    finally:
        for words in COMMANDS:
            run(*words)

    ours = {path for path in home.rglob("*") if path not in theirs}
    # Folders that other programs share: whoever makes them first keeps them private too.
    ours |= {path for path in runtime.rglob("*") if not path.is_socket()}
    assert len(ours) > 20
    open_to_others = {
        str(path.relative_to(tmp_path)): oct(stat.S_IMODE(path.lstat().st_mode))
        for path in ours
        if not path.is_symlink() and path.lstat().st_mode & 0o077
    }
    assert open_to_others == {}
