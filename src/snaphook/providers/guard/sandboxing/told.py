"""The words for an agent whose command met the sandbox.

Refusals + Policy  ->  what was refused, what is allowed, who can change it

Pure.
"""

from __future__ import annotations

from collections.abc import Iterable

from snaphook.sandbox.policy import Policy
from snaphook.sandbox.refusals import Refusal

MOST_TOLD = 10
"""Refusals that are told one by one; a command that walks a tree is refused a thousand times."""


def told(
    refused: Iterable[Refusal], policy: Policy, *, notes: Iterable[str] = (), allow: str = ""
) -> str:
    """Return what the agent should know; nothing where nothing was refused.

    *notes*: more that happened to protected names. *allow*: how a person can allow the whole command.
    """
    lines = list(dict.fromkeys(str(one) for one in refused))
    more = len(lines) - MOST_TOLD
    lines = [*lines[:MOST_TOLD], *([f"{more} more"] if more > 0 else []), *notes]
    if not lines:
        return ""
    return (
        f"The sandbox refused: {'; '.join(lines)}. Confined commands may write to "
        f"{policy.project or 'no project'}, temporary files and package caches, read everything but "
        f"secrets, and use the network ({_network(policy)}). Do not work around it: if the task needs "
        f"more, say so. {allow or _BY_SETTINGS}"
    )


_BY_SETTINGS = (
    "A person can allow a path under [sandbox] allow_paths in snaphook.toml, "
    "or run the command themselves."
)


def _network(policy: Policy) -> str:
    if policy.network != "allowlist":
        return policy.network
    return f"only {', '.join(policy.hosts)}" if policy.hosts else "allowlist, empty"
