"""What would block a command that nobody has tried yet.

command  ->  BlockedCall
"""

from msgspec.structs import replace

from snaphook.canon import HookContext, PreToolUse
from snaphook.config import Environment, Settings
from snaphook.providers.guard.judgement import Judgement
from snaphook.providers.guard.overrides import blocked_call, stopping_rules
from snaphook.providers.guard.provider import GuardProvider
from snaphook.providers.guard.sandboxing.lift import confined_call
from snaphook.providers.guard.settings import GuardSettings
from snaphook.stores.overrides.override import BlockedCall
from snaphook.wiring.assembly import caller_environment, guard_settings, judges
from snaphook.wiring.sandbox import sandbox_of


class CannotAllow(Exception):  # noqa: N818 - an answer, not a failure
    """What is asked for cannot be allowed, whoever asks."""

    def __init__(self, what: str, fix: str = "'snaphook allow' lists the blocked calls.") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


def evaluate(
    command: str,
    tool: str,
    settings: Settings | None,
    around: Environment,
) -> tuple[Judgement, GuardSettings, PreToolUse]:
    """Return the guard's judgement of *command* in *around*."""
    if settings is None:
        raise CannotAllow(
            "the settings cannot be read", "Run 'snaphook check' and fix what it reports."
        )
    guard = next((one for one in judges(settings, around) if isinstance(one, GuardProvider)), None)
    if guard is None:
        raise CannotAllow("the guard is switched off here", "There is nothing to allow.")
    context = HookContext(session_id="", cwd=str(around.cwd), team_root=settings.root)
    event = PreToolUse(tool_name=tool, tool_args={"command": command}, context=context)
    before = caller_environment.set(around.env)
    try:
        return guard.judge(event, context), guard_settings(settings), event
    finally:
        caller_environment.reset(before)


def is_confined(judgement: Judgement, settings: Settings | None, around: Environment) -> bool:
    """Say whether the sandbox would confine a part of the judged command."""
    sandbox = sandbox_of(settings, around) if settings is not None else None
    return sandbox is not None and sandbox.concerns(judgement)


def block_of_command(
    command: str, tool: str, project: str, settings: Settings | None, around: Environment
) -> BlockedCall:
    """Return *command* as a person would have to allow it; CannotAllow where that makes no sense."""
    judgement, wanted, event = evaluate(command, tool, settings, around)
    call = blocked_call(judgement, wanted, event, event.context)
    if not stopping_rules(judgement) and is_confined(judgement, settings, around):
        reason = "The sandbox confines this command."
        call = confined_call(command, reason, event, event.context)
    elif not stopping_rules(judgement):
        raise CannotAllow("nothing stops this command here", "Run it without an override.")
    if call.fixed or not wanted.overrides:
        why = judgement.reason or "an administrator's settings say so"
        raise CannotAllow(
            f"no override lifts this: {why}", "A person can run the command themselves."
        )
    return replace(call, command=command, project=project, session="", call="")
