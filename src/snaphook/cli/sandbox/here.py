"""What the commands of ``snaphook sandbox`` share: the machine, the settings, the policy here.

cwd  ->  Here
"""

from pathlib import Path

from msgspec import Struct

from snaphook.cli.here import here as settings_here
from snaphook.config import Environment, Settings
from snaphook.errors import MachineError, UsageError
from snaphook.providers.guard.sandboxing.confine import Confiner
from snaphook.sandbox.helper import Ability, ability
from snaphook.sandbox.settings import SandboxSettings
from snaphook.shell.live import LiveWorld
from snaphook.wiring.sandbox import confiner, sandbox_settings


class Here(Struct, frozen=True, kw_only=True):
    """Everything a command of ours needs to know."""

    around: Environment
    settings: Settings
    world: LiveWorld
    confiner: Confiner

    @property
    def sandbox(self) -> SandboxSettings:
        """What ``[sandbox]`` says."""
        return sandbox_settings(self.settings)


def here(cwd: str) -> Here:
    """Return the place *cwd*, or this one."""
    folder = Path(cwd).expanduser().absolute() if cwd else Path.cwd()
    if not folder.is_dir():
        raise UsageError(
            where="snaphook sandbox --cwd", what=f"no folder '{cwd}'", fix="Check the path."
        )
    settings, around = settings_here(folder)
    world = LiveWorld(str(folder), env=around.env, project=settings.root)
    return Here(around=around, settings=settings, world=world, confiner=confiner(settings, around))


def able_or_fail() -> Ability:
    """Return what this machine can enforce; an error where that is nothing."""
    able = ability()
    if not able.confines:
        raise MachineError(
            where="snaphook sandbox",
            what=" ".join(able.gaps).rstrip("."),
            fix="'snaphook sandbox status' shows what is missing.",
        )
    return able


def command_words(words: tuple[str, ...]) -> list[str]:
    """Return what to start for *words*: one word with a space is shell text."""
    if len(words) == 1 and any(char in words[0] for char in " \t\n;|&<>$`"):
        return ["sh", "-c", words[0]]
    return list(words)
