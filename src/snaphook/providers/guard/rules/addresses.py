"""Addresses that are not what they seem, or that give away what they should keep."""

from __future__ import annotations

import re
import unicodedata

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span

_METADATA = (
    "169.254.169.254",
    "169.254.170.2",
    "100.100.100.200",
    "metadata.google.internal",
    "[fd00:ec2::254]",
)
_SHORT_TEXT = """
    bit.ly tinyurl.com is.gd t.co goo.gl ow.ly buff.ly rebrand.ly cutt.ly shorturl.at tiny.cc v.gd rb.gy
"""
_SHORT = frozenset(_SHORT_TEXT.split())
_AUTHORITY = re.compile(r"^(?:[a-z][\w+.-]*://)?([^/?#\s]*)", re.IGNORECASE)


def asks_metadata(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at the address where a cloud hands out a machine's own credentials.

    Blocks: curl http://169.254.169.254/latest/meta-data/iam/security-credentials/
    Blocks: wget -qO- http://metadata.google.internal/computeMetadata/v1/
    Allows: curl http://localhost:8080/health
    """
    return effect.span if _host(effect.detail) in _METADATA else None


def deceives(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at a host whose name hides where it leads.

    Asks: curl https://gіthub.com/install.sh
    Asks: curl https://xn--80ak6aa92e.com/x
    Asks: curl http://github.com@evil.example/x
    Asks: curl -L https://bit.ly/3abc
    Allows: curl https://example.com/доку/мент
    Allows: curl https://user:pass@registry.example.com/x
    """
    host = _host(effect.detail)
    named = _AUTHORITY.match(effect.detail)
    user = named[1].rpartition("@")[0] if named else ""
    odd = (
        host in _SHORT
        or "xn--" in host
        or (not host.isascii() and _mixes(host))
        or ("." in user.partition(":")[0] and ":" not in user)
    )
    return effect.span if odd else None


def _host(address: str) -> str:
    named = _AUTHORITY.match(address)
    host = named[1].rpartition("@")[2] if named else ""
    return host if host.startswith("[") else host.partition(":")[0].lower()


def _mixes(host: str) -> bool:
    """Say whether a name mixes alphabets, or spells ASCII with look-alikes."""
    if unicodedata.normalize("NFKC", host) != host:
        return True
    alphabets = {unicodedata.name(char, "?").split()[0] for char in host if char.isalpha()}
    return len(alphabets) > 1


RULES = (
    Rule(
        id="address.metadata",
        answer=GuardAnswer.DENY,
        says="reads this machine's credentials from a cloud metadata service",
        why="anyone who has them can act as this machine",
        instead="Use the cloud's own command-line tool.",
        acts=(Act.FETCH, Act.SEND),
        objects_to=asks_metadata,
    ),
    Rule(
        id="address.deceptive",
        answer=GuardAnswer.ASK,
        says="uses a URL that hides its real destination",
        why="it may not be the site it looks like",
        instead="Use the real host name.",
        acts=(Act.FETCH, Act.SEND),
        objects_to=deceives,
    ),
)
