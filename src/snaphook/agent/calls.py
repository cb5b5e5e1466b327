"""The tool calls of one answer: each checked, asked about, run and reported.

ToolCall  ->  PreToolUse  ->  permission  ->  tool  ->  PostToolUse | PostToolUseFailure

Calls that allow it run side by side, the others one after the other, in the order they were made.
A call that is blocked, refused or broken is a result the model reads, never an exception.
"""

import asyncio
import itertools
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from time import perf_counter
from typing import Any

from msgspec import UNSET, Struct
from msgspec.structs import replace

from snaphook.canon import ErrorType, Verdict, verdict
from snaphook.errors import SnaphookError

from .blocks import Message, Stage, ToolBlock
from .bounds import bounded
from .conversation import Conversation
from .hook_points import HookPoints
from .model import ToolCall
from .permissions import Permission, Permissions, Question
from .tools import Tool, ToolContext, ToolError, ToolResult

BLOCKED = "Hook blocked tool execution"
DENIED = "Permission denied"
SPEECHLESS = "Hook execution failed"
TOOL_ATTEMPTS = 2


class CallRefused(Struct, frozen=True, kw_only=True):
    """Why a call does not run."""

    error: str
    result: str


class ToolCalls:
    """Runs tool calls in one session's name."""

    def __init__(
        self,
        tools: Mapping[str, Tool],
        places: HookPoints,
        conversation: Conversation,
        permissions: Permissions,
        context: Callable[[str], ToolContext],
        changed: Callable[[Sequence[str]], None],
    ) -> None:
        self._tools = tools
        self._places = places
        self._conversation = conversation
        self._permissions = permissions
        self._context = context
        self._changed = changed

    async def run(self, message: Message, calls: Sequence[ToolCall]) -> None:
        """Run *calls*, which *message* made, and leave their results in it."""
        for together, group in itertools.groupby(calls, key=self._may_share):
            if together:
                await _all(self._one(message.id, call) for call in group)
            else:
                for call in group:
                    await self._one(message.id, call)
        self._conversation.announce(message.id)

    def _may_share(self, call: ToolCall) -> bool:
        tool = self._tools.get(call.name)
        return tool is not None and tool.parallel

    async def _one(self, message_id: str, call: ToolCall) -> None:
        block = ToolBlock(
            id=call.id, name=call.name, parameters=call.parameters, stage=Stage.RUNNING
        )
        self._conversation.put_tool(message_id, block)
        try:
            tool, args = self._read(call)
        except SnaphookError as error:
            await self._fail(message_id, block, str(error), "invalid call")
            return
        allowed = await self._allowed(tool, block)
        if isinstance(allowed, CallRefused):
            ended = replace(block, stage=Stage.END, error=allowed.error, result=allowed.result)
            self._conversation.put_tool(message_id, ended)
            return
        if allowed is not call.parameters:
            block = replace(block, parameters=allowed)
            self._conversation.put_tool(message_id, block)
            try:
                args = tool.read(allowed)
            except SnaphookError as error:
                await self._fail(message_id, block, str(error), "a hook gave invalid arguments")
                return
        await self._run(message_id, block, tool, args)

    def _read(self, call: ToolCall) -> tuple[Tool, Any]:
        tool = self._tools.get(call.name)
        if tool is None:
            names = ", ".join(self._tools)
            raise ToolError(where=call.name, what="there is no such tool", fix=f"Use: {names}.")
        if call.unreadable:
            raise ToolError(
                where=call.name,
                what=f"its arguments are not a JSON object: {call.unreadable[:200]}",
                fix="Call it again with an object.",
            )
        return tool, tool.read(call.parameters)

    async def _allowed(self, tool: Tool, block: ToolBlock) -> dict[str, Any] | CallRefused:
        """Return the arguments to run with, or why it does not run."""
        args = block.parameters
        said = await self._places.pre_tool_use(block)
        ruling = verdict(said)
        if said is not None and ruling is Verdict.DENY:
            return CallRefused(error=BLOCKED, result=bounded(said.reason or SPEECHLESS))
        if said is not None and said.modified_args is not None:
            args = said.modified_args
        settled = self._permissions.settled(tool, args)
        if settled is Permission.DENY:
            mode = self._permissions.mode
            return CallRefused(error=DENIED, result=f"{tool.name} is not allowed in '{mode}' mode.")
        if ruling is Verdict.ALLOW or (settled is Permission.ALLOW and ruling is not Verdict.ASK):
            return args
        why = said.reason if said is not None and ruling is Verdict.ASK else None
        allowed = await self._ask(tool, replace(block, parameters=args), why or "")
        if isinstance(allowed, CallRefused) or allowed == args:
            return allowed
        return await self._rechecked(replace(block, parameters=allowed))

    async def _rechecked(self, block: ToolBlock) -> dict[str, Any] | CallRefused:
        """Return arguments that a permission hook rewrote, if no other hook minds them so.

        Whoever answers in the person's place must not carry a call past an earlier check.
        """
        said = await self._places.pre_tool_use(block)
        ruling = verdict(said)
        if said is None or ruling is None or ruling is Verdict.ALLOW:
            return block.parameters
        reason = said.reason or "it was rewritten, and another hook would change it again"
        return CallRefused(error=BLOCKED, result=bounded(reason))

    async def _ask(self, tool: Tool, block: ToolBlock, why: str) -> dict[str, Any] | CallRefused:
        args = block.parameters
        said = await self._places.permission_request(block)
        if said is not None and said.decision is Verdict.DENY:
            reason = said.reason or "Permission denied by hook execution"
            self._conversation.tell_user(reason)
            return CallRefused(error=DENIED, result=reason)
        if said is not None and said.modified_args is not None:
            args = said.modified_args
        if said is not None and said.decision is Verdict.ALLOW:
            return args
        await self._places.notification(f"May {tool.name} run?", "permission_prompt")
        question = Question(tool_name=tool.name, parameters=args, why=why)
        if await self._permissions.answer(tool, question) is not Permission.DENY:
            return args
        await self._places.host_event("PermissionDenied", tool_name=tool.name, tool_input=args)
        nobody = self._permissions.ask is None
        who = "no user is available to confirm" if nobody else "the user declined"
        return CallRefused(error=DENIED, result=f"{tool.name} did not run: {who}. {why}".strip())

    async def _run(self, message_id: str, block: ToolBlock, tool: Tool, args: Any) -> None:
        started = perf_counter()
        context = self._context(block.id)
        result = await self._result(tool, args, context)
        elapsed = (perf_counter() - started) * 1000
        text = bounded(result.text, context.output_limit * 2)
        self._changed(result.changed)
        if not result.success:
            await self._fail(message_id, block, text, "failed", elapsed)
            return
        block = replace(block, stage=Stage.END, success=True, result=text)
        self._conversation.put_tool(message_id, block)
        said = await self._places.post_tool_use(block, duration_ms=elapsed)
        if said is None:
            return
        if said.modified_result is not UNSET or said.suppress_output:
            new = text if said.modified_result is UNSET else _as_text(said.modified_result)
            block = replace(block, result=new, suppressed=said.suppress_output)
            self._conversation.put_tool(message_id, block)
        if said.decision is Verdict.BLOCK:
            self._conversation.tell_agent(said.reason or SPEECHLESS)

    async def _result(self, tool: Tool, args: Any, context: ToolContext) -> ToolResult:
        """Return what the tool says; one that breaks is run again only if a hook says so."""
        for attempt in itertools.count(1):
            try:
                return await tool.run(args, context)
            except SnaphookError as error:
                return ToolResult(text=str(error), success=False)
            except Exception as error:  # noqa: BLE001 - a broken tool must not break the agent
                what = f"{tool.name}: failed with {type(error).__name__}: {error}"
                said = await self._places.error_occurred(
                    error=what, error_type=ErrorType.TOOL, error_class="tool", attempt=attempt
                )
                if said is None or not said.retry or attempt >= TOOL_ATTEMPTS:
                    return ToolResult(text=what, success=False)
                await asyncio.sleep(min(said.backoff_ms or 0, 60_000) / 1000)
        raise AssertionError("unreachable")

    async def _fail(
        self,
        message_id: str,
        block: ToolBlock,
        result: str,
        error: str,
        duration_ms: float | None = None,
    ) -> None:
        ended = replace(block, stage=Stage.END, success=False, error=error, result=result)
        self._conversation.put_tool(message_id, ended)
        await self._places.post_tool_use_failure(ended, duration_ms=duration_ms)


def _as_text(result: Any) -> str:
    if isinstance(result, str):
        return result
    import msgspec

    return msgspec.json.encode(result).decode()


async def _all(runs: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Wait for all of *runs*; the first to raise ends the others and speaks for them."""
    try:
        async with asyncio.TaskGroup() as group:
            for run in runs:
                group.create_task(run)
    except BaseExceptionGroup as raised:
        raise raised.exceptions[0] from None
