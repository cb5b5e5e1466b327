"""What our tests saw of the real agents, with the version they ran and the day.

host  ->  Verified, or nothing where no test runs the program

The file beside this one is written by ``make observe``, never by hand.
"""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec
from msgspec import Struct


class Verified(Struct, frozen=True, kw_only=True):
    """One agent, as it was seen."""

    version: str
    date: str
    refused: bool = False
    """A refused command did not run."""
    reason: str = ""
    """Who read why: ``model``, or nobody."""
    question: str = ""
    """What became of a question with nobody there: ``refused`` or ``ran``."""
    own_hooks: bool = False
    """The agent could not write over its own hooks."""
    session: bool = False
    prompt: bool = False
    result: bool = False
    """Text of ours reached the model: at the start, with the prompt, with a result."""
    stop: bool = False
    """A stop was sent back."""
    crash: str = ""
    hang: str = ""
    missing: str = ""
    """What became of a call when our program failed so: ``refused`` or ``runs``."""


@cache
def all_verified() -> Mapping[str, Verified]:
    """Return every agent that a test runs."""
    raw = files("snaphook.hosts").joinpath("verified.json").read_bytes()
    return msgspec.json.decode(raw, type=dict[str, Verified])


def verified(host: str) -> Verified | None:
    """Return what was seen of *host*; ``None`` for one whose program no test runs."""
    return all_verified().get(host)


def drift(host: str, version: str | None, proven_here: str | None = None) -> str:
    """Return the message about a *version* that was not tested with; empty where it was.

    *proven_here* is the version for which ``doctor --live`` last held on this machine.
    """
    known = verified(host)
    if known is None:
        return "not verified on the real program"
    if version is None or version in (known.version, proven_here):
        return ""
    return f"verified with {known.version}, you have {version}: run 'snaphook doctor {host} --live'"
