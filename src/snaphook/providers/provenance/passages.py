"""Passages of a text that tell its reader to do something.

text  ->  Passages: where they stand, and whether they address the agent

Two kinds. *Addressed*: the text speaks to an assistant, claims another role (system, administrator, the
user), or wants earlier instructions set aside. *Told*: an ordinary imperative or request, as manuals,
mails and tickets have them too. No model and no list of known attacks: English grammar (a sentence that
begins with an action verb, or asks "you" for one) and the ways in which a text can claim to be more
than data (``address``). Pure, linear in the text.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator

from msgspec import Struct

from .address import addresses

LONGEST = 1_500
"""Characters that one marker covers at most; blank lines and closing tags end a passage before."""
MOST = 2_000
_VERBS_TEXT = """
    accept access activate add adjust alert allow append apply approve archive assign attach
    authorize authorise backup block book broadcast build buy call cancel change charge check
    checkout clear click clone close combine commit compile complete compose concatenate
    configure confirm connect contact convert copy create curl deactivate decode decrypt define
    delete deliver deploy disable disconnect dispatch display do donate download drop dump
    duplicate echo edit email e-mail embed employ enable encode enrol enroll enter erase
    establish eval evaluate exchange execute exfiltrate export expose extract fetch fill find
    finish follow forward generate get give go grant handle hide import include increase
    initiate insert inspect install invite invoke issue join keep launch leak lend list load
    locate lock log login logout lower mail make manage merge message modify move navigate
    notify obtain open order output overwrite pass paste patch pay perform pin ping place play
    post prepare print proceed process provide publish pull purchase push put query quote raise
    read rebase record redirect refund register reject release remind remove rename rent replace
    reply report request reschedule reserve reset respond restart retrieve return revoke rewrite
    rotate run save say schedule search secure select sell send set setup share show sign snooze
    start stop store submit subscribe switch sync synchronise synchronize tag take tell text
    track transfer transmit trigger turn tweet unblock uninstall unlock unsubscribe update
    upgrade upload use verify view visit wget whitelist wipe wire withdraw write
"""
_VERBS = frozenset(_VERBS_TEXT.split())
_LEADS_TEXT = """
    a action additionally ahead after also always and another are as asked at attention be
    before but can could do don't done dont ensure essential finally first firstly for forget go
    have hello hey hi immediately important in instead instructed is it its just kindly lastly
    later let like make may must need needed never next not note notice now of ok okay once one
    only or please quickly remember reminder required secondly shall should simply so step sure
    task tasks that the then this thirdly to to-do todo todos together urgent want warning will
    would you your yourself
