"""The calls with which ``snaphook doctor`` tries a hook.

command + session or environment  ->  is it a probe?

They leave no record, count in no statistics and are not offered to ``snaphook allow``. The exact text is
part of the test: an agent that marks itself as a probe only hides a call that is denied anyway.
"""

from collections.abc import Mapping

DANGEROUS, HARMLESS = "rm -rf / --no-preserve-root", "ls"
SESSION = "snaphook-doctor"
VARIABLE = "SNAPHOOK_PROBE"
"""For hosts whose messages carry no session."""


def is_probe(command: object, session: str, env: Mapping[str, str]) -> bool:
    """Return whether a call was made by ``snaphook doctor``."""
    if command != DANGEROUS and command != HARMLESS:
        return False
    return session == SESSION or env.get(VARIABLE) == "1"
