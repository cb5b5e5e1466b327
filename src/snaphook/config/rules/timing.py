"""Times that are not what was meant."""

from snaphook.canon import Stance
from snaphook.config.problems import Notes
from snaphook.config.settings import CommandHook, Dialect

from .scene import beside
from .words import Words, simple_commands

_HOUR = 3600
_WAVE_CAP = 600
_ROUND = 500
_FULL_SCREEN = frozenset({"vim", "vi", "nvim", "nano", "emacs", "less", "more", "top", "htop"})


def milliseconds(hook: CommandHook, notes: Notes) -> None:
    """Note a timeout that only makes sense as milliseconds."""
    timeout = hook.timeout or 0
    at = beside(hook, "timeout")
    seconds = f"Timeouts are in seconds: {timeout / 1000:g} if milliseconds were meant."
    if timeout > _HOUR:
        what = f"a timeout of {timeout:g} seconds is {timeout / _HOUR:.1f} hours"
        notes.error("milliseconds", at, what, seconds, tolerable=True)
    elif timeout >= 2 * _ROUND and timeout % _ROUND == 0:
        notes.warning("milliseconds", at, f"a timeout of {timeout:g} seconds", seconds)
    elif timeout > _WAVE_CAP and hook.dialect is Dialect.WAVE:
        what = f"a timeout of {timeout:g} seconds is cut to {_WAVE_CAP}"
        notes.warning("timeout-cut", at, what, f"Give {_WAVE_CAP} or less.")


def background_that_should_block(hook: CommandHook, notes: Notes) -> None:
    """Note a hook that nobody waits for and whose failure is still meant to stop something."""
    if hook.background and hook.stance is Stance.CLOSED:
        native = hook.dialect is Dialect.SNAPHOOK
        key = "on_failure" if native else "onFailure"
        what = f"'{key}' has no effect on an async hook"
        fix = f"Remove 'async' if its failure must block the call; otherwise remove '{key}'."
        notes.warning("background", beside(hook, key), what, fix)


def a_command_that_never_ends(hook: CommandHook, notes: Notes) -> None:
    """Note what waits for a person, or for ever, while the agent waits for it."""
    if hook.background or hook.args is not None or hook.command.rstrip().endswith("&"):
        return
    for words in simple_commands(hook.command):
        if why := _waits(words):
            fix = "Use a command that exits, or set async to true."
            notes.warning("never-ends", beside(hook, "command"), why, fix)


def _waits(words: Words) -> str | None:
    program, *rest = words.written
    if program == "sudo" and not any(word.startswith("-n") for word in rest):
        return "'sudo' may ask for a password, which nobody can type"
    program, *rest = words.unwrapped().written
    if program in _FULL_SCREEN:
        return f"'{program}' waits for a person at a terminal"
    if program == "tail" and any(word in ("-f", "-F", "--follow") for word in rest):
        return "'tail -f' never ends"
    if program == "watch" or any(word in ("--watch", "--watchAll") for word in rest):
        return "a watcher never ends"
    if program in ("npm", "pnpm", "yarn", "bun") and rest[-1:] in (["dev"], ["start"], ["serve"]):
        return f"'{program} {' '.join(rest)}' starts a server, which never ends"
    return None
