"""A subagent: a child with a session of its own, started and taken back under hooks.

Task  ->  SubagentStart  ->  child session  ->  SubagentStop  ->  its last words

Both events are fired in the parent's name and carry the child's id. The child fires every other
event itself, with its own session id and its parent's.
"""

import asyncio
from time import perf_counter
from typing import TYPE_CHECKING

from msgspec.structs import replace

from snaphook.canon import SubagentStatus, SubagentStopOutput, Verdict, contexts
from snaphook.config.charters import charter_path

from .blocks import ToolBlock
from .calls import SPEECHLESS
from .listener import Listener
from .options import AgentOptions, TurnResult, TurnStatus
from .session import new_session_id
from .tools import ToolError, ToolResult

if TYPE_CHECKING:
    from .agent import Agent


class ChildListener(Listener):
    """Lets the parent's listener see what a child does with tools."""

    def __init__(self, parent: Listener) -> None:
        self._parent = parent

    def on_tool(self, block: ToolBlock) -> None:
        """Pass it up."""
        self._parent.on_tool(block)

    def on_error(self, text: str) -> None:
        """Pass it up."""
        self._parent.on_error(text)


class Subagent:
    """One child of one parent."""

    def __init__(self, parent: "Agent", kind: str) -> None:
        self._parent = parent
        self.kind = kind
        self.id = new_session_id("sub")
        self._started = perf_counter()

    async def run(self, prompt: str) -> ToolResult:
        """Run the child to its end and return what its parent reads."""
        self._check_limits()
        parent = self._parent
        said = await parent.places.subagent_start(
            agent_name=self.kind,
            agent_id=self.id,
            model=parent.model_name,
            task_type=self.kind,
            charter_path=charter_path(parent.options.cwd, self.kind),
            task=prompt,
        )
        if said is not None and said.decision is Verdict.DENY:
            return ToolResult(text=said.reason or SPEECHLESS, success=False)
        parent.children += 1
        model = (said.modified_model if said else None) or parent.model_name
        child = parent.child(self.id, self._options(model), ChildListener(parent.listener), self)
        parent.listener.on_subagent(self.id, self.kind, "started")
        try:
            return await self._finished(child, prompt, contexts(said))
        finally:
            parent.ledger.take_in(child.ledger)
            parent.listener.on_subagent(self.id, self.kind, "ended")

    async def may_stop(self, child: "Agent", said: str, *, again: bool) -> str | None:
        """Return ``None`` if the parent's hooks take the child's result, else why not."""
        answer = await self._stop(child, SubagentStatus.COMPLETED, said, again=again)
        if answer is None or answer.decision is not Verdict.BLOCK:
            return None
        return answer.reason or SPEECHLESS

    def _check_limits(self) -> None:
        parent, options = self._parent, self._parent.options
        if parent.depth >= options.max_depth:
            raise ToolError(
                where="Task",
                what=f"subagents may not be nested deeper than {options.max_depth}",
                fix="Do this part yourself.",
            )
        if parent.children >= options.max_subagents:
            raise ToolError(
                where="Task",
                what=f"this session has started its {options.max_subagents} subagents",
                fix="Do the rest yourself.",
            )

    def _options(self, model: str) -> AgentOptions:
        parent = self._parent
        limit = parent.options.max_micro_dollars
        return replace(
            parent.options,
            model=model,
            agent_name=self.kind,
            agent_type=self.kind,
            max_micro_dollars=None if limit is None else limit - parent.ledger.micro_dollars,
        )

    async def _finished(self, child: "Agent", prompt: str, told: tuple[str, ...]) -> ToolResult:
        try:
            async with asyncio.timeout(self._parent.options.subagent_timeout):
                result = await child.send_message(prompt, told=told)
        except TimeoutError:
            await self._stop(child, SubagentStatus.TIMEOUT, "")
            seconds = self._parent.options.subagent_timeout
            return ToolResult(text=f"The subagent ran out of time ({seconds:g} s).", success=False)
        finally:
            await child.close("subagent")
        if result.status is not TurnStatus.DONE:
            await self._stop(child, SubagentStatus.ERROR, result.text)
        return _as_result(result)

    async def _stop(
        self, child: "Agent", status: SubagentStatus, said: str, *, again: bool = False
    ) -> SubagentStopOutput | None:
        ledger = child.ledger
        return await self._parent.places.subagent_stop(
            agent_name=self.kind,
            agent_id=self.id,
            model=child.model_name,
            duration_ms=(perf_counter() - self._started) * 1000,
            tokens_used=ledger.usage.total,
            tool_call_count=ledger.tool_calls,
            status=status,
            files_modified=list(ledger.files),
            stop_hook_active=again,
            last_assistant_message=said,
            transcript_path=child.transcript_path,
        )


def _as_result(result: TurnResult) -> ToolResult:
    if result.status is TurnStatus.DONE:
        return ToolResult(text=result.text or "(the subagent returned no text)")
    why = result.error or f"it ended as '{result.status}'"
    said = f" It had said: {result.text}" if result.text else ""
    return ToolResult(text=f"The subagent did not finish: {why}.{said}", success=False)
