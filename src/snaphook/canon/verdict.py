"""The few words a hook can say about a call, and who is meant to hear them.

Pure: nothing here knows a host, a clock or a file.
"""

from enum import StrEnum


class Verdict(StrEnum):
    """What a hook says about a call; where two disagree, the severer one wins.

    ``BLOCK`` is the ``DENY`` of events that come after the fact: the tool has run, the agent wants
    to stop; there is nothing left to forbid, but the agent must hear why it is not done.
    """

    ALLOW = "allow"
    MODIFY = "modify"
    ASK = "ask"
    DENY = "deny"
    BLOCK = "block"

    @property
    def severity(self) -> int:
        """Return the rank of this verdict: larger wins, equal ranks go to the first speaker."""
        return _SEVERITY[self]

    @property
    def stops(self) -> bool:
        """Say whether the call, the prompt or the stop does not go through."""
        return self is Verdict.DENY or self is Verdict.BLOCK


_SEVERITY = {
    Verdict.ALLOW: 1,
    Verdict.MODIFY: 2,
    Verdict.ASK: 3,
    Verdict.DENY: 4,
    Verdict.BLOCK: 4,
}


class Recipient(StrEnum):
    """Who hears a message: the person, the model, or both."""

    USER = "user"
    AGENT = "agent"
    BOTH = "both"

    @property
    def reaches_user(self) -> bool:
        """Say whether the person at the keyboard hears it."""
        return self is not Recipient.AGENT

    @property
    def reaches_agent(self) -> bool:
        """Say whether the model hears it."""
        return self is not Recipient.USER


class Stance(StrEnum):
    """What a provider's failure means: go on without it, or stop the call."""

    OPEN = "open"
    CLOSED = "closed"
