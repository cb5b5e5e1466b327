"""May this tool run? Settled by a rule, by a hook, or by a person.

Tool + parameters  ->  Permission

The order: a hook's deny, a hook's allow, the mode, what was answered with "always" before, a hook
that answers in the person's place, the person. With nobody to ask, the answer is no.
"""

import asyncio
from collections.abc import Awaitable, Callable
from enum import StrEnum
from typing import Any, TypeAlias

from msgspec import Struct, field

from .tools import Tool


class Permission(StrEnum):
    """What is answered."""

    ALLOW = "allow"
    ALWAYS = "always"
    DENY = "deny"


class Mode(StrEnum):
    """Permission mode: which tools run without asking."""

    DEFAULT = "default"
    """Reading; the rest is asked about."""
    ACCEPT_EDITS = "accept-edits"
    """Reading and changing files."""
    PLAN = "plan"
    """Reading; the rest is refused."""
    ALLOW_ALL = "allow-all"
    """Everything. Hooks still decide before it."""


class Question(Struct, frozen=True, kw_only=True):
    """What a person is asked."""

    tool_name: str
    parameters: dict[str, Any]
    why: str = ""
    """Why a hook wants the question asked."""


Asker: TypeAlias = Callable[[Question], Awaitable[Permission]]


class Permissions(Struct, kw_only=True):
    """A mode, whom to ask beyond it, and what was answered with "always"."""

    mode: Mode = Mode.DEFAULT
    ask: Asker | None = None
    always: set[str] = field(default_factory=set)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held while a person is asked."""

    def settled(self, tool: Tool, parameters: dict[str, Any]) -> Permission | None:
        """Return what needs no question, or ``None`` where somebody must be asked."""
        if tool.harmless or self.mode is Mode.ALLOW_ALL or _key(tool, parameters) in self.always:
            return Permission.ALLOW
        if self.mode is Mode.ACCEPT_EDITS and tool.edits:
            return Permission.ALLOW
        return Permission.DENY if self.mode is Mode.PLAN else None

    async def answer(self, tool: Tool, question: Question) -> Permission:
        """Return what the person says; an "always" is remembered."""
        if self.ask is None:
            return Permission.DENY
        async with self.asking:  # one question at a time, however many tools wait
            if _key(tool, question.parameters) in self.always and not question.why:
                return Permission.ALLOW
            said = await self.ask(question)
            if said is Permission.ALWAYS:
                self.always.add(_key(tool, question.parameters))
        return said


def _key(tool: Tool, parameters: dict[str, Any]) -> str:
    """Return what an "always" covers: a tool, or for a shell this very command."""
    return f"{tool.name}({parameters['command']})" if "command" in parameters else tool.name
