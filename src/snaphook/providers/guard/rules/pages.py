"""A rule's page, read from the docstring of its `objects_to`.

Rule  ->  summary and Examples

The same examples are run as tests and printed in the reference.
"""

from __future__ import annotations

import inspect

from msgspec import Struct

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule

EXAMPLE = {
    GuardAnswer.DENY: "blocks",
    GuardAnswer.ASK: "asks",
    GuardAnswer.WARN: "warns",
    GuardAnswer.ALLOW: "allows",
}
"""The guard's answer, as it stands before an example."""
_DOES = {
    GuardAnswer.DENY: "Blocks",
    GuardAnswer.ASK: "Asks before running",
    GuardAnswer.WARN: "Warns about",
    GuardAnswer.ALLOW: "Allows",
}
_WORDS = {"Blocks:": GuardAnswer.DENY, "Asks:": GuardAnswer.ASK, "Allows:": GuardAnswer.ALLOW}


class Example(Struct, frozen=True, kw_only=True):
    """A command and what the guard says of it. In a docstring `↵` stands for a line's end."""

    command: str
    answer: GuardAnswer


def summary(rule: Rule) -> str:
    """Return what the rule does and why, as the first sentence of its page."""
    off = " Off by default." if rule.optional else ""
    return f"{_DOES[rule.answer]} a command that {rule.says}: {rule.why}.{off}"


def examples(rule: Rule) -> list[Example]:
    """Return the examples on the rule's page, in order."""
    found = []
    for line in inspect.cleandoc(rule.objects_to.__doc__ or "").splitlines():
        word, _, command = line.strip().partition(" ")
        if word in _WORDS:
            text = command.strip().replace("↵", "\n")
            found.append(Example(command=text, answer=_WORDS[word]))
    return found
