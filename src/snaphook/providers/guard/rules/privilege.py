"""Becoming someone else, for good."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span
from snaphook.shell.programs.shells import NAMES

_SUDOS = ("sudo", "doas")


def becomes_root(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a shell that stays someone else's.

    Asks: sudo -i
    Asks: sudo su -
    Asks: sudo bash
    Asks: su -
    Asks: pkexec /bin/sh
    Asks: setcap cap_setuid+ep ./tool
    Allows: sudo apt-get install -y jq
    Allows: sudo -v
    Allows: sudo bash -c "ls /root"
    """
    if only_asks(call) or call.stdin is not None:
        return None
    if call.program in _SUDOS:
        return call.span if call.has("-i", "-s") and not call.operands else None
    if call.program == "su":
        return call.span if not call.get("-c") else None
    if call.program == "setcap":
        return call.span
    rooted = call.root and call.via and not call.has("-c", "-s") and not call.operands
    return call.span if rooted else None


RULE = Rule(
    id="privilege.shell",
    answer=GuardAnswer.ASK,
    says="opens a shell as another user, or grants a program such permissions",
    why="all following commands run with those permissions",
    instead="Use sudo for the one command that needs it.",
    programs=(*_SUDOS, "su", "setcap", *NAMES),
    objects_to=becomes_root,
)
