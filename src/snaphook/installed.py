"""How this copy of Snaphook was installed, and the command that adds an optional dependency to it.

sys.prefix, direct_url.json  ->  "uv tool install --force 'snaphook[web]'"

Loaded only when something is missing.
"""

import json
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname


def install_command(extra: str, *, prefix: Path | None = None) -> str:
    """Return the command that installs Snaphook with *extra*, for the tool that installed it.

    uv and pipx leave a file of their own in the environments they make. Elsewhere it is pip.
    """
    prefix = prefix or Path(sys.prefix)
    wanted = requirement(extra)
    if (prefix / "uv-receipt.toml").exists():
        return f"uv tool install --force '{wanted}'"
    if (prefix / "pipx_metadata.json").exists():
        return f"pipx install --force '{wanted}'"
    editable = "--editable " if wanted.startswith(("/", ".")) else ""
    return f"pip install {editable}'{wanted}'"


def requirement(extra: str) -> str:
    """Return what to install: by name, or from where this copy came if that was no index."""
    try:
        told = distribution("snaphook").read_text("direct_url.json")
    except PackageNotFoundError:
        told = None
    origin = json.loads(told) if told else {}
    url = str(origin.get("url", ""))
    if vcs := origin.get("vcs_info"):
        return f"snaphook[{extra}] @ {vcs.get('vcs', 'git')}+{url}"
    if url.startswith("file:") and "dir_info" in origin:
        return f"{url2pathname(urlparse(url).path)}[{extra}]"
    return f"snaphook[{extra}]"
