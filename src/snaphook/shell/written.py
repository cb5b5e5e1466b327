"""The simple commands of a shell text, their words as they are written.

a && b "$X"/c.sh  ->  ('a',) ('b', '"$X"/c.sh')

For whoever compares words and follows nothing: settings are checked, not run.
"""

from collections.abc import Iterator

import msgspec

from snaphook.shell.syntax.grammar import ScriptReader
from snaphook.shell.syntax.scan import ShellSyntaxError, TooDeep
from snaphook.shell.syntax.tree import Script, Simple


def written_commands(text: str) -> tuple[list[tuple[str, ...]], bool]:
    """Return every simple command of *text*, also those in loops and substitutions; and if that is all.

    Broken shell text gives the commands before the mistake.
    """
    reader = ScriptReader(text)
    try:
        items, whole = reader.script(until="").items, True
    except (ShellSyntaxError, TooDeep, RecursionError):
        items, whole = tuple(reader.partial), False
    return list(_commands(items, text)), whole


def _commands(node: object, text: str) -> Iterator[tuple[str, ...]]:
    if isinstance(node, Simple) and node.words:
        words = tuple(text[word.start : word.end] for word in node.words)
        if all(word.bare in (None, found) for word, found in zip(node.words, words, strict=True)):
            yield words
        else:  # between backticks: places there are those of the text inside
            yield tuple(word.bare or "$" for word in node.words)
    if isinstance(node, Script):
        node = node.items
    if isinstance(node, tuple):
        for one in node:
            yield from _commands(one, text)
    elif isinstance(node, msgspec.Struct):
        for name in node.__struct_fields__:
            yield from _commands(getattr(node, name), text)
