"""Fetch axe-core, which tells whether a page can be used by everybody, for the browser tests.

npm registry  ->  <cache>/axe-core-<version>/node_modules/axe-core/axe.min.js

Idempotent; the cache is the one of ``install_agents.py``.
"""

import shutil
import subprocess
import sys

from install_agents import cache

VERSION = "4.11.0"


def main() -> int:
    """Install it where it is not there."""
    home = cache() / f"axe-core-{VERSION}"
    file = home / "node_modules" / "axe-core" / "axe.min.js"
    if not file.exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        install = ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error"]
        subprocess.run([*install, f"axe-core@{VERSION}"], cwd=home, check=True)
    print(f"axe-core: {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
