"""The words for an agent whose command met the sandbox.

output + Policy  ->  what was refused, what is allowed, who can change it
"""

from __future__ import annotations

from pathlib import Path

from snaphook.sandbox.appeared import remove_appeared
from snaphook.sandbox.policy import Policy
from snaphook.sandbox.refusals import refusals


def told(
    output: str, policy: Policy, absent: tuple[str, ...], kept: Path, *, cwd: str, home: str
) -> str:
    """Return what the agent should know; nothing where nothing was refused."""
    lines = [str(one) for one in refusals(output, policy, cwd=cwd, home=home)]
    lines += [f"{name} (protected: it was removed again)" for name in remove_appeared(absent, kept)]
    if not lines:
        return ""
    refused = "; ".join(lines)
    return (
        f"The sandbox refused: {refused}. Confined commands may write to {policy.project or 'no project'}, "
        f"temporary files and package caches, read everything but secrets, and use the network "
        f"({policy.network}). Do not work around it: if the task needs more, say so. A person can "
        f"allow a path under [sandbox] allow_paths in snaphook.toml, or run the command themselves."
    )
