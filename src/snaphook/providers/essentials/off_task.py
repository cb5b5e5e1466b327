"""Whether a prompt asks for work that has nothing to do with the task at hand.

prompt + task + its document + changed files  ->  the words that are foreign, or nothing

Words are compared by their stems. In doubt a prompt belongs to the task: a question, an answer, a
"go on", or a request made of words that fit any work ("run the tests again") is never foreign.
"""

import re
from collections.abc import Iterable
from pathlib import PurePath

from snaphook.stores.memory.words import terms

_ASKS = re.compile(
    r"\b(?:add|build|change|convert|create|delete|deploy|design|develop|draft|draw|fix|implement|"
    r"install|integrate|make|migrate|move|optimi[sz]e|port|prepare|publish|redesign|refactor|remove|rename|"
    r"replace|rewrite|set ?up|translate|update|upgrade|write)\b",
    re.IGNORECASE,
)
_ANY_WORK_TEXT = """
    test tests check lint build commit push branch run again continue next step task work code file
    files function class module method variable comment comments docs documentation readme change
    changes error errors bug bugs issue problem result results output log review clean simple better new
    old first last please thing things everything use using add fix make create update write remove
    implement need want should now also still project repo repository thoughts decisions summary status
    plan note notes acceptance criteria complete done finish start stop wait look see show tell explain
    try sure right queue yaml events session agent executor planner
"""
_ANY_WORK = frozenset(terms(_ANY_WORK_TEXT))
"""Words that fit any work."""
FEWEST = 3
"""So many words of its own a prompt must have: fewer may be about anything."""
MOST = 1_200
"""Characters of a prompt that are looked at: whoever writes more explains what it is for."""


def foreign_words(prompt: str, known: Iterable[str], files: Iterable[str] = ()) -> tuple[str, ...]:
    """Return the words of *prompt* where it asks for work and shares none with *known*."""
    if len(prompt) > MOST or prompt.rstrip().endswith("?") or not _ASKS.search(prompt):
        return ()
    own = [word for word in terms(prompt) if word not in _ANY_WORK]
    if len(own) < FEWEST:
        return ()
    names = (" ".join(re.split(r"[^A-Za-z0-9]+", PurePath(path).as_posix())) for path in files)
    of_task = {word for text in (*known, *names) for word in terms(text)} - _ANY_WORK
    if len(of_task) < FEWEST or any(_alike(word, other) for word in own for other in of_task):
        return ()
    return tuple(own)


def _alike(one: str, other: str) -> bool:
    """Say whether two stems are the same, or one begins the other: 'auth', 'authentication'."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= 4 and long.startswith(short))