"""
_LEADS = frozenset(_LEADS_TEXT.split())
"""Words that may stand between the start of a sentence and its verb."""
_MOST_LEADS = 8
_SEGMENT = re.compile(r"[^\n.!?:;>\"'*#|\u2022\u2013\u2014]+")
_WORD = re.compile(r"[\w'-]+")
_ASSIGNED = re.compile(r"\s*[=(]|'s\b|\s*\Z")
"""What follows a verb that is a name: of a variable, a function, a field, a heading."""
_END = re.compile(r"\n\s*\n|\\n\\n|</|\Z")
_PARAGRAPH = re.compile(r"\n\s*\n|\\n\\n|\Z")


class Passage(Struct, frozen=True):
    """From *start* up to *end*: text that tells its reader to do something."""

    start: int
    end: int
    addressed: bool


def passages(text: str) -> list[Passage]:
    """Return the passages of *text*, overlaps joined, in order."""
    lower = text.lower()
    if len(lower) != len(text):  # a few letters grow when lowered, and places would shift
        lower = text
    fields = _fields(lower)
    return _joined([*_addressed(lower, fields), *_told(lower, text, fields)])


_FIELD = re.compile(r"[ \t]*(?:- )?[\w-]{1,40}:(?:[ \n]|\Z)")


def _fields(text: str) -> list[int]:
    """Return where the fields of a record begin, where *text* is a list of records in YAML.

    An order in one field says nothing about the next. Only keys as deep as the first one count:
    what a field holds is indented further, so a text cannot end its own passage with a line of that form.
    """
    first = _FIELD.match(text)
    if first is None:
        return []
    depth = len(first[0]) - len(first[0].lstrip(" \t-"))
    shape = re.compile(
        rf"^(?:[ ]{{{depth}}}|[ ]{{{max(depth - 2, 0)}}}- )[\w-]{{1,40}}:(?=[ \n]|\Z)", re.MULTILINE
    )
    return [found.start() for found in shape.finditer(text)]


def _field_end(fields: list[int], start: int, end: int) -> int:
    """Return *end*, or where the field ends in which *start* stands."""
    at = bisect_right(fields, start)
    return min(end, fields[at]) if at < len(fields) else end


def _addressed(text: str, fields: list[int]) -> Iterator[Passage]:
    """Yield what stands around each marker: its own paragraph, and those that follow up to the limit.

    Such a text rarely puts the order into the sentence of its opening ("… do the following first:").
    """
    for at in addresses(text):
        start = max(text.rfind("\n", 0, at) + 1, at - 300)
        end = at
        for _ in range(4):
            stop = _END.search(text, min(end + 1, len(text)), start + LONGEST)
            end = stop.end() if stop else len(text)
            if end - start > LONGEST or (stop and stop[0] == "</"):
                break
        end = _field_end(fields, at, min(end, start + LONGEST))
        yield Passage(start, end, addressed=True)


def _told(text: str, written: str, fields: list[int]) -> Iterator[Passage]:
    """Yield each sentence that begins with an action verb, to the end of its paragraph."""
    end = 0
    count = 0
    for segment in _SEGMENT.finditer(text):
        if segment.start() < end or not _begins(text, written, segment.start()):
            continue
        quoted = segment[0][-1] == " " and text[segment.end() : segment.end() + 1] in ('"', "'")
        if not _tells(f"{segment[0]} x" if quoted else segment[0]):
            continue
        stop = _PARAGRAPH.search(text, segment.end(), segment.start() + LONGEST // 2)
        end = stop.start() if stop else min(len(text), segment.start() + LONGEST // 2)
        end = _field_end(fields, segment.start(), end)
        yield Passage(segment.start(), end, addressed=False)
        count += 1
        if count >= MOST:
            return


_WRAPPED = re.compile(r"[\w,)]\s*\Z")
_OPENS = ("please", "todo", "now ", "then ", "you ", "also ", "next ", "first", "finally", "kindly")


def _begins(text: str, written: str, start: int) -> bool:
    """Say whether a sentence begins at *start*: after a full stop, or on a line that is no continuation.

    *written* is the same text with its capitals: a line that was wrapped goes on in small letters.
    """
    if start == 0 or text[start - 1] != "\n":
        return True
    first = start
    while first < len(text) and text[first] in " \t":
        first += 1
    sign = written[first : first + 1]
    if not sign.islower() and sign not in "([{":
        return True
    return not _WRAPPED.search(text, max(0, start - 40), start - 1) or text.startswith(
        _OPENS, first
    )


def _tells(segment: str) -> bool:
    """Say whether a sentence is an imperative, or asks its reader for an action."""
    for count, word in enumerate(_WORD.finditer(segment)):
        if word[0] in _VERBS:
            return not _ASSIGNED.match(segment, word.end()) and (
                count > 0 or " " in segment.strip()
            )
        if count == 0 and segment[word.end() : word.end() + 1] == ",":
            continue  # somebody is spoken to: "Mia, send …"
        if word[0] not in _LEADS and not word[0].isdigit():
            return _asks(segment) if count else False
        if count >= _MOST_LEADS:
            return False
    return False


_REQUEST = re.compile(
    r"\b(?:(?:must|should|shall|need to|have to|required to|asked to|instructed to|want you to|need you to|"
    r"like you to|ask you to|can you|could you|would you|sure to|please)\s+(?:also |then |first |now |"
    r"immediately |always |kindly |please )?)([\w-]+)"
)


def _asks(segment: str) -> bool:
    return any(found[1] in _VERBS for found in _REQUEST.finditer(segment))


def _joined(found: list[Passage]) -> list[Passage]:
    found.sort(key=lambda one: (one.start, -one.end))
    joined: list[Passage] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is not None and one.start <= last.end:
            both = last.addressed or one.addressed
            joined[-1] = Passage(last.start, max(last.end, one.end), addressed=both)
        else:
            joined.append(one)
    return joined
