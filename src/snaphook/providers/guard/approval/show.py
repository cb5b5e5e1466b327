"""A proof as people and as programs read it.

Proof  ->  a line, or a JSON value
"""

from __future__ import annotations

from typing import Any

from snaphook.printable import printable_line
from snaphook.providers.guard.approval.proof import Proof


def as_line(proof: Proof) -> str:
    """Return whether a call is approved automatically, and why."""
    if proof.approved:
        return printable_line(f"approved automatically ({proof.level}), because {proof.reason}.")
    return printable_line(f"not approved automatically: {proof.reason}.")


def as_json(proof: Proof) -> dict[str, Any]:
    """Return the same for programs."""
    return {"approved": proof.approved, "level": proof.level, "reason": proof.reason}
