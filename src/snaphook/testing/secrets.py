"""Made-up secrets, to prove that a log, a store or a message lets none of them through.

SecretRule, Random  ->  a text that the rule's own expression describes

Nothing here was ever issued by anyone.
"""

import random
import string
from re import _constants as code  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

from msgspec import Struct

from snaphook.errors import Bug
from snaphook.scrub import SecretRule

_ALPHANUMERIC = string.ascii_letters + string.digits
_CATEGORIES = {
    code.CATEGORY_DIGIT: string.digits,
    code.CATEGORY_WORD: _ALPHANUMERIC,
    code.CATEGORY_SPACE: " ",
    code.CATEGORY_NOT_SPACE: _ALPHANUMERIC,
}
_TRIES = 200
_SHORTEST = 6
"""A shorter secret may stand in any text by chance ("c", "sna"): finding it there proves nothing."""


class MadeUpSecret(Struct, frozen=True, kw_only=True):
    """A secret, and a text that gives it away: ``DD_API_KEY=0123…`` holds ``0123…``."""

    text: str
    secret: str


def made_up_secret(rule: SecretRule, dice: random.Random) -> MadeUpSecret:
    """Return a text in which *rule* finds a secret, and that secret; the same dice, the same text.

    What cannot be made up within 200 tries is a mistake of the rule.
    """
    for _ in range(_TRIES):
        blank = " " if rule.program else ""
        text = blank.join(
            "".join(_pieces(parser.parse(regex), dice)) for regex in (rule.program, rule.regex)
        )
        places = [text.lower().find(word) for word in rule.keywords]
        place = min((place for place in places if place >= 0), default=None)
        spans = [] if place is None else rule.at(f"{text} ", place)[0]
        if spans and spans[0][1] - spans[0][0] >= _SHORTEST:
            return MadeUpSecret(text=text, secret=text[slice(*spans[0])])
    raise Bug(
        where=f"rule '{rule.id}'", what="fits no text we can make up", fix="Please report it."
    )


def _pieces(parsed: Any, dice: random.Random) -> list[str]:
    return [_piece(kind, argument, dice) for kind, argument in parsed]


def _piece(kind: Any, argument: Any, dice: random.Random) -> str:
    """Return a text for one node of a parsed expression; assertions need none."""
    match kind:
        case code.LITERAL:
            return chr(argument)
        case code.IN:
            return dice.choice(_members(argument))
        case code.NOT_LITERAL | code.ANY:
            return dice.choice(_ALPHANUMERIC)
        case code.SUBPATTERN:
            return "".join(_pieces(argument[3], dice))
        case code.BRANCH:
            return "".join(_pieces(dice.choice(argument[1]), dice))
        case code.MAX_REPEAT | code.MIN_REPEAT | code.POSSESSIVE_REPEAT:
            least, most, inner = argument
            times = dice.randint(least, min(most, least + 8))
            return "".join(piece for _ in range(times) for piece in _pieces(inner, dice))
        case _:
            return ""


def _members(members: Any) -> str:
    """Return the printable characters of a set, sorted, so that equal dice fall equally."""
    found: set[str] = set()
    for kind, argument in members:
        match kind:
            case code.LITERAL:
                found.add(chr(argument))
            case code.RANGE:
                found.update(map(chr, range(argument[0], argument[1] + 1)))
            case code.CATEGORY:
                found.update(_CATEGORIES[argument])
    negated = members[0][0] is code.NEGATE
    chosen = set(_ALPHANUMERIC) - found if negated else found & set(string.printable)
    return "".join(sorted(chosen))
