"""What the sandbox refused, as a record has it.

Record  ->  "/etc/hosts (outside the project)"
"""

from .record import Record

RULES = "sandbox."
_START = "The sandbox refused: "


def refused_rules(record: Record) -> list[str]:
    """Return the rules of the sandbox that refused something during the call of *record*."""
    if not record.event.startswith("PostToolUse"):
        return []
    return [said.rule for said in record.answers if said.rule.startswith(RULES)]


def refused(record: Record) -> str:
    """Return what was refused, in a line; nothing where nothing was."""
    if not refused_rules(record):
        return ""
    told = record.output.get("additional_context")
    texts = [told] if isinstance(told, str) else told if isinstance(told, list) else []
    for text in texts:
        _, found, rest = str(text).partition(_START)
        if found:
            return rest.partition(". Confined commands")[0]
    return "something"
