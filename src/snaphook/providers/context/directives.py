"""Directives: what a person wants to hold from now on, found in what they type.

prompt  ->  "Always run the tests before you commit.", …

Pure. A directive is addressed to the agent (an order, "you must", "we never") and meant to last. What
is asked, reported, described, asked of the product or meant for now only is none; where in doubt it is
none either, because a rule nobody made is worse than one that must be said twice.
"""

from collections.abc import Iterator

from . import patterns as p
from .prose import Sentence, sentences

LONGEST = 60
"""Words; whoever says more tells a story."""
LABEL = 4
"""Words before a colon that still announce an order, as in "One more thing: …"."""


def detect(prompt: str) -> tuple[str, ...]:
    """Return the directives in *prompt*, in order, each once, in the person's own words."""
    found = (_tidy(each.text) for each in sentences(prompt) if is_directive(each))
    return tuple(dict.fromkeys(found))


def is_directive(sentence: Sentence) -> bool:
    """Say whether *sentence* is meant to last, and for the agent."""
    if not p.HINT.search(sentence.plain):
        return False
    plain = p.SHORT_FORMS.sub(r"\1 are", sentence.plain)
    if not 2 <= len(plain.split()) <= LONGEST or p.PASSING.search(plain):
        return False
    if plain.rstrip("\"')* ").endswith("?"):
        return p.ASKED_FOR.match(_led(plain)) is not None
    if p.THEN_A_TASK.search(plain):
        return False
    return any(_orders(clause, first=first) for clause, first in _clauses(plain))


def _clauses(plain: str) -> Iterator[tuple[str, bool]]:
    """Yield *plain* whole, and what follows each joint; with each, whether a sentence could begin so."""
    yield _led(plain), True
    for joint in p.JOINT.finditer(plain):
        head, label = plain[: joint.start()], joint[0].startswith(":")
        if p.REPORTED.search(head) or (label and len(head.split()) > LABEL):
            continue
        yield _led(plain[joint.end() :]), label


def _led(clause: str) -> str:
    """Return *clause* without the words that only lead in."""
    lead = p.LEAD.match(clause)
    return clause[lead.end() :] if lead else clause


def _orders(clause: str, *, first: bool) -> bool:
    """Say whether *clause* is an order that lasts.

    Words that say so themselves (always, never, from now on) count in any clause; a bare order
    counts as a sentence of its own, and only if it is not about one thing in particular.
    """
    if p.STRONG.match(clause):
        return True
    if not first:
        return False
    if p.LASTING.search(clause) and not p.DESCRIBES.match(clause):
        return True
    return p.BARE.match(clause) is not None and not p.PARTICULAR.search(clause)


def _tidy(text: str) -> str:
    return " ".join(text.split()).strip(" -*•")
