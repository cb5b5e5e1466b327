"""Markdown as a row of blocks, each with its line and the headings above it.

text  ->  Heading | Item | Paragraph | Code | Row, …

Not a whole Markdown parser: what agents write down are headings, lists, fields, tables and fences.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
_ITEM = re.compile(r"(\s*)(?:[-*+]|\d{1,3}[.)])\s+(?:\[([ xX])\]\s+)?(.*)")
_FENCE = re.compile(r"\s*(```+|~~~+)\s*(\S*)")
_RULE = re.compile(r"\s*(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$")
_ROW = re.compile(r"\s*\|(.+)\|\s*$")
_UNDERLINE = re.compile(r"[\s|:-]+$")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_HEAD = re.compile(r"\A---\n.*?\n---\n", re.DOTALL)


class BlockKind(StrEnum):
    """What a block is."""

    HEADING = "heading"
    ITEM = "item"
    PARAGRAPH = "paragraph"
    CODE = "code"
    ROW = "row"


class Block(Struct, frozen=True, kw_only=True):
    """One block of a document."""

    shape: BlockKind
    text: str
    line: int
    section: str = ""
    """The headings above it, outermost first; a heading's own is not among them."""
    depth: int = 0
    """Of a heading, its level; of an item, its indentation."""
    mark: str = ""
    """Of code, its language; of an item with a box, ``x`` or a space."""


def blocks(text: str) -> list[Block]:
    """Return the blocks of *text*, in order; comments and front matter are left out."""
    return list(_Parser(_blanked(text)).blocks())


def _blanked(text: str) -> str:
    """Return *text* without comments and front matter, every line where it was."""
    for pattern in (_HEAD, _COMMENT):
        text = pattern.sub(lambda match: "\n" * match.group().count("\n"), text)
    return text


class _Parser:
    """One way through a document."""

    def __init__(self, text: str) -> None:
        self._lines = text.splitlines()
        self._trail: list[tuple[int, str]] = []
        self._at = 0

    def blocks(self) -> Iterator[Block]:
        while self._at < len(self._lines):
            line = self._lines[self._at]
            if match := _FENCE.match(line):
                yield self._code(match.group(1), match.group(2))
            elif match := _HEADING.match(line):
                yield self._heading(len(match.group(1)), match.group(2))
            elif match := _ITEM.match(line):
                yield self._item(match)
            elif match := _ROW.match(line):
                yield from self._row(match.group(1))
            elif not line.strip() or _RULE.match(line):
                self._at += 1
            else:
                yield self._paragraph()

    def _block(
        self, shape: BlockKind, text: str, start: int, depth: int = 0, mark: str = ""
    ) -> Block:
        return Block(
            shape=shape,
            text=text,
            line=start + 1,
            section=" > ".join(title for _, title in self._trail),
            depth=depth,
            mark=mark,
        )

    def _heading(self, level: int, title: str) -> Block:
        self._trail = [(depth, above) for depth, above in self._trail if depth < level]
        block = self._block(BlockKind.HEADING, title, self._at, level)
        self._trail.append((level, title.strip("*_` ")))
        self._at += 1
        return block

    def _code(self, fence: str, language: str) -> Block:
        start = self._at
        self._at += 1
        kept = []
        while self._at < len(self._lines) and not self._lines[self._at].strip().startswith(fence):
            kept.append(self._lines[self._at])
            self._at += 1
        self._at += 1
        return self._block(BlockKind.CODE, "\n".join(kept), start, mark=language)

    def _item(self, match: re.Match[str]) -> Block:
        start, indent = self._at, len(match.group(1).expandtabs(4))
        text = " ".join([match.group(3), *self._continued()])
        return self._block(
            BlockKind.ITEM, text.strip(), start, indent, (match.group(2) or "").lower()
        )

    def _row(self, cells: str) -> Iterator[Block]:
        start = self._at
        self._at += 1
        is_head = self._at < len(self._lines) and _UNDERLINE.fullmatch(self._lines[self._at])
        if not _UNDERLINE.fullmatch(cells) and not is_head:
            told = [cell.strip() for cell in cells.split("|")]
            yield self._block(BlockKind.ROW, ": ".join(cell for cell in told if cell), start)

    def _paragraph(self) -> Block:
        start = self._at
        text = [self._lines[self._at].strip(), *self._continued()]
        return self._block(BlockKind.PARAGRAPH, " ".join(text), start)

    def _continued(self) -> Iterator[str]:
        """Yield the lines that belong to the block begun on this one."""
        self._at += 1
        while self._at < len(self._lines):
            line = self._lines[self._at]
            begins = any(
                each.match(line) for each in (_FENCE, _HEADING, _ITEM, _ROW, _RULE, _FIELD)
            )
            if not line.strip() or begins:
                return
            yield line.strip()
            self._at += 1


_FIELD = re.compile(r"\s*\*\*[^*]{1,40}:?\*\*:?\s")
"""A field begins a block of its own, though nothing but its bold name tells."""
