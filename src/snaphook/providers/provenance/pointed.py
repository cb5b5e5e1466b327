"""Whether the person asked for this very text to be read.

arguments of a reading call  ->  did a prompt name one of them?
"""

from collections.abc import Mapping
from typing import Any

from snaphook.stores.provenance.entries import Trust
from snaphook.stores.provenance.session import Session

from .sites import host_of, is_public
from .values import leaves

_SHORTEST = 3


def pointed(args: Mapping[str, Any], session: Session) -> bool:
    """Say whether a prompt names what a call reads: its address, file, query or name."""
    for _, text in leaves(args):
        if len(text) < _SHORTEST or len(text) > 500:
            continue
        if session.named(text, (Trust.PERSON,)):
            return True
        host = host_of(text) if "://" in text else ""
        if host and not is_public(host) and session.named(host, (Trust.PERSON,)):
            return True
    return False
