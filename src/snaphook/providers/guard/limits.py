"""How much the guard is willing to follow before it closes.

A command past one of these is not understood, so it is not allowed.
"""

LONGEST = 200_000
"""Characters of one command."""

MOST_STEPS = 1_200
"""Commands followed, counting each turn of a loop and each call of a function."""

DEEPEST = 10
"""Shells within shells: `bash -c "bash -c …"`, eval, functions."""

WIDEST_LOOP = 12
"""Turns of a loop whose words are known; the rest are taken together as unknown."""

LONGEST_SCRIPT = 60_000
"""Characters of a script file that is read because a command runs it."""


class PastLimit(Exception):  # noqa: N818 - it says what happened, not that we failed
    """The command goes beyond what we follow; *what* says in which way."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
