"""The line of a recorded reason that says why.

"[Snaphook Guard: blocked] 'rm' deletes …: why [rule]"  ->  "'rm' deletes …: why [rule]"
"""

from __future__ import annotations

import re

# Records of earlier versions have the reason in a line of its own, "Reason: …".
_REASON = re.compile(r"^(?:Reason: |\[Snaphook Guard: [^\]]*\] )(?P<why>.+)$", re.MULTILINE)
_RULE = re.compile(r"\[([\w.-]+)\]$")


def why_line(reason: str) -> str:
    """Return what a message of the guard objects to, or the whole of another *reason*."""
    found = _REASON.search(reason)
    return found["why"] if found else reason


def named_rule(reason: str) -> str:
    """Return the id of the rule that *reason* names first, or nothing."""
    found = _RULE.search(why_line(reason).splitlines()[0]) if reason.strip() else None
    return found[1] if found else ""
