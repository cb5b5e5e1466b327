"""What is well-formed and still wrong: one function per mistake, all of them in two tables.

CommandHook, HookScene  ->  Problems
"""

from collections.abc import Callable

from snaphook.config.problems import Notes
from snaphook.config.settings import CommandHook

from . import answers, harm, matchers, running, timing, wording
from .scene import HookScene

TOLD_BY_THE_TEXT: tuple[Callable[[CommandHook, Notes], None], ...] = (
    matchers.an_event_without_a_matcher,
    matchers.a_value_the_event_never_has,
    matchers.a_tool_that_no_host_has,
    matchers.a_condition_that_never_holds,
    wording.not_a_command_line,
    wording.windows_spelling,
    wording.quotes_that_stop_expansion,
    timing.milliseconds,
    timing.background_that_should_block,
    timing.a_command_that_never_ends,
    answers.an_answer_that_nobody_reads,
)
TOLD_BY_THE_SCENE: tuple[Callable[[CommandHook, HookScene, Notes], None], ...] = (
    wording.a_variable_that_nobody_sets,
    running.broken_shell,
    running.a_script_that_cannot_run,
    running.a_program_misspelt,
    harm.dangerous,
)


def judge(hook: CommandHook, scene: HookScene, notes: Notes) -> None:
    """Let every rule look at *hook*."""
    for rule in TOLD_BY_THE_TEXT:
        rule(hook, notes)
    for look in TOLD_BY_THE_SCENE:
        look(hook, scene, notes)


__all__ = ["TOLD_BY_THE_SCENE", "TOLD_BY_THE_TEXT", "HookScene", "judge"]
