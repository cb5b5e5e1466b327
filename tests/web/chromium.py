"""Where a Chromium is, and the rules of axe-core; both are looked for, neither is brought along.

``scripts/install_axe.py`` fetches axe-core into the cache that the tests share.
"""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MAC = Path("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome")


def program() -> str:
    """Return the browser to start; empty if there is none."""
    found = next((path for name in PROGRAMS if (path := shutil.which(name))), "")
    return found or (str(MAC) if MAC.exists() else "")


def axe() -> Path | None:
    """Return the file that checks a page, if it was fetched."""
    named = os.environ.get("SNAPHOOK_TEST_CACHE")
    cache = Path(named) if named else Path.home() / ".cache" / "snaphook-tests"
    found = sorted(cache.glob("axe-core-[0-9]*/node_modules/axe-core/axe.min.js"))
    return found[-1] if found else None


def missing() -> str | None:
    """Return what is missing for the dashboard to be tried in a browser; ``None`` if nothing is."""
    if not program():
        return "no Chromium is installed"
    if find_spec("playwright") is None:
        return "run: pip install playwright"
    return None if axe() else "run: python scripts/install_axe.py"
