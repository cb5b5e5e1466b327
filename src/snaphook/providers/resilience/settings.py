"""What people may change about recovery.

[resilience] of snaphook.toml  ->  ResilienceSettings
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct


class ResilienceSettings(Struct, frozen=True, kw_only=True):
    """How long to wait, whom to ask instead, and when to give up."""

    enabled: bool = True
    fallback: tuple[str, ...] = ()
    """Fallback models, best first; failing ones are skipped."""
    threshold: int = 5
    """Failures in a row, over all sessions of this machine, that open a model's circuit."""
    cooldown: float = 60.0
    """Seconds before one session may try a model again whose circuit is open."""
    attempts: int = 5
    """Maximum number of attempts per answer."""
    switch_after: int = 2
    """Failed attempts after which another model is asked, where waiting might have helped too."""
    first_wait: float = 1.0
    """Seconds before the second attempt; each further wait is twice as long, and a little random."""
    max_wait: float = 60.0
    """Maximum wait in seconds that a vendor may request."""
    reword: str = ""
    """What to send after a content filter stopped an answer; ``{prompt}`` is what was sent."""
    alert: bool = True
    """Send notifications about an open circuit, a recovery, an invalid key or an exceeded budget."""

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: limits that nothing can keep."""
        for name, least in (("threshold", 1), ("attempts", 1), ("switch_after", 1)):
            value = table.get(name)
            if isinstance(value, int) and value < least:
                yield (name,), f"{value} is too small", f"Write {least} or more."
        for name in ("cooldown", "first_wait", "max_wait"):
            value = table.get(name)
            if isinstance(value, int | float) and value < 0:
                yield (name,), f"{value} is not a valid number of seconds", "Write 0 or more."
        reword = table.get("reword")
        if isinstance(reword, str) and reword and "{prompt}" not in reword:
            yield ("reword",), "the text does not contain {prompt}", "Add {prompt} to the text."
