"""What the words of a call say, read with suspicion.

Call  ->  has it one of these options? which words are operands?

A word that only the run can tell may turn out to be an option, so it counts as the worst one.
Short options are searched letter by letter: `-rno` may hold `-o`. That refuses too much at times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from snaphook.shell.facts import Call
from snaphook.shell.text import BRACKET, QUERY, STAR, UNKNOWN

_MARKS = (UNKNOWN, STAR, QUERY, BRACKET)
_SHORTEST = 3
"""Letters of a long option that may stand for all of it, with its dashes: `--o` for `--output`."""


def words(call: Call) -> list[str]:
    """Return the words after the program, marks and all."""
    return [arg.value for arg in call.args]


def has_option(values: Collection[str], denied: Collection[str]) -> bool:
    """Say whether *values* hold one of the options *denied*, in any spelling, or may hold one."""
    if not denied:
        return False
    shorts = {one[1] for one in denied if len(one) == 2}
    for value in values:
        if value == "--":
            return False
        if value[:1] in _MARKS:
            return True
        if value[:2] == "--":
            name = value.partition("=")[0]
            if any(_means(name, one) for one in denied):
                return True
        elif value[:1] == "-" and (value in denied or not shorts.isdisjoint(value[1:])):
            return True
    return False


def _means(name: str, option: str) -> bool:
    """Say whether *name* is *option* or a beginning of it, as getopt takes them."""
    return option == name or (len(name) >= _SHORTEST and option.startswith(name))


def operands(values: Collection[str]) -> Iterator[str]:
    """Yield the words that are no options; values of options are among them, to be safe."""
    rest = False
    for value in values:
        if rest or value == "-" or value[:1] != "-":
            yield value
        elif value == "--":
            rest = True
        elif value[:2] == "--" and "=" in value:
            yield value.partition("=")[2]
