"""Which arguments of a tool say what it is done to, and which are words that stand anywhere.

Value  ->  is it telling?  is it the main thing?
"""

from snaphook.stores.provenance.parts import parts

from .values import Value, is_moment

SHORTEST_COPY = 4
"""Words that a text has at least to be told apart by them: shorter ones are commonplaces."""
SHORTEST_ID = 3
"""Characters up to which an identifier stands in any text: it counts where the text wants this action."""
_COMMON_TEXT = """
    true false none null yes no on off r w rw read write today tomorrow now all any main master
    default public private general random low medium high open closed new old user admin test
    name title subject body id me you it the a an and or of to in for with file files email
    message hello hi
"""
_COMMON = frozenset(_COMMON_TEXT.split())


def is_telling(value: Value) -> bool:
    """Say whether *value* is more than a word that stands in every other sentence.

    Amounts and dates are no addresses, and only a longer text is told apart by its words.
    """
    text, field = value.text.lower(), value.field.lower()
    if text in _COMMON or is_moment(text) or not any(sign.isalnum() for sign in text):
        return False
    if any(word in field for word in _TIMES):
        return False
    if any(word in field for word in (*_CONTENT, *_WHERE)):
        return len(parts(text)) >= SHORTEST_COPY
    return len(text) > 3 or field.endswith("id") or any(sign.isdigit() for sign in text)


_WHERE = ("location", "address", "place", "city", "street", "country")
_CONTENT = (
    "body",
    "content",
    "text",
    "message",
    "description",
    "subject",
    "title",
    "note",
    "comment",
    "summary",
)
_TIMES = (
    "date",
    "time",
    "day",
    "start",
    "end",
    "amount",
    "price",
    "limit",
    "count",
    "duration",
    "recurring",
)


def is_main(value: Value) -> bool:
    """Say whether *value* says to whom or to what something is done, not when or with which words."""
    field = value.field.lower()
    if value.is_destination:
        return True
    if field.endswith("id") or any(word in field for word in (*_CONTENT, *_TIMES, *_WHERE)):
        return False
    return is_telling(value) and not value.text.replace(".", "").isdigit()
