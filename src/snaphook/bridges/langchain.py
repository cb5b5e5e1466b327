"""Hooks inside LangChain, as a middleware.

create_agent(…, middleware=[SnaphookMiddleware(hooks)])  ->  every run, asked about at each event

What a run must remember from one step to the next stands in the graph's own state, so one that waits
for a person can go on in another process. An agent that is run by another's tool is its subagent.
"""

from contextvars import ContextVar
from typing import Any

import msgspec

from snaphook.canon import HookContext
from snaphook.errors import MissingExtra, PromptRefused

from .call import SdkToolCall
from .run_sync import waited
from .session import Bridge, BridgeSession, Hooks, refusal
from .table import LANGCHAIN as SDK

try:
    from langchain.agents.middleware import AgentMiddleware, hook_config
    from langchain.chat_models import init_chat_model
    from langchain.messages import AIMessage, HumanMessage, ToolMessage
    from langgraph.config import get_config
    from langgraph.errors import GraphBubbleUp

    from . import langchain_messages as lm
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing

_above: ContextVar[BridgeSession | None] = ContextVar("snaphook_langchain", default=None)


class SnaphookMiddleware(AgentMiddleware[lm.LangChainState, Any, Any]):
    """Asks *hooks* at every event; *options* are those of ``Bridge``.

    An "ask" goes to ``ask=`` where that is given, else, with a checkpointer, to LangGraph's
    ``interrupt``, else to nobody: it is a no. *models* makes a model of the name a hook gives.
    """

    state_schema = lm.LangChainState

    def __init__(self, hooks: Hooks, *, models: Any = init_chat_model, **options: Any) -> None:
        super().__init__()
        options = {"defers": True, "signals": (GraphBubbleUp,), **options}
        self._bridge, self._models = Bridge(hooks, sdk=SDK.name, can=SDK.can, **options), models

    @hook_config(can_jump_to=["end"])
    async def abefore_agent(self, state: Any, runtime: Any) -> Any:
        """Tell the start of the session, or of the subagent, and put the prompt to the hooks."""
        config, bridge = get_config(), self._bridge
        session = bridge.session(
            runtime.execution_info.thread_id,
            parent=_above.get(),
            agent_name=config["metadata"].get("lc_agent_name") or "main",
            headless=bridge.ask is None and not (bridge.defers and lm.remembers(config)),
        )
        update, about = await _begun(session, lm.prompt_in(state["messages"]))
        about |= {"context": msgspec.to_builtins(session.context)}
        told = None if "jump_to" in update else [session.waiting()]  # nobody is left to tell
        return update | {"snaphook": about, "snaphook_told": told}

    def before_model(self, state: Any, runtime: Any) -> Any:
        """Give the model what hooks have told it since its last request."""
        told = "\n\n".join(state.get("snaphook_told", ()))
        return {"messages": [HumanMessage(told)], "snaphook_told": None} if told else None

    async def abefore_model(self, state: Any, runtime: Any) -> Any:
        """Do so for who waits."""
        return self.before_model(state, runtime)

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        """Ask the model; another one, or once more, where hooks say so."""
        session, kept = self._session(request.state)

        async def send(other: str | None) -> Any:
            return await handler(request.override(model=self._models(other)) if other else request)

        model = getattr(request.model, "model_name", "") or getattr(request.model, "model", "")
        async with session.ending():
            lm.refuse_unguarded(request.tools)
            return await session.request(send, model=model, wanted=kept.get("model"))

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        """Run the call as hooks decide, and put its result to them."""
        (session, _), wire = self._session(request.state), request.tool_call
        call = SdkToolCall(name=wire["name"], args=wire["args"], id=wire["id"])
        answer: Any = ToolMessage("", name=call.name, tool_call_id=call.id, status="error")

        async def run(args: dict[str, Any]) -> Any:
            nonlocal answer
            token = _above.set(session)
            try:
                answer = await handler(request.override(tool_call={**wire, "args": args}))
            finally:
                _above.reset(token)
            return lm.read(answer)

        ruling = lm.settled(call, await session.before(call), request.runtime.config)
        async with session.ending():
            result = await session.run_tool(call, run, ruling=ruling)
        lm.write(answer, result)
        return lm.beside(answer, session.waiting())

    @hook_config(can_jump_to=["model"])
    async def aafter_agent(self, state: Any, runtime: Any) -> Any:
        """Send the agent back where a hook will not let it stop yet."""
        session, kept = self._session(state)
        refused, last = kept.get("refused"), "".join(one.text for one in state["messages"][-1:])
        if refused is None and (reason := await session.stop(last)):
            session.tell(reason)
            return {"messages": [HumanMessage(session.waiting())], "jump_to": "model"}
        await session.end()
        if refused is not None and not session.context.depth:
            raise refusal(SDK.name, refused)
        return None

    before_agent, after_agent = waited(abefore_agent), waited(aafter_agent)
    wrap_model_call, wrap_tool_call = waited(awrap_model_call), waited(awrap_tool_call)

    def _session(self, state: Any) -> tuple[BridgeSession, dict[str, Any]]:
        if not (kept := state.get("snaphook")):
            return self._bridge.session(), {}
        return BridgeSession(self._bridge, msgspec.convert(kept["context"], HookContext)), kept


async def _begun(session: BridgeSession, asked: list[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what becomes of the graph's state at a start, and what the run remembers of it."""
    text = "\n".join(message.text for message in asked)
    if session.context.depth:
        refused, model = await session.child_start(task=text)
        end = {"messages": [AIMessage(refused)], "jump_to": "end"} if refused is not None else {}
        return end, {"model": model, "refused": refused}
    model = await session.start()
    try:
        wanted = await session.prompt(text) if asked else text
    except PromptRefused as problem:
        return {"messages": lm.erased(asked), "jump_to": "end"}, {"refused": problem.what}
    return {"messages": lm.rewritten(asked, wanted) if wanted != text else []}, {"model": model}
