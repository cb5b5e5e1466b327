"""The dashboard over what just happened: a few calls, one of them stopped, and where to look at it.

Run it: ``python examples/demo_ui.py``. The dashboard is started on a free port, asked for its first
view to show that it serves, and stopped again; ``snaphook ui`` opens your own.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

COMMANDS = ("git status --short", "pytest -q", "git push --force origin main", "ls src")
PROGRAM = [sys.executable, "-m", "snaphook"]


def main() -> int:
    """Have some calls decided, then show them."""
    with tempfile.TemporaryDirectory(prefix="snaphook-demo-") as folder:
        env = {**os.environ, "HOME": folder, "SNAPHOOK_NO_DAEMON": "1", "XDG_RUNTIME_DIR": folder}
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
            env[name] = str(Path(folder) / name.lower())
        for command in COMMANDS:
            call = {
                "hook_event_name": "PreToolUse",
                "session_id": "demo",
                "cwd": folder,
                "tool_name": "Bash",
                "tool_input": {"command": command},
            }
            hook = [*PROGRAM, "hook", "claude-code"]
            wire = json.dumps(call).encode()
            subprocess.run(hook, input=wire, env=env, cwd=folder, capture_output=True, check=False)
        return show(env, folder)


def show(env: dict[str, str], folder: str) -> int:
    """Start the dashboard, fetch its first view, and say how to open one."""
    ui = subprocess.Popen(
        [*PROGRAM, "ui", "--port", "0", "--no-open"],
        env=env,
        cwd=folder,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert ui.stdout is not None
    try:
        address = ui.stdout.readline().split()[-1]
        with urlopen(f"{address}feed?verdict=stopped", timeout=20) as answer:
            page = answer.read().decode()
        stopped = page.count('<li class="row')
        print(
            f"\nThe dashboard showed {len(COMMANDS)} calls, {stopped} of them blocked; it is closed again."
        )
        print("Open your own with: snaphook ui    or, in the terminal: snaphook top")
        return 0 if stopped == 1 else 1
    finally:
        ui.terminate()
        ui.wait(10)


if __name__ == "__main__":
    sys.exit(main())
