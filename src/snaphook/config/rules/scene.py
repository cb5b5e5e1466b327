"""What a rule may look at besides the hook: the project, the home, the programs there are."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.config.problems import Pointer
from snaphook.config.scripts import PROJECT_VARIABLES
from snaphook.config.settings import CommandHook, Dialect

OWN_VARIABLES: Mapping[Dialect, frozenset[str]] = {
    Dialect.CLAUDE: frozenset(
        {
            "CLAUDECODE",
            "CLAUDE_CODE_CHILD_SESSION",
            "CLAUDE_CODE_ENTRYPOINT",
            "CLAUDE_CODE_REMOTE",
            "CLAUDE_CODE_SESSION_ATTENDED",
            "CLAUDE_CODE_SESSION_ID",
            "CLAUDE_CONFIG_DIR",
            "CLAUDE_EFFORT",
            "CLAUDE_ENV_FILE",
            "CLAUDE_PID",
            "CLAUDE_PLUGIN_DATA",
            "CLAUDE_PLUGIN_ROOT",
            "CLAUDE_PROJECT_DIR",
        }
    ),
    Dialect.WAVE: frozenset(
        {
            "CLAUDE_PLUGIN_ROOT",
            "HOOK_EVENT",
            "HOOK_TOOL_NAME",
            "WAVE_PLUGIN_ROOT",
            "WAVE_PROJECT_DIR",
            "WAVE_SESSION_ID",
        }
    ),
}
"""What a hook of a dialect finds in its environment; the native one has both."""


class HookScene(Struct, frozen=True, kw_only=True):
    """Where a command would run."""

    root: Path
    home: Path
    env: Mapping[str, str]
    which: Callable[[str], str | None]
    """The path of a program, as the shell would find it."""
    shell_error: Callable[[str], str | None]
    """What the shell says about a line that it cannot parse."""

    def variables(self, dialect: Dialect) -> Mapping[str, str]:
        """Return the variables whose value we know while checking."""
        own = own_variables(dialect)
        roots = {name: str(self.root) for name in PROJECT_VARIABLES if name in own}
        return {**roots, "HOME": str(self.home), "PWD": str(self.root)}


def own_variables(dialect: Dialect) -> frozenset[str]:
    """Return the variables that hooks of *dialect* find set."""
    if dialect is Dialect.SNAPHOOK:
        own = frozenset().union(*OWN_VARIABLES.values())
        return own | {"SNAPHOOK_PROJECT_DIR", "SNAPHOOK_EVENT"}
    return OWN_VARIABLES[dialect]


def beside(hook: CommandHook, key: str) -> Pointer:
    """Return the pointer of a hook's own *key*; a matcher stands one level up in a group."""
    pointer = hook.origin.pointer
    if key == "matcher" and "hooks" in pointer[-2:]:
        pointer = pointer[:-2]
    return (*pointer, key)
