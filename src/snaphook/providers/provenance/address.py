"""Ways in which a text claims to be more than data: it speaks to an agent, or in a role it does not have.

lower-case text  ->  the places where it does

Each way begins with a literal. ``str.find`` looks for that at some 2 GB/s, and an expression is tried
only where it stands: 200 KB take a few milliseconds, where one expression with all alternatives took 400.
"""

import re
from collections.abc import Iterator
from functools import cache

MOST = 200
_RULES = (
    r"(?:i?u?nstructions?|prompts?|rules?|messages?|guidelines?|directions?|commands?|orders?|tasks?|"
    r"restrictions?|polic(?:y|ies)|directives?|safeguards?)"
)
_EARLIER = (
    r"(?:previous|prior|above|earlier|preceding|original|initial|all|any|your|other|existing|former|"
    r"these|those)"
)
_SET_ASIDE = rf"\b[^.\n]{{0,50}}?\b{_EARLIER}\b[^.\n]{{0,40}}?\b{_RULES}"
_TAGS = (
    "systems?|information|instructions?|important|admin|administrator|assistant|human|developer|inst|"
    "im_start|"
    "secret|priority|override|urgent|tool_call|tool_result|function_call|function_result|user|task|prompt"
)
_WHOM = r"\b[^.\n]{0,40}\b(?:user|human|person|anyone|developer|operator|owner|maintainers?)\b"
_STARTING = {
    "ignore": _SET_ASIDE,
    "disregard": _SET_ASIDE,
    "forget": _SET_ASIDE,
    "override": _SET_ASIDE,
    "bypass": _SET_ASIDE,
    "set aside": _SET_ASIDE,
    "stop following": _SET_ASIDE,
    "do not follow": _SET_ASIDE,
    "<": (
        rf"/?(?:{_TAGS})(?:[-_ ](?:message|prompt|note|reminder|instruction|"
        rf"notice)s?)?(?:\s[^>\n]{{0,60}})?/?>|\|[a-z_]{{2,20}}\|>"
    ),
    "[": (
        r"/?(?:system|inst|admin|assistant|developer|important|override|"
        r"user)(?: [^\]\n]{0,40})?\](?!\()"
    ),
    "##": (
        r"#{0,4}\s*\(?\s*(?:system|new instruction|instruction|important|admin|override|"
        r"assistant)(?![a-z])"
    ),
    "important message": r"\b",
    "strictly adhere": r"\b",
    "before you ": (
        r"(?:can )?(?:continue|solve|answer|proceed|complete|finish|respond|reply|"
        r"do anything|start|help)\b"
    ),
    "before continuing": r"\b",
    "before proceeding": r"\b",
    "before answering": r"\b",
    "do not ": rf"(?:tell|inform|mention|reveal|alert|ask|notify|show){_WHOM}",
    "don't ": rf"(?:tell|inform|mention|reveal|alert|ask|notify|show){_WHOM}",
    "without ": (
        r"(?:telling|informing|mentioning|asking|alerting|notifying|confirm(?:ing|ation)|"
        r"approval)\b"
    ),
    "the user ": (
        r"(?:wants|has (?:asked|authori[sz]ed|approved|already|requested|given|consented)|"
        r"asked|requested|is aware|agreed)\b"
    ),
    "your ": (
        r"(?:new|real|actual|true|next|first|primary) (?:task|goal|objective|"
        r"instructions?|job|mission|role)\b"
    ),
    "new instruction": r"",
    "new system instruction": r"",
    "new directive": r"",
    "hidden instruction": r"",
    "secret instruction": r"",
    "additional instruction": r"",
    "special instruction": r"",
    "updated instruction": r"",
    "mandatory instruction": r"",
    "you are now ": r"",
    "pretend ": r"(?:to be|you are)\b",
    "act as a": r"n? (?:\w+ ){0,2}(?:assistant|agent|ai|expert|admin|root|system|developer)\b",
    "jailbreak": r"",
}
_LINE_ROLES = ("system", "developer", "assistant", "admin")
_LINE_BEFORE = re.compile(r"(?:^|\n)[ \t>*#\"'(\[-]*\Z")
_LINE_AFTER = re.compile(
    r"(?:istrator)?(?:[ _-](?:message|prompt|note|instruction|override|notice|command|"
    r"update)s?)?[\])*]*[ \t]*[:>]|"
    r" (?:prompt|override|message)\b"
)
_ROLES = (
    "assistant",
    " ai",
    "llm",
    "agent",
    "chatbot",
    "language model",
    "copilot",
    "claude",
    "gpt",
    "gemini",
    "codex",
)
_BEFORE = re.compile(
    r"(?:\byou\s*(?:are|,|'re)\s+(?:now )?(?:an? |the )?(?:[\w-]+ ){0,2}|"
    r"\b(?:dear|hello|hi|hey|attention|notes?|instructions?|messages?|notice|note to|warning|"
    r"important|reminder)"
    r"(?: (?:to|for))?\s*[:,]?\s*(?:you, |the |any |all |every |automated |coding |ai )*|"
    r"\b(?:if|when|since) you(?: are|'re) (?:an? )?(?:[\w-]+ ){0,2})\Z"
)
_AFTER = re.compile(
    r"s?(?:[- ](?:agents?|assistants?|models?|systems?|tools?|reviewers?|reading|processing|working|"
    r"that|who|which)"
    r"[^.\n]{0,60}?)?(?:\s*[:,]\s*(?:please |you |also )*(?:must|should|now|run|send|ignore|do|"
    r"execute|use|add|"
    r"include|read|follow|install|open|post|make)\b|"
    r"\s+(?:must|shall|please|are required|are instructed|are asked|is required|need to|needs to|have "
    r"to|has to)\b)"
)


def addresses(text: str) -> Iterator[int]:
    """Yield the places in lower-case *text* where it addresses an agent or claims a role."""
    for literal, shape in _shapes():
        for at in _places(literal, text):
            if shape.match(text, at + len(literal)):
                yield at
    for role in _LINE_ROLES:
        for at in _places(role, text):
            if _LINE_AFTER.match(text, at + len(role)) and _LINE_BEFORE.search(
                text, max(0, at - 20), at
            ):
                yield at
    for role in _ROLES:
        yield from (at for at in _places(role, text) if _speaks_to(role, at, text))


def _speaks_to(role: str, at: int, text: str) -> bool:
    """Say whether the *role* named at a place is spoken to, not about."""
    end = at + len(role)
    after = text[end : end + 1]
    if after.isalpha() and after != "s":
        return False
    before = _BEFORE.search(text, max(0, at - 60), at + (role[0] == " "))
    return before is not None or _AFTER.match(text, end) is not None


def _places(literal: str, text: str) -> Iterator[int]:
    at = text.find(literal)
    for _ in range(MOST * 5):
        if at < 0:
            return
        yield at
        at = text.find(literal, at + len(literal))


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((literal, re.compile(shape)) for literal, shape in _STARTING.items())
