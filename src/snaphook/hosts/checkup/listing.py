"""What an agent itself says about the hooks in its settings, where it has a command that tells.

program + Environment  ->  what is wrong, or nothing

Nothing is run but the agent's own listing: no model, no tool, no hook.
"""

import json
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.config.environment import Environment

SECONDS = 30


class Listing(Struct, frozen=True):
    """How an agent is asked, and how its answer is read."""

    words: tuple[str, ...]
    ignores: Callable[[int, str], str]
    """Exit code and output, to what is wrong."""


def _grok(code: int, said: str) -> str:
    if code != 0:
        return ""  # an older one has no such command
    try:
        hooks = json.loads(said).get("hooks") or []
    except (ValueError, AttributeError):
        return ""
    ours = [hook for hook in hooks if "snaphook" in str(hook)]
    return "" if ours else "'grok inspect' lists none of our hooks: it does not read the file"


def _kimi(code: int, said: str) -> str:
    wrong = [line.strip() for line in said.splitlines() if "nvalid" in line or "ERROR" in line]
    return "" if code == 0 else f"'kimi doctor config' finds a mistake: {' '.join(wrong)[:300]}"


LISTINGS: Mapping[str, Listing] = {
    "grok": Listing(("inspect", "--json"), _grok),
    "kimi": Listing(("doctor", "config"), _kimi),
}


def ignored(host: str, program: str, around: Environment, root: Path) -> str:
    """Return why the agent ignores our hooks, as it says itself; nothing where it does not say."""
    listing = LISTINGS.get(host)
    if listing is None:
        return ""
    try:
        ran = subprocess.run(
            [program, *listing.words],
            cwd=root,
            env=dict(around.env),
            capture_output=True,
            timeout=SECONDS,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    said = (ran.stdout + ran.stderr).decode(errors="replace")
    return listing.ignores(
        ran.returncode, ran.stdout.decode(errors="replace") if host == "grok" else said
    )
