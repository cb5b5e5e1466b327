"""What is said to agent and person about a call.

Objection  ->  text
"""

from .judge import Objection

_HOW = {
    "ask": "Approve it if you know the value; otherwise refuse, and ask the agent where it came from.",
    "deny": (
        "Do not retry it in another form. Tell the person what the text wanted and where it stands; "
        "they can send it themselves if it is right."
    ),
    "warn": "The command runs anyway.",
}


def message(objection: Objection) -> str:
    """Return the verdict, what it is about, the reason, and what to do."""
    lines = [
        f"[Snaphook Provenance] {objection.answer}: {objection.reason}",
        f"Call: {' '.join(objection.what.split())[:300]} [{objection.rule}]",
        _HOW[objection.answer],
    ]
    return "\n".join(lines)
