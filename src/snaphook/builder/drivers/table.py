"""Choose a driver by the words people use for it.

``claude``, ``command: …``  ->  Driver
"""

from collections.abc import Callable, Mapping

from snaphook.builder.driver import Driver
from snaphook.errors import UsageError

from .claude import ClaudeDriver
from .codex import CodexDriver
from .command import CommandDriver
from .gemini import GeminiDriver

COMMAND = "command:"
AGENT = "agent"
PROGRAMS: Mapping[str, Callable[..., Driver]] = {
    "claude": ClaudeDriver,
    "codex": CodexDriver,
    "gemini": GeminiDriver,
}
"""The programs we know how to talk to; *model* and further *options* go with each."""


def choose_driver(
    words: str, *, agent: Callable[[str], Driver], model: str = "", options: tuple[str, ...] = ()
) -> Driver:
    """Return the driver that *words* name; *agent* makes the reference agent, given a model."""
    if words.startswith(COMMAND):
        return CommandDriver(words.removeprefix(COMMAND).strip())
    if words == AGENT:
        return agent(model)
    if words in PROGRAMS:
        return PROGRAMS[words](model=model, options=options)
    known = ", ".join((AGENT, *PROGRAMS))
    raise UsageError(
        where=f"builder '{words}'",
        what="unknown builder",
        fix=f"There are: {known}, and 'command: TOOL … {{message_file}}'.",
    )
