"""A rule's page, read from the docstring of its `objects_to`.

Rule  ->  sentence and Examples

The same examples are run as tests and printed in the reference.
"""

from __future__ import annotations

import inspect

from msgspec import Struct

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule

_WORDS = {"Blocks:": GuardAnswer.DENY, "Asks:": GuardAnswer.ASK, "Allows:": GuardAnswer.ALLOW}


class Example(Struct, frozen=True, kw_only=True):
    """A command and what the guard says of it. In a docstring `↵` stands for a line's end."""

    command: str
    answer: GuardAnswer


def sentence(rule: Rule) -> str:
    """Return the first paragraph of the rule's page."""
    return inspect.cleandoc(rule.objects_to.__doc__ or "").split("\n\n")[0].replace("\n", " ")


def examples(rule: Rule) -> list[Example]:
    """Return the examples on the rule's page, in order."""
    found = []
    for line in inspect.cleandoc(rule.objects_to.__doc__ or "").splitlines():
        word, _, command = line.strip().partition(" ")
        if word in _WORDS:
            text = command.strip().replace("↵", "\n")
            found.append(Example(command=text, answer=_WORDS[word]))
    return found
