"""When a job that failed is tried again, and when no more.

attempts + chance  ->  seconds        Pure.
"""

ATTEMPTS = 8
"""How often a job is tried before it is a dead letter: over about an hour and a half."""
FIRST, LONGEST = 2.0, 3600.0
"""Seconds before the second attempt, and the most between any two."""
GROWTH = 4.0
JITTER = 0.25
OLDEST = 3 * 86_400.0
"""Seconds after which a job that is always put off is a dead letter too."""


def pause(attempts: int, chance: float) -> float:
    """Return the seconds before the next attempt; *chance* of 0 to 1 spreads the crowd."""
    wait = min(FIRST * GROWTH ** max(0, min(attempts, 32) - 1), LONGEST)
    return wait * (1 - JITTER + 2 * JITTER * chance)
