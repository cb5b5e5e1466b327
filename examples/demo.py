"""Show the main job end to end, part by part: no key, no network, nothing of yours touched.

python examples/demo.py [PART …]
"""

import subprocess
import sys
from pathlib import Path

PARTS = {
    "hooks": "Hooks: settings that are checked, approved, tried",
    "guard": "The guard in daily life: a no, an undo, a replay",
    "sandbox": "The sandbox: code that nobody has read, confined",
    "provenance": "A poisoned page: where a value came from decides what may be done with it",
    "essentials": "The essential hooks: a session that knows, and stops cleanly",
    "agent": "An agent in which every hook fires",
    "builder": "The builder: no task passes until its gates do",
    "workspace": "A queue that several agents share",
    "business": "What it costs, and a record that can be proved",
    "memory": "Memory: what one session learns, the next one knows",
    "ui": "The dashboard",
}
"""Each is a script of its own, demo_NAME.py, to read and to run alone."""


def main() -> int:
    """Run the parts that are named, or all of them, and stop at the first that fails."""
    chosen = sys.argv[1:] or list(PARTS)
    for number, name in enumerate(chosen, 1):
        rule = "─" * max(0, 96 - len(PARTS[name]))
        print(f"\n━━ {number}. {PARTS[name]} {rule}\n", flush=True)
        script = Path(__file__).with_name(f"demo_{name}.py")
        if status := subprocess.run([sys.executable, str(script)], check=False).returncode:
            return status
    return 0


sys.exit(main())
