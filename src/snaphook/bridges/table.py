"""What each SDK lets a hook do, event by event.

SDK  ->  Can  ->  the shim's behaviour, the reference page, the tests

Imports no SDK. A verdict that is not in a row becomes the next stricter one that is.
"""

from collections.abc import Mapping

from msgspec import Struct

from snaphook.canon import (
    ErrorOccurred,
    Event,
    Notification,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)
from snaphook.hosts import Can

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict


_PACKAGES = {"openai-agents": "agents"}


class Sdk(Struct, frozen=True, kw_only=True):
    """One SDK: its names, and what of ours it can be told."""

    name: str
    title: str
    extra: str
    """What ``pip install 'snaphook[…]'`` takes."""
    can: Mapping[type[Event], Can]

    @property
    def package(self) -> str:
        """Return the name under which the SDK itself is imported."""
        return _PACKAGES.get(self.name, self.module)

    @property
    def module(self) -> str:
        """Return the name of its shim in this package."""
        return self.name.replace("-", "_")


CLAUDE_AGENT_SDK = Sdk(
    name="claude-agent-sdk",
    title="Claude Agent SDK",
    extra="claude-agent-sdk",
    can={
        SessionStart: Can(SessionStart, context=True),
        UserPromptSubmit: Can(UserPromptSubmit, (_DENY,), context=True),
        PreToolUse: Can(PreToolUse, (_ALLOW, _MODIFY, _ASK, _DENY), context=True),
        PermissionRequest: Can(PermissionRequest, (_ALLOW, _MODIFY, _DENY)),
        PostToolUse: Can(PostToolUse, (_BLOCK,), context=True, replace=True),
        PostToolUseFailure: Can(PostToolUseFailure, context=True),
        Stop: Can(Stop, (_BLOCK,), context=True),
        SubagentStart: Can(SubagentStart, context=True),
        SubagentStop: Can(SubagentStop, (_BLOCK,)),
        PreCompact: Can(PreCompact, (_BLOCK,)),
        Notification: Can(Notification),
        SessionEnd: Can(SessionEnd),
    },
)

_IN_PROCESS: Mapping[type[Event], Can] = {
    SessionStart: Can(SessionStart, context=True),
    UserPromptSubmit: Can(UserPromptSubmit, (_DENY, _MODIFY), context=True, replace=True),
    PreToolUse: Can(PreToolUse, (_ALLOW, _MODIFY, _ASK, _DENY), context=True),
    PermissionRequest: Can(PermissionRequest, (_ALLOW, _MODIFY, _DENY)),
    PostToolUse: Can(PostToolUse, (_BLOCK,), context=True, replace=True),
    PostToolUseFailure: Can(PostToolUseFailure, context=True),
    Stop: Can(Stop, (_BLOCK,), context=True),
    SubagentStart: Can(SubagentStart, (_ALLOW, _DENY), context=True),
    SubagentStop: Can(SubagentStop, (_BLOCK,)),
    ErrorOccurred: Can(ErrorOccurred),
    SessionEnd: Can(SessionEnd),
}
"""What an SDK can be told whose every hook point runs in our own process."""

PYDANTIC_AI = Sdk(name="pydantic-ai", title="Pydantic AI", extra="pydantic-ai", can=_IN_PROCESS)

LANGCHAIN = Sdk(name="langchain", title="LangChain", extra="langchain", can=_IN_PROCESS)

OPENAI_AGENTS = Sdk(
    name="openai-agents", title="OpenAI Agents SDK", extra="openai-agents", can=_IN_PROCESS
)

_ONE_AGENT: Mapping[type[Event], Can] = {
    event: can
    for event, can in _IN_PROCESS.items()
    if event not in (SubagentStart, SubagentStop, ErrorOccurred)
}
"""The same, of an SDK that reports neither of subagents nor of failed requests."""

AGENT_HOOKS = Sdk(name="agent-hooks", title="AGENT-HOOKS", extra="agent-hooks", can=_ONE_AGENT)

MCP_PROXY = Sdk(
    name="mcp-proxy",
    title="MCP proxy",
    extra="mcp",
    can={
        SessionStart: Can(SessionStart),
        **{event: _IN_PROCESS[event] for event in (PreToolUse, PermissionRequest, PostToolUse)},
        PostToolUseFailure: _IN_PROCESS[PostToolUseFailure],
        SessionEnd: Can(SessionEnd),
    },
)
"""No SDK: what an MCP server is told and tells, through ours. It hears of calls and nothing else."""

SDKS: Mapping[str, Sdk] = {
    sdk.name: sdk for sdk in (CLAUDE_AGENT_SDK, LANGCHAIN, OPENAI_AGENTS, PYDANTIC_AI, AGENT_HOOKS)
}
"""Every SDK there is a shim for."""
