"""Which task a sentence claims, if it claims one.

prompt  ->  the ids it asks to take

A task that is only mentioned is not claimed, nor one that stands in code, in a question or after a 'not'.
"""

import re

_CODE = re.compile(r"(?ms)^(```|~~~).*?(?:^\1|\Z)|`[^`\n]*`")
_SENTENCE = re.compile(r"(?<=[.!?\n;])\s+")
_ID = r"[A-Za-z]{2,}[A-Za-z0-9]*-?[A-Za-z0-9_-]*\d[A-Za-z0-9_-]*"
_CLAIM = re.compile(
    rf"\b(?:claim|select|take|start|begin|pick\s+up|work(?:ing)?\s+on)\s+(?:task\s+)?(?:the\s+)?({_ID})"
    r"(?![/\\.\w])",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\b(?:don'?t|do\s+not|never|not|no\s+one|nobody|cannot|can'?t|shouldn'?t|should\s+not|stop|without|avoid)\b"
    r"[^.;!?]*$",
    re.IGNORECASE,
)
_ASKED = re.compile(
    r"^\s*(?:did|does|do|has|have|is|was|who|what|which|when|why|how|should)\b.*\?\s*$",
    re.IGNORECASE | re.DOTALL,
)


def claimed_tasks(prompt: str) -> tuple[str, ...]:
    """Return the ids that *prompt* asks to take, each once, in the order of the text.

    More than one means that somebody should ask which.
    """
    found: dict[str, None] = {}
    for sentence in _SENTENCE.split(_CODE.sub(" ", prompt)):
        if _ASKED.match(sentence):
            continue
        for claim in _CLAIM.finditer(sentence):
            if not _NEGATED.search(sentence[: claim.start()]):
                found[claim[1]] = None
    return tuple(found)
