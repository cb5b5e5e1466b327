"""How much the guard is willing to follow before it closes.

A command past one of these is not understood, so it is not allowed.
"""

LONGEST = 200_000
"""Characters of one command."""

MOST_STEPS = 400
"""Commands followed, counting each turn of a loop and each call of a function."""

DEEPEST = 10
"""Shells within shells: `bash -c "bash -c …"`, eval, functions."""

WIDEST_LOOP = 12
"""Turns of a loop whose words are known; the rest are taken together as unknown."""

LONGEST_SCRIPT = 60_000
"""Characters of a script file that are read because a command runs it; the rest counts as unread."""

MOST_CODE_PIECES = 3
"""Pieces of a long program on disk that are read."""


MOST_STORED_STEPS = 1_500
"""Commands followed in one script on disk; the rest of it counts as unread."""

LONGEST_CODE = 24_000
"""Characters of another language's text that is given on the command line."""

MOST_EFFECTS = 300
"""Things that happen to files, addresses and the like."""

WORDS_A_STEP = 40
"""A command with more words than this counts as several."""

MOST_PARTS = 6_000
"""Words, and parts of words, of one command."""

LONGEST_VALUE = 20_000
"""Characters of a variable or of what a substitution prints; beyond it counts as unknown."""

MOST_PIECES = 60
"""Pieces of a text that is no script which are still looked at."""


class PastLimit(Exception):  # noqa: N818 - it says what happened, not that we failed
    """The command goes beyond what we follow; *what* says in which way."""

    def __init__(self, what: str) -> None:
        super().__init__(what)
        self.what = what
