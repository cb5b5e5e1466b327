"""Memories from what an agent wrote down.

THOUGHTS -> experiences    DECISIONS -> facts and opinions    RESULTS, LEARNINGS -> observations

No model is asked: headings, lists, fields, tables and fences tell what is what. Run twice over the
same text it gives the same drafts.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from snaphook.stores.memory.values import MemoryKind

from .blocks import Block, BlockKind, blocks
from .decisions import decisions, is_decision
from .dialogue import dialogue
from .document import Draft, SourceDocument
from .headings import about
from .judge import certainty, is_noted, is_statement, outcome, questions, works
from .pairs import pair
from .shell import commands

KINDS: Mapping[str, MemoryKind] = {
    "THOUGHTS": MemoryKind.EXPERIENCE,
    "DECISIONS": MemoryKind.FACT,
    "RESULTS": MemoryKind.OBSERVATION,
    "LEARNINGS": MemoryKind.OBSERVATION,
    "ASSUMPTIONS": MemoryKind.OPINION,
    "EXPERIENCES": MemoryKind.EXPERIENCE,
    "FACTS": MemoryKind.FACT,
    "OPINIONS": MemoryKind.OPINION,
    "OBSERVATIONS": MemoryKind.OBSERVATION,
}
"""What a document of each name holds; any other holds observations."""
_SECTIONS: Sequence[tuple[re.Pattern[str], MemoryKind]] = (
    (re.compile(r"\b(?:decision|architecture)", re.IGNORECASE), MemoryKind.FACT),
    (
        re.compile(r"\b(?:assumption|opinion|rationale|preference)", re.IGNORECASE),
        MemoryKind.OPINION,
    ),
    (
        re.compile(r"\b(?:lesson|learning|learned|insight|finding)", re.IGNORECASE),
        MemoryKind.OBSERVATION,
    ),
)
"""Headings that say it themselves, in documents whose name does not."""
_OPINION = re.compile(
    r"\b(?:i (?:think|believe|prefer)|we (?:think|believe|prefer)|prefer\b|in my opinion|should\b|"
    r"better than|would rather)",
    re.IGNORECASE,
)
_FIELD = re.compile(r"(?:\*\*|__)([^*_]{1,40}?):?(?:\*\*|__):?\s*(.*)", re.DOTALL)
_LEFT_OUT = re.compile(
    r"\b(?:next steps?|todo|to do|skill usage|template|table of contents|references)\b",
    re.IGNORECASE,
)
"""Sections that tell what is to be done, or nothing."""


_MARKERS = re.compile(
    r"(?im)^(?:[\s>*_#`|+-]*(?:PROMISE_[A-Z]+|status[\s*_]*:[\s*_`]*(?:complete[d]?|partial|blocked|done|failed|"
    r"in[_ -]progress|pending)|completion[\s*_]*:[\s*_]*\d{1,3}\s*%)[ \t>*_.!`|-]*)+$"
)
"""Lines by which an agent tells its hooks how far it is."""


def from_markdown(document: SourceDocument) -> list[Draft]:
    """Return what is worth keeping of *document*, in the order in which it stands."""
    text = _MARKERS.sub(lambda found: "\n" * found[0].count("\n"), document.text)
    if turns := dialogue(text):
        return turns
    told = [block for block in blocks(text) if not _LEFT_OUT.search(block.section)]
    drafts = [*_drafts(document, told)]
    return list({(draft.kind, draft.text): draft for draft in reversed(drafts)}.values())[::-1]


def _drafts(document: SourceDocument, told: Sequence[Block]) -> Iterator[Draft]:
    at = 0
    while at < len(told):
        block = told[at]
        if is_decision(block, document.name):
            size = 1 + _body(told[at + 1 :], block.depth, document.name)
            yield from decisions(told[at : at + size])
            at += size
        elif (found := pair(told[at:], _kind(document, block))) is not None:
            yield found.draft
            at += found.blocks
        else:
            yield from _single(document, block)
            at += 1


def _body(following: Iterable[Block], depth: int, name: str) -> int:
    """Return how many blocks belong to a decision whose heading is of *depth*."""
    count = 0
    for block in following:
        if block.shape is BlockKind.HEADING and (block.depth <= depth or is_decision(block, name)):
            break
        count += 1
    return count


def _kind(document: SourceDocument, block: Block) -> MemoryKind:
    known = KINDS.get(document.name)
    if known is not None:
        return known
    sections = (kind for pattern, kind in _SECTIONS if pattern.search(block.section))
    return next(sections, MemoryKind.OBSERVATION)


def _single(document: SourceDocument, block: Block) -> Iterator[Draft]:
    if block.shape is BlockKind.HEADING:
        return
    if block.shape is BlockKind.CODE:
        yield from commands(block)
        return
    text = _plain(block.text)
    if text is None or block.mark == " " or not is_statement(text):
        return
    kind = _kind(document, block)
    yield from statements(text, kind, block, decides=document.name == "DECISIONS")


def statements(
    text: str, kind: MemoryKind, block: Block, *, decides: bool = False
) -> Iterator[Draft]:
    """Yield *text* as a draft; a decision with its reason is a fact, and the reason an opinion."""
    reason = re.search(r"[,;]?\s+(?:because|since|as it|due to)\s+", text) if decides else None
    if reason and is_statement(text[: reason.start()]):
        yield _draft(MemoryKind.FACT, text[: reason.start()], block)
        yield _draft(MemoryKind.OPINION, text, block)
        return
    if kind in {MemoryKind.FACT, MemoryKind.OBSERVATION} and _OPINION.search(text):
        kind = MemoryKind.OPINION
    yield _draft(kind, text, block)


def _draft(kind: MemoryKind, text: str, block: Block) -> Draft:
    came = outcome(text)
    settles = (
        (*questions(text), *works(text))
        if kind in {MemoryKind.FACT, MemoryKind.OBSERVATION}
        else ()
    )
    return Draft(
        kind=kind,
        text=about(text, block.section),
        line=block.line,
        section=block.section,
        certainty=certainty(kind, text, more=0.05 if block.mark == "x" else 0.0),
        settles=settles,
        meta={"outcome": came} if came else {},
    )


def _plain(text: str) -> str | None:
    """Return *text* without its marks; None where it is a field about the document itself."""
    field = _FIELD.match(text)
    if field:
        name, value = field.group(1).strip(), field.group(2).strip()
        if is_noted(name) or not value:
            return None
        text = f"{name}: {value}"
    elif ":" in text and is_noted(text.split(":", 1)[0]):
        return None
    return re.sub(r"\*\*|__(?=\w)|(?<=\w)__", "", text).strip()
