"""Which role an agent plays in a session, for the guard's rules.

HookContext  ->  AgentRole
"""

from typing import TYPE_CHECKING

import msgspec

from snaphook.canon import HookContext
from snaphook.config import Environment, Settings
from snaphook.config.caller import environment
from snaphook.providers.guard.settings import GuardSettings

if TYPE_CHECKING:
    from snaphook.providers.essentials.role import SessionRoles
    from snaphook.providers.guard.caller import AgentRole
    from snaphook.providers.guard.provider import Roles

_NAMED_BY = ("BB5_AGENT_TYPE", "RALF_RUN_DIR")


def roles_of(settings: Settings, around: Environment) -> "Roles":
    """Return who tells a session's role; most sessions have none, and nobody looks for it."""
    table = settings.sections.get("guard")
    wanted = msgspec.convert(dict(table.values), GuardSettings) if table else GuardSettings()
    always = "essentials" in settings.sections or bool(wanted.packs or wanted.roles or wanted.own)
    known: list[SessionRoles] = []

    def role(context: HookContext) -> "AgentRole":
        from snaphook.providers.guard.caller import NO_ROLE, AgentRole

        env = environment()
        if not always and not any(map(env.get, _NAMED_BY)):
            return NO_ROLE
        if not known:
            from snaphook.providers.essentials.role import SessionRoles

            known.append(SessionRoles(around.data_dir))
        found = known[0].of(context, env)
        return AgentRole(name=found.name, folders=found.folders)

    return role
