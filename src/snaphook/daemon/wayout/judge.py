"""What would stop a command that nobody has tried yet.

command  ->  Stop
"""

from msgspec.structs import replace

from snaphook.canon import HookContext, PreToolUse
from snaphook.config import Settings, Surroundings
from snaphook.providers.guard.judgement import Judgement
from snaphook.providers.guard.provider import GuardProvider
from snaphook.providers.guard.settings import GuardSettings
from snaphook.providers.guard.way_out import Stop, stop_of, stopping_rules
from snaphook.wiring import caller_environment, guard_settings, judges


class NoWay(Exception):  # noqa: N818 - it says that there is none
    """What is asked for cannot be given, whoever asks."""

    def __init__(self, what: str, fix: str = "'snaphook allow' lists what was stopped.") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


def judged_here(
    command: str,
    tool: str,
    settings: Settings | None,
    around: Surroundings,
    *,
    allow: tuple[str, ...] = (),
) -> tuple[Judgement, GuardSettings, PreToolUse]:
    """Return what the guard says of *command* where *around* stands, were *allow* in the settings."""
    if settings is None:
        raise NoWay("the settings cannot be read", "Run 'snaphook check' and mend them.")
    guard = next((one for one in judges(settings, around) if isinstance(one, GuardProvider)), None)
    if guard is None:
        raise NoWay("the guard is switched off here", "There is nothing to allow.")
    guard.settings = replace(guard.settings, allow=(*guard.settings.allow, *allow))
    context = HookContext(session_id="", cwd=str(around.cwd), team_root=settings.root)
    event = PreToolUse(tool_name=tool, tool_args={"command": command}, context=context)
    before = caller_environment.set(around.env)
    try:
        return guard.judge(event, context), guard_settings(settings), event
    finally:
        caller_environment.reset(before)


def stop_of_command(
    command: str, tool: str, project: str, settings: Settings | None, around: Surroundings
) -> Stop:
    """Return *command* as a person would have to allow it; an error where that is no use."""
    judgement, wanted, event = judged_here(command, tool, settings, around)
    stop = stop_of(judgement, wanted, event, event.context)
    if not stopping_rules(judgement):
        raise NoWay("nothing stops this command here", "Just let it run.")
    if stop.fixed or not wanted.overrides:
        told = judgement.reason or "an administrator said so"
        raise NoWay(f"nobody lifts this: {told}", "A person can run the command themselves.")
    return Stop(
        command=command,
        tool=tool,
        rules=stop.rules,
        fixed=False,
        reason=stop.reason,
        project=project,
        cwd=stop.cwd,
        session="",
    )
