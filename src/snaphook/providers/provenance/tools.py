"""What a tool does, told by its name: reads, sends, pays, permits, runs or changes.

mcp__bank__send_money  ->  words (send, money)  ->  ToolClass.PAY

MCP servers and agent frameworks name tools by verb and noun; annotations, where a proxy has seen them,
add to what the name tells, and ``[provenance.sinks]`` counts before both.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any

_WORDS = re.compile(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])")


class ToolClass(StrEnum):
    """What a tool does to the world."""

    READ = "read"
    SEND = "send"
    PAY = "pay"
    PERMIT = "permit"
    RUN = "run"
    CHANGE = "change"


_ACTIONS_TEXT = """
send email mail forward reply notify post publish upload tweet comment submit broadcast share announce write |
  message messages dm text sms respond dispatch deliver tell put ask answer contact inform summary letter say
pay transfer wire purchase buy order refund withdraw donate deposit charge trade invest |
  payment payments transaction transactions money bill invoice checkout spend rent send subscription
reserve book rent hire | reservation booking table room stay
delete remove erase wipe clear cancel drop purge unsubscribe uninstall discard terminate dismiss trash |
  archive clean rid
create add make schedule setup register append insert generate organize arrange enroll enrol subscribe save
  store record | new plan open note remind reminder put set write book invite share
update change modify edit adjust set reset reschedule rename move replace correct amend upgrade switch
  configure | fix new moved increase decrease instructions
grant authorize authorise invite allow unlock approve enable disable share |
  permission permissions access role password credential credentials key collaborator member add join
run execute install launch deploy start invoke call trigger control turn restart stop reboot | exec eval use
"""


def _action(line: str) -> tuple[frozenset[str], frozenset[str]]:
    verbs, _, words = line.partition("|")
    return frozenset(verbs.split()), frozenset(f"{verbs} {words}".split())


_ACTIONS = tuple(_action(line) for line in _ACTIONS_TEXT.replace("\n  ", " ").strip().splitlines())
"""Words for one action: the verbs with which a text tells somebody to do it, and all words by which a
person may have asked for it, which are more."""
_READS_TEXT = """
    get gets list lists read reads search searches find fetch view show query lookup check
    browse describe count retrieve scan inspect navigate visit load see summarize summarise
    analyze analyse detect extract translate convert calculate compute compare explore watch
    status info details history open download ls cat head grep glob tree history recall preview
    look
"""
_READS = frozenset(_READS_TEXT.split())
_PAY_TEXT = """
    pay payment transfer purchase buy checkout withdraw donate wire refund money invest trade
    bid order
"""
_PAY = frozenset(_PAY_TEXT.split())
_PERMIT_TEXT = """
    grant permission permissions authorize authorise invite unlock password passwords credential
    credentials role roles collaborator member access 2fa mfa key disarm
"""
_PERMIT = frozenset(_PERMIT_TEXT.split())
_SEND_TEXT = """
    send email mail message post reply comment tweet publish notify forward upload submit share
    webhook broadcast dispatch sms dm text push respond announce
"""
_SEND = frozenset(_SEND_TEXT.split())
_RUN = frozenset(["execute", "exec", "eval", "run", "install"])
_HANDLES_TEXT = """
    tool tools function api mcp server by for in of the to from on and with a my all
"""
_HANDLES = frozenset(_HANDLES_TEXT.split())


@lru_cache(maxsize=2048)
def words_of(tool: str) -> tuple[str, ...]:
    """Return the words of a tool's own name, in lower case."""
    return tuple(word.lower() for word in _WORDS.findall(tool.rpartition("__")[2]))


@lru_cache(maxsize=2048)
def class_of(tool: str) -> ToolClass:
    """Return what *tool* does, as its name tells; an unknown verb changes something."""
    words = words_of(tool)
    verb = next((word for word in words if word in _READS or _action_of(word)), "")
    told = frozenset(words)
    if verb in _READS:
        return ToolClass.READ
    if told & _PAY:
        return ToolClass.PAY
    if told & _PERMIT and verb not in ("send", "email"):
        return ToolClass.PERMIT
    if told & _SEND:
        return ToolClass.SEND
    if verb in _RUN:
        return ToolClass.RUN
    return ToolClass.CHANGE


def class_said(tool: str, annotations: Mapping[str, Any]) -> ToolClass:
    """Return what *tool* does, as its name and its server's *annotations* tell.

    MCP calls them hints that are not to be trusted: a server that lies must gain nothing. So they make a
    reader of a tool only where its name says nothing, and they may always say that it does more.
    """
    told = class_of(tool)
    if told is ToolClass.READ and (
        annotations.get("readOnlyHint") is False or annotations.get("destructiveHint") is True
    ):
        return ToolClass.CHANGE
    unknown = not any(word in _READS or _action_of(word) for word in words_of(tool))
    if told is ToolClass.CHANGE and unknown and annotations.get("readOnlyHint") is True:
        return ToolClass.READ
    return told


@lru_cache(maxsize=2048)
def action_of(tool: str) -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    """Return the verbs for what *tool* does, the words by which one asks for it, and what it is done to."""
    words = words_of(tool)
    told = [pair for pair in _ACTIONS if pair[0] & set(words)]
    near = [pair for pair in _ACTIONS if pair[1] & set(words)]
    verbs = frozenset[str]().union(*(one for one, _ in told or near[:1])) or frozenset(words[:1])
    asked = frozenset[str]().union(*(more for _, more in near)) or verbs
    things = tuple(word for word in words[1:] if word not in _HANDLES and word not in verbs)
    return verbs, asked, things


def _action_of(word: str) -> bool:
    return any(word in asked for _, asked in _ACTIONS)
