"""Hooks inside pydantic-ai, as a capability.

Agent(capabilities=[SnaphookCapability(hooks)])  ->  every run of the agent, asked about at each event

A call is decided before its arguments are validated, so that changed ones are validated like the
model's own. An agent that is run by another's tool is its subagent.
"""

from contextvars import ContextVar
from copy import copy
from dataclasses import replace as changed
from typing import Any

from snaphook.canon import Verdict
from snaphook.errors import MissingExtra

from .call import SdkToolCall, ToolRuling
from .session import ATTEMPTS, Bridge, BridgeSession, Hooks, pause
from .table import PYDANTIC_AI as SDK
from .vendor_tools import refuse_vendor_tools

try:
    from pydantic_ai import exceptions as pe
    from pydantic_ai.agent import UserPromptNode
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.models import infer_model
    from pydantic_ai.tools import DeferredToolRequests
    from pydantic_graph import End
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing

SIGNALS = (pe.CallDeferred, pe.ApprovalRequired, pe.SkipToolExecution)
"""What a tool raises to say something else than that it failed."""
_above: ContextVar[BridgeSession | None] = ContextVar("snaphook_pydantic_ai", default=None)


class SnaphookCapability(AbstractCapability[Any]):
    """Asks *hooks* at every event; *options* are those of ``Bridge``.

    With ``defers=True`` an "ask" becomes pydantic-ai's own approval: the run ends with
    ``DeferredToolRequests``, which must be among its output types.
    """

    def __init__(self, hooks: Hooks, **options: Any) -> None:
        self._bridge = Bridge(hooks, sdk=SDK.name, can=SDK.can, signals=SIGNALS, **options)
        self._session = self._bridge.session()
        self._parent: BridgeSession | None = None
        self._rulings: dict[str, ToolRuling] = {}
        self._model: str | None = None

    async def for_run(self, ctx: Any) -> "SnaphookCapability":
        """Return a copy that keeps what only this run should know."""
        run, parent = copy(self), _above.get()
        run._parent, run._rulings = parent, {}  # noqa: SLF001 - the copy is ours
        name = (ctx.agent and ctx.agent.name) or "main"
        run._session = self._bridge.session(  # noqa: SLF001
            ctx.conversation_id or ctx.run_id,
            parent=parent,
            agent_name=name,
            turn_id=ctx.run_id,
        )
        return run

    async def wrap_run(self, ctx: Any, *, handler: Any) -> Any:
        """Tell the start and the end of the session, or of the subagent."""
        token = _above.set(self._session)
        try:
            await self._begin(ctx)
            return await handler()
        finally:
            _above.reset(token)
            await self._session.end()

    async def before_node_run(self, ctx: Any, *, node: Any) -> Any:
        """Put the prompt to the hooks before anything is made of it."""
        if not isinstance(node, UserPromptNode) or node.user_prompt is None or self._parent:
            return node
        given = node.user_prompt
        parts = [given] if isinstance(given, str) else list(given)
        text = "\n".join(part for part in parts if isinstance(part, str))
        if (wanted := await self._session.prompt(text)) == text:
            return node
        rest = [part for part in parts if not isinstance(part, str)]
        return changed(node, user_prompt=[wanted, *rest] if rest else wanted)

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:
        """Give the model what hooks have told it since its last request."""
        refuse_vendor_tools(ctx, request_context.model_request_parameters)
        if told := self._session.waiting():
            ctx.enqueue(told)
        if self._model is not None:
            return changed(request_context, model=infer_model(self._model))
        return request_context

    async def on_model_request_error(self, ctx: Any, *, request_context: Any, error: Any) -> Any:
        """Try again as hooks say, a few times at most."""
        attempt, model = request_context.attempt, request_context.model.model_name
        said = await self._session.recover(error, model=model, attempt=attempt)
        if said is None or not said.retry or attempt >= ATTEMPTS:
            raise error
        await pause(said)
        raise pe.RetryModelRequest(said.fallback_model) from error

    async def before_tool_validate(self, ctx: Any, *, call: Any, tool_def: Any, args: Any) -> Any:
        """Decide about the call, and return the arguments to validate."""
        told = _call(changed(call, args=args))
        ruling = await self._session.before(told, approved=ctx.tool_call_approved)
        self._rulings[call.tool_call_id] = ruling
        return args if ruling.refused or ruling.args == told.args else ruling.args

    async def wrap_tool_execute(
        self, ctx: Any, *, call: Any, tool_def: Any, args: Any, handler: Any
    ) -> Any:
        """Run the call as it was decided, and put its result to the hooks."""
        told = _call(call)
        ruling = self._rulings.pop(call.tool_call_id, None)
        if ruling is None:
            ruling = await self._session.before(told, approved=ctx.tool_call_approved)
            args = args if ruling.args == told.args else ruling.args
        if ruling.verdict is Verdict.ASK and not ctx.tool_call_approved:
            raise pe.ApprovalRequired(metadata={"reason": ruling.reason})

        async def run(_: dict[str, Any]) -> Any:
            return await handler(args)

        return await self._session.run_tool(told, run, ruling=ruling)

    async def after_node_run(self, ctx: Any, *, node: Any, result: Any) -> Any:
        """Send the agent back where a hook will not let it stop yet."""
        if not isinstance(result, End) or isinstance(result.data.output, DeferredToolRequests):
            return result
        if reason := await self._session.stop(str(result.data.output)):
            ctx.enqueue(reason)
        return result

    async def _begin(self, ctx: Any) -> None:
        if self._parent is None:
            self._model = await self._session.start(model=ctx.model.model_name)
            return
        refused, self._model = await self._session.child_start()
        if refused is not None:
            raise pe.ToolFailed(refused)


def _call(call: Any) -> SdkToolCall:
    return SdkToolCall(name=call.tool_name, args=call.args_as_dict(), id=call.tool_call_id)
