"""What a statement is worth: is it one at all, how sure does it sound, what does it settle.

text  ->  certainty, questions, outcome

Pure. The formula is in ``certainty`` and nowhere else.
"""

import re
from collections.abc import Mapping

from snaphook.stores.memory.values import MemoryKind
from snaphook.stores.memory.words import terms

BASE: Mapping[MemoryKind, float] = {
    MemoryKind.FACT: 0.85,
    MemoryKind.OBSERVATION: 0.8,
    MemoryKind.EXPERIENCE: 0.78,
    MemoryKind.OPINION: 0.72,
}
"""How sure a plain statement of each kind is.

All of them above 0.7, which is what is told unasked: what an agent states plainly is worth knowing. What
it hedges, or only proposes, stays below.
"""

_HEDGED = re.compile(
    r"\b(?:maybe|perhaps|probably|possibly|might|may be|seems?|appears?|guess|unsure|unclear|"
    r"not sure|assum\w+|suspect\w*|likely|i (?:think|believe)|could be|apparently)\b",
    re.IGNORECASE,
)
_CHECKED = re.compile(
    r"\b(?:verified|confirmed|measured|proved|proven|reproduced|tested|benchmarked|"
    r"tests? pass\w*|passes|all green|root cause|exit code 0)\b",
    re.IGNORECASE,
)
_POINTS = re.compile(r"[\w/]\.\w{1,5}:\d+|`[^`]+`|\b[A-Z]\w+(?:Error|Exception)\b|https?://")
_EMPTY = re.compile(
    r"(?:n/?a|none(?: yet)?|tbd|todo|nothing(?: \w+)?|not yet|unknown|pending|yes|no|done|ok|\W*)\.?",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(
    r"FILL_ME|UNFILLED|RALF_TEMPLATE|\{[A-Z][A-Z_]+\}|\[(?:your|describe|insert|add|what|why|list)\b",
    re.IGNORECASE,
)
_QUESTION = re.compile(r"\?\s*$")
_NOTED = frozenset(
    {"agent", "author", "by", "completed", "completion", "created", "date", "duration", "end"}
    | {"ended", "id", "loop", "mode", "model", "owner", "priority", "project", "reviewer", "run"}
    | {"run id", "session", "start", "started", "status", "task", "task id", "time", "timestamp"}
    | {"title", "type", "updated", "version", "confidence"}
)
_VALUE = re.compile(
    r"(?:the\s+)?(?P<what>[\w`/.' -]{3,48}?)(?:\s+(?:is|are|=)(?:\s+(?:now|at))?\s+|:\s+)"
    r"(?P<value>`[^`]{1,60}`|[\w./:@-]{1,40}(?: [a-zµ%/]{1,7})?)\.?",
    re.IGNORECASE,
)
_STATES: Mapping[str, str] = {
    **dict.fromkeys(
        ("is", "are", "is set to", "are set to", "was set to", "was raised to", "was lowered to"),
        "is",
    ),
    **dict.fromkeys(
        ("was increased to", "was reduced to", "was changed to", "changed to", "was renamed to"),
        "is",
    ),
    **dict.fromkeys(
        ("defaults to", "default to", "is limited to", "was bumped to", "was upgraded to"), "is"
    ),
    **dict.fromkeys(
        ("runs on", "run on", "listens on", "listen on", "runs at", "listens at"), "runs"
    ),
    **dict.fromkeys(
        ("lives in", "live in", "lives at", "is in", "are in", "is at", "are kept in"), "place"
    ),
    **dict.fromkeys(
        (
            "is stored in",
            "are stored in",
            "is kept in",
            "moved to",
            "was moved to",
            "were moved to",
        ),
        "place",
    ),
    **dict.fromkeys(
        ("is written in", "are written in", "was ported to", "was rewritten in"), "written"
    ),
    **dict.fromkeys(("is owned by", "is maintained by", "belongs to", "is handled by"), "owner"),
    **dict.fromkeys(
        ("is deployed to", "is deployed on", "are deployed to", "is hosted on"), "deployed"
    ),
    **dict.fromkeys(
        ("is deployed with", "is built with", "are built with", "is managed with"), "built"
    ),
    **dict.fromkeys(
        ("uses", "use", "switched to", "was switched to", "migrated to", "was migrated to"), "uses"
    ),
    **dict.fromkeys(("requires", "require", "needs", "need"), "needs"),
}
"""What a verb says of its subject: of two such statements about one subject the later one holds."""
_STATE = re.compile(
    r"(?:the|our|this|all)?\s*(?P<what>[\w`/.'-]+(?:\s+[\w`/.'-]+){0,3}?)\s+(?:now\s+|currently\s+|still\s+|have\s+|has\s+)?"
    r"(?:no longer\s+|not\s+)?(?P<verb>"
    + "|".join(
        re.escape(verb).replace("\\ ", r"\s+") for verb in sorted(_STATES, key=len, reverse=True)
    )
    + r")\s+(?:now\s+|currently\s+|not\s+|no longer\s+)?\S",
    re.IGNORECASE,
)
_ADVERB = re.compile(r"\b(?:now|currently|nowadays|since then|again)\s+", re.IGNORECASE)
_CHOICE = re.compile(
    r"(?:we\s+|to\s+|decided\s+to\s+|will\s+)*(?:use|using|choose|chose|adopt|switch(?:ed)? to|"
    r"go(?:ing)? with|went with|pick(?:ed)?|keep|store \w+ in)\s+(?P<what>.{2,60}?)\s+"
    r"(?:for|as)\s+(?:the\s+)?(?P<purpose>[\w' -]{3,48}?)"
    r"(?=\s+(?:instead|because|since|so|rather|over|from|due|and|with)\b|[,.;:(]|$)",
    re.IGNORECASE,
)
_WORKED = re.compile(r"\b(?:pass(?:es|ed)?|works?|worked|succeed(?:s|ed)?|green|exit code 0)\b")
_FAILED = re.compile(
    r"\b(?:fail(?:s|ed|ing)?|broke|errors? out|crash(?:es|ed)?|exit code [1-9]\d*)\b"
)


def is_statement(text: str) -> bool:
    """Say whether *text* tells anything: no template, no placeholder, no bare word, no question."""
    words = re.findall(r"\w+", text)
    return (
        len(words) >= 3
        and not _EMPTY.fullmatch(text.strip())
        and not _TEMPLATE.search(text)
        and not _QUESTION.search(text)
    )


def certainty(kind: MemoryKind, text: str, *, more: float = 0.0) -> float:
    """Return how sure *text* sounds: the base of its kind, less 0.2 where it hedges, and more for proof.

    +0.1 where it says that something was checked, +0.05 where it points to a file's line, a command,
    an error or a page; *more* is what its place adds. Between 0.3 and 0.95.
    """
    score = BASE[kind] + more
    score -= 0.2 * bool(_HEDGED.search(text))
    score += 0.1 * bool(_CHECKED.search(text))
    score += 0.05 * bool(_POINTS.search(text))
    return min(0.95, max(0.3, score))


def questions(text: str) -> tuple[str, ...]:
    """Return what *text* settles: "use X for Y" settles Y, "Z is 5" and "Z: 5" settle Z."""
    if choice := _CHOICE.match(text):
        return (f"for {_topic(choice['purpose'])}",)
    value = _VALUE.fullmatch(text.strip())
    if value and _topic(value["what"]) and not is_noted(value["what"]):
        return (f"is {_topic(value['what'])}",)
    state = _STATE.match(_ADVERB.sub("", text.strip()))
    if state and 1 <= len(_topic(state["what"]).split()) <= 4:
        return (f"{_STATES[_verb(state['verb'])]} {_topic(state['what'])}",)
    return ()


def _verb(said: str) -> str:
    return " ".join(said.casefold().split())


def about(title: str) -> str:
    """Return the question that a decision called *title* settles."""
    return f"decision {_topic(title)}"


def is_noted(name: str) -> bool:
    """Say whether a field called *name* is about the document, not the work."""
    return name.strip("*_: ").casefold() in _NOTED


def outcome(text: str) -> str:
    """Return ``worked`` or ``failed`` where *text* says so of a command, else nothing."""
    lower = text.casefold()
    if "`" not in text:
        return ""
    if _FAILED.search(lower) and not re.search(r"\b(?:no|0|zero|without)\b.{0,12}\bfail", lower):
        return "failed"
    return "worked" if _WORKED.search(lower) else ""


def works(text: str) -> tuple[str, ...]:
    """Return the question whether a command works, where *text* tells how one came out."""
    code = re.findall(r"`([^`]+)`", text)
    return (does_it_work(code[0]),) if len(code) == 1 and outcome(text) else ()


def does_it_work(command: str) -> str:
    """Return the question that the last outcome of *command* settles."""
    return f"does `{' '.join(command.split())}` work"


def _topic(text: str) -> str:
    return " ".join(sorted(terms(text.strip("`'\" "))))
