"""An error and what mended it, told together.

**Problem:** KeyError in load()  +  **Fix:** check the key first  ->  one memory

Found apart they help nobody: the error is what one searches for, the fix what one needs.
"""

import re
from collections.abc import Sequence

from msgspec import Struct

from snaphook.stores.memory.values import MemoryKind

from .blocks import Block, BlockKind
from .document import Draft
from .judge import certainty, is_statement

_WRONG = re.compile(
    r"(?:\*\*|__)?(?:problem|error|issue|bug|symptom|failure|failed|mistake|cause)"
    r"(?::(?:\*\*|__)|(?:\*\*|__):|:)\s*(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
_RIGHT = re.compile(
    r"(?:\*\*|__)?(?:solution|fix|fixed(?: by)?|resolution|resolved(?: by)?|workaround|answer|remedy)"
    r"(?::(?:\*\*|__)|(?:\*\*|__):|:)\s*(?P<text>.+)",
    re.IGNORECASE | re.DOTALL,
)
_BOTH = re.compile(
    r"(?P<wrong>.+?\b(?:fail\w*|error\w*|broke\w*|crash\w*|hang\w*|hung|wrong|missing)\b.*?)"
    r"(?:\s*(?:->|→|=>|;|,|\.)\s*|\s+)(?:and\s+|was\s+|which\s+|it\s+was\s+|is\s+)*"
    r"(?P<right>(?:fixed|solved|resolved|mended|worked around|fix is|fix was|the fix)\b.+)",
    re.IGNORECASE | re.DOTALL,
)
_HEADS = (
    re.compile(r"(?:problem|error|issue|bug|symptom|failure)s?\b", re.IGNORECASE),
    re.compile(r"(?:solution|fix|resolution|workaround|remedy)(?:es|s)?\b", re.IGNORECASE),
)


class Pair(Struct, frozen=True, kw_only=True):
    """A draft, and how many blocks it took."""

    draft: Draft
    blocks: int


def pair(told: Sequence[Block], kind: MemoryKind) -> Pair | None:
    """Return the error and fix that *told* begins with, if it does."""
    first = told[0]
    if first.shape is BlockKind.CODE:
        return None
    if len(told) > 1 and (wrong := _WRONG.match(first.text)):
        right = _RIGHT.match(told[1].text)
        if right:
            return Pair(draft=_draft(wrong["text"], right["text"], first, kind), blocks=2)
    if first.shape is BlockKind.HEADING:
        return _under_headings(told, kind)
    both = _BOTH.fullmatch(first.text)
    if both and is_statement(both["wrong"]):
        right_said = re.sub(r"^the fix (?:is|was)\s+", "", both["right"], flags=re.IGNORECASE)
        return Pair(draft=_draft(both["wrong"], right_said, first, kind), blocks=1)
    return None


def _under_headings(told: Sequence[Block], kind: MemoryKind) -> Pair | None:
    shapes = [block.shape is BlockKind.HEADING for block in told[:4]]
    if shapes != [True, False, True, False]:
        return None
    wrong, error, right, fix = told[:4]
    if BlockKind.CODE in {error.shape, fix.shape}:
        return None
    if _HEADS[0].match(wrong.text) and _HEADS[1].match(right.text):
        return Pair(draft=_draft(error.text, fix.text, error, kind), blocks=4)
    return None


def _draft(wrong: str, right: str, block: Block, kind: MemoryKind) -> Draft:
    kind = kind if kind is MemoryKind.EXPERIENCE else MemoryKind.OBSERVATION
    text = f"{_clean(wrong)} → {_clean(right)}"
    return Draft(
        kind=kind,
        text=text,
        line=block.line,
        section=block.section,
        certainty=certainty(kind, text, more=0.1),
        meta={"pair": "error and fix"},
    )


def _clean(text: str) -> str:
    return re.sub(r"\*\*", "", text).strip(" .;,")
