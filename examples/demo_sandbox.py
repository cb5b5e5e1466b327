"""A part of ``make demo``: a build that deletes more than it says, confined and tried.

Everything runs in a folder of its own with a home of its own; nothing on this machine is touched.
"""

import tempfile
from pathlib import Path

from demo_hooks import Stage

CLEAN = """\
import os
for name in ("build.log", os.path.expanduser("~/Documents/thesis.txt")):
    try:
        os.unlink(name)
    except OSError:
        pass  # and says nothing
"""


def main() -> None:
    """Show what the sandbox does with 'make clean'."""
    with tempfile.TemporaryDirectory(prefix="snaphook-demo-", dir=Path.home()) as folder:
        project = Path(folder) / "home" / "project"
        stage = Stage(project, home=Path(folder) / "home")
        project.mkdir()
        (project / "clean.py").write_text(CLEAN)
        (project / "Makefile").write_text("clean:\n\t@python3 clean.py\n")
        (project / "build.log").touch()
        thesis = stage.project.parent / "Documents" / "thesis.txt"
        thesis.parent.mkdir()
        thesis.write_text("five years of work\n")
        stage.run("git init --quiet")
        stage.say(
            "1. 'make clean' runs a script. It deletes more than a build, and hides its errors."
        )
        stage.run("cat clean.py")
        stage.run("snaphook sandbox explain -- make clean | head -2")
        stage.say(
            "2. Confined, the build is cleaned, the rest stays, and what was refused is reported."
        )
        stage.run("snaphook sandbox run -- make clean")
        stage.run("cat ~/Documents/thesis.txt; ls build.log || true")
        stage.say("3. A trial runs in an overlay, shows every effect, and changes nothing.")
        stage.run("snaphook sandbox try -- 'echo made > made.txt; rm -f ~/Documents/thesis.txt'")
        stage.run("cat ~/Documents/thesis.txt")


if __name__ == "__main__":
    main()
