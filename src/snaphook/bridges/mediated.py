"""Our agent as a host of AGENT-HOOKS: other people's interceptors stand around all it does.

Mediated(emitter, model=…).send_message(prompt)  ->  TurnResult, every step of it put to the emitter

The interceptors are asked last, after our own hooks, and a call that they change goes past our own
hooks again. Nothing reaches the conversation, a listener or the caller before its verdict.
"""

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from msgspec import UNSET
from msgspec.structs import replace

from snaphook import __version__
from snaphook import canon as c
from snaphook.agent import Agent, AgentOptions, Model, Tool, ToolResult, TurnResult, TurnStatus
from snaphook.agent.session import new_session_id
from snaphook.agent.tools import ToolContext, ToolError
from snaphook.engine import Engine
from snaphook.errors import MissingExtra, SnaphookError

from .mediated_model import MediatedModel, why
from .plain import as_text, plain
from .table import AGENT_HOOKS as SDK

try:
    from agent_hooks import (
        AgentContextBuilder,
        HostSurface,
        InterceptionBlocked,
        InterceptionEmitter,
    )
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing

SURFACE = HostSurface.from_capabilities(
    [
        "model_calls",
        "tool_calls",
        "parallel_tool_calls",
        "multi_turn",
        "int64_json",
        "bigint_json",
        "host_declaration",
    ]
)
"""What a host declaration may ask of this agent."""
ENDS = {TurnStatus.DONE: "completed", TurnStatus.INTERRUPTED: "cancelled"}


class Mediated:
    """An agent under *emitter*, and under *hooks* of ours; *about* is what ``Agent`` takes besides."""

    def __init__(
        self,
        emitter: InterceptionEmitter,
        *,
        model: Model,
        hooks: Sequence[c.AnyProvider] = (),
        options: AgentOptions | None = None,
        session_id: str | None = None,
        **about: Any,
    ) -> None:
        options = options or AgentOptions()
        session_id = session_id or new_session_id()
        builder = AgentContextBuilder(
            agent_id=options.agent_name,
            agent_version=__version__,
            framework="snaphook",
            session_id=session_id,
        )
        self._points = Points(emitter, builder, [tool.name for tool in options.tools])
        self.agent = Agent(
            model=MediatedModel(model, emitter, builder, session_id),
            engine=Engine([*hooks, self._points]),
            options=replace(options, tools=tuple(map(self._points.around, options.tools))),
            session_id=session_id,
            **about,
        )

    async def send_message(self, prompt: str) -> TurnResult:
        """Work on *prompt*; only an answer that was let out is in the result."""
        result = await self.agent.send_message(prompt)
        self._points.ended = result.status
        return result if result.status is TurnStatus.DONE else replace(result, text="")

    async def close(self) -> None:
        """End the session."""
        await self.agent.start()  # one that never began has a beginning and an end all the same
        await self.agent.close()

    async def __aenter__(self) -> Self:
        await self.agent.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close()


class Points(c.HooksProvider):
    """Puts a session, its prompts and its tools to the emitter; a subagent's tools as well."""

    name = SDK.name
    stance = c.Stance.CLOSED

    def __init__(
        self, emitter: InterceptionEmitter, builder: AgentContextBuilder, tools: list[str]
    ) -> None:
        self._emitter = emitter
        self._builder = builder
        self._tools = tools
        self._may_not_begin = ""
        self.ended = TurnStatus.DONE

    async def on_session_start(self, event: c.SessionStart, context: c.HookContext) -> None:
        """Emit agent_startup, once; what it refuses is refused to every prompt."""
        if context.depth or event.source in (c.SessionSource.CLEAR, c.SessionSource.COMPACT):
            return
        try:
            await self._emitter.emit(self._builder.agent_startup(tools_registered=self._tools))
        except InterceptionBlocked as blocked:
            self._may_not_begin = why(blocked)
            self.ended = TurnStatus.BLOCKED

    async def on_user_prompt_submitted(
        self, event: c.UserPromptSubmit, context: c.HookContext
    ) -> c.UserPromptOutput | None:
        """Emit input; what one agent tells another comes from nobody outside."""
        if context.depth:
            return None
        if self._may_not_begin:
            return c.UserPromptOutput(decision=c.Verdict.DENY, reason=self._may_not_begin)
        try:
            said = await self._emitter.emit(self._builder.input(content=event.prompt))
        except InterceptionBlocked as blocked:
            return c.UserPromptOutput(decision=c.Verdict.DENY, reason=why(blocked))
        wanted = as_text(said.target["content"])
        return None if wanted == event.prompt else c.UserPromptOutput(modified_prompt=wanted)

    async def on_pre_tool_use(
        self, event: c.PreToolUse, context: c.HookContext
    ) -> c.PreToolUseOutput | None:
        """Emit pre_tool_call."""
        call = self._builder.pre_tool_call(
            call_id=event.tool_use_id or "", name=event.tool_name, args=plain(event.tool_args)
        )
        try:
            said = await self._emitter.emit(call)
        except InterceptionBlocked as blocked:
            return c.PreToolUseOutput(decision=c.Verdict.DENY, reason=why(blocked))
        if said.target == event.tool_args:
            return None
        return c.PreToolUseOutput(decision=c.Verdict.MODIFY, modified_args=said.target)

    def around(self, tool: Tool) -> Tool:
        """Return *tool* with its results, good and bad, put to the emitter: post_tool_call.

        One that breaks has failed and is not run again: that would be a call nobody was asked about.
        """

        async def run(args: Any, context: ToolContext) -> ToolResult:
            try:
                result = await tool.run(args, context)
            except SnaphookError as error:
                result = ToolResult(text=str(error), success=False)
            except Exception as error:  # noqa: BLE001 - a broken tool must not break the agent
                what = f"{tool.name}: failed with {type(error).__name__}: {error}"
                result = ToolResult(text=what, success=False)
            return await self._let_in(tool.name, plain(args), result, context.tool_use_id)

        return replace(tool, run=run)

    async def _let_in(self, name: str, args: Any, result: ToolResult, call_id: str) -> ToolResult:
        value = result.text if result.value is UNSET else plain(result.value)
        told = self._builder.post_tool_call(
            call_id=call_id, name=name, args=args, value=value, is_error=not result.success
        )
        try:
            said = await self._emitter.emit(told)
        except InterceptionBlocked as blocked:
            raise ToolError(
                where=name, what=f"its result was discarded: {why(blocked)}", fix="Go on without."
            ) from None
        return replace(result, text=as_text(said.target))

    async def on_session_end(self, event: c.SessionEnd, context: c.HookContext) -> None:
        """Emit agent_shutdown, once; there is nothing left to refuse."""
        if not context.depth and event.reason != "clear":
            reason = ENDS.get(self.ended, "error")
            await self._emitter.emit_unchecked(self._builder.agent_shutdown(reason=reason))
