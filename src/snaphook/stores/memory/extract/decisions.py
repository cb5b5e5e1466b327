"""Decision records: what was decided is a fact, why is an opinion.

## D-003: Storage backend          ->  fact     Storage backend: SQLite in WAL mode
**Decision:** SQLite in WAL mode   ->  opinion  Storage backend: SQLite …, because no server is needed
**Rationale:** no server is needed
"""

import re
from collections.abc import Iterator, Mapping, Sequence

from snaphook.stores.memory.values import MemoryKind

from .blocks import Block, BlockKind
from .document import Draft
from .headings import topic
from .judge import about, certainty, is_noted, is_statement, questions

_LABEL = re.compile(
    r"(?P<label>(?:ADR|DEC|D)[-\s]?\d{1,5})\s*[:.–—-]?\s*(?P<title>.*)", re.IGNORECASE
)
_TITLED = re.compile(r"decision(?:\s+\d+)?\s*[:.–—-]\s*(?P<title>.+)", re.IGNORECASE)
_FIELD = re.compile(
    r"(?:\*\*|__)?(?P<name>decision|decided|choice|chosen|outcome|selected|rationale|reason|reasoning|"
    r"why|context|problem|status|supersedes|replaces|alternatives?(?: considered)?|consequences?|"
    r"options?(?: considered)?|trade-?offs?|reversib\w+|confidence|date|impact)"
    r"(?::(?:\*\*|__)|(?:\*\*|__):|:)\s*(?P<value>.*)",
    re.IGNORECASE | re.DOTALL,
)
_CHOICE = ("decision", "decided", "choice", "chosen", "outcome", "selected")
_REASON = ("rationale", "reason", "reasoning", "why")
_WEIGHED = ("alternative", "option", "trade", "consequence", "impact")
_STATUS: Mapping[str, float] = {"accepted": 0.1, "approved": 0.1, "proposed": -0.2, "draft": -0.2}


def is_decision(block: Block, document: str) -> bool:
    """Say whether *block* is the heading of a decision record."""
    if block.shape is not BlockKind.HEADING or block.depth < 2:
        return False
    if _FIELD.match(f"{block.text.strip('*: ')}:"):
        return False
    titled = _LABEL.match(block.text) or _TITLED.match(block.text)
    # In DECISIONS.md a heading that names something is what was decided about.
    return bool(titled) or (
        document == "DECISIONS" and (block.depth > 2 or bool(topic(block.text)))
    )


def decisions(record: Sequence[Block]) -> Iterator[Draft]:
    """Yield what the *record* says: its heading first, then what stands under it."""
    head, *body = record
    label, title = _title(head.text)
    fields, plain = _fields(body)
    chosen = next((fields[name] for name in _CHOICE if name in fields), None)
    if chosen is None:
        chosen = next((block for block in plain if is_statement(block.text)), None)
        plain = [block for block in plain if block is not chosen]
    if chosen is None and not is_statement(title):
        return
    said = f"{title}: {chosen.text}" if chosen is not None else title
    place = chosen or head
    status = fields["status"].text.split()[0].casefold() if "status" in fields else ""
    more = _STATUS.get(status.strip("*_.,"), 0.0)
    yield Draft(
        kind=MemoryKind.FACT,
        text=said,
        line=place.line,
        section=head.text,
        certainty=certainty(MemoryKind.FACT, said, more=more),
        settles=_settled(title, label, chosen, fields),
        meta={"status": status} if status else {},
    )
    yield from _reasons(title, said, head, fields, plain)


def _reasons(
    title: str, said: str, head: Block, fields: Mapping[str, Block], plain: Sequence[Block]
) -> Iterator[Draft]:
    for name, block in fields.items():
        if name in _REASON and is_statement(block.text):
            yield _opinion(f"{said}, because {_lowered(block.text)}", block, head)
        elif name.startswith(_WEIGHED) and is_statement(block.text):
            yield _opinion(f"{title}: {name}: {block.text}", block, head)
    for block in plain:
        if block.shape is not BlockKind.HEADING and is_statement(block.text):
            yield _opinion(f"{title}: {block.text}", block, head)


def _opinion(text: str, block: Block, head: Block) -> Draft:
    return Draft(
        kind=MemoryKind.OPINION,
        text=text,
        line=block.line,
        section=head.text,
        certainty=certainty(MemoryKind.OPINION, text),
    )


def _title(heading: str) -> tuple[str, str]:
    heading = heading.strip("*_ ")
    if match := _LABEL.match(heading):
        return match["label"].upper().replace(" ", "-"), match["title"].strip() or heading
    if match := _TITLED.match(heading):
        return "", match["title"].strip()
    return "", heading


def _fields(body: Sequence[Block]) -> tuple[dict[str, Block], list[Block]]:
    """Return the fields of a record by name, and the blocks that are none."""
    fields: dict[str, Block] = {}
    plain = []
    under = ""
    for block in body:
        match = _FIELD.match(block.text)
        if block.shape is BlockKind.HEADING:
            under = block.text.strip("*: ").casefold()
        elif match and block.shape is not BlockKind.CODE:
            fields.setdefault(match["name"].casefold(), _with(block, match["value"]))
        elif under in (*_CHOICE, *_REASON) and under not in fields:
            fields[under] = block
        elif block.shape is not BlockKind.CODE and not is_noted(block.text.split(":", 1)[0]):
            plain.append(block)
    return {name: block for name, block in fields.items() if block.text.strip()}, plain


def _with(block: Block, text: str) -> Block:
    return Block(
        shape=block.shape,
        text=re.sub(r"\*\*", "", text).strip(),
        line=block.line,
        section=block.section,
        depth=block.depth,
        mark=block.mark,
    )


def _settled(
    title: str, label: str, chosen: Block | None, fields: Mapping[str, Block]
) -> tuple[str, ...]:
    """Return what the record settles: its title, its number where it is a lasting one, what it replaces."""
    settles = [about(title), *questions(chosen.text if chosen is not None else title)]
    if label.startswith("ADR"):
        settles.append(label)
    for name in ("supersedes", "replaces"):
        if name in fields:
            old = fields[name].text.strip("`. ")
            match = _LABEL.match(old)
            settles.append(match["label"].upper().replace(" ", "-") if match else about(old))
            if match and match["title"]:
                settles.append(about(match["title"].strip("() ")))
    return tuple(dict.fromkeys(settles))


def _lowered(text: str) -> str:
    first, rest = text[:1], text[1:]
    return first.lower() + rest if rest[:1].islower() else text
