"""A call of a tool of an MCP server, put to the hooks before and after.

tools/call  ->  PreToolUse  ->  the server, or why not  ->  PostToolUse  ->  what the client reads

Knows both ways in which a client is asked something: a request of ours where there was a handshake,
and an ``input_required`` result where each request speaks for itself (2026-07-28).
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from copy import copy
from pathlib import PurePath
from time import perf_counter
from typing import Any, TypeAlias
from uuid import uuid4

from msgspec import Struct
from msgspec.structs import replace

from snaphook.bridges.call import SdkToolCall, ToolQuestion, ToolRuling, no
from snaphook.bridges.session import Bridge, BridgeSession, Hooks
from snaphook.bridges.table import MCP_PROXY
from snaphook.canon import Verdict
from snaphook.errors import WireError
from snaphook.hosts.tools import HostTool, ToolNames

from . import message as m
from . import result as r
from .message import Id, McpMessage
from .names import folder, named, unworded, worded
from .question import accepted, first, form, takes_questions

Forward: TypeAlias = Callable[[McpMessage], Awaitable[McpMessage]]
"""Sends a request on and returns what is answered."""
_META = "io.modelcontextprotocol/"
HELD = 256
"""Questions that may be open at once where the client must come back with the answer."""


class McpCall(Struct, frozen=True, kw_only=True):
    """One ``tools/call``: the tool, its arguments, and all else that the client sent with it."""

    id: Id
    params: dict[str, Any]
    tool: SdkToolCall

    @classmethod
    def read(cls, id_: Id, sent: McpMessage) -> "McpCall":
        """Return the call in *sent*; raise ``WireError`` where there is none."""
        params = m.table(sent.params)
        name, args = params.get("name"), params.get("arguments")
        if not isinstance(name, str) or not isinstance(args, dict | None):
            raise m.no_message(bytes(sent.params), "a call has a name, and an object of arguments")
        return cls(id=id_, params=params, tool=SdkToolCall(name=name, args=args or {}, id=f"{id_}"))

    def meta(self, name: str) -> Any:
        """Return what the call says of the client, where there was no handshake to say it."""
        meta = self.params.get("_meta")
        return meta.get(f"{_META}{name}") if isinstance(meta, dict) else None

    @property
    def alone(self) -> bool:
        """Say whether it speaks for itself."""
        return self.meta("protocolVersion") is not None

    def reply(self, told: dict[str, Any]) -> McpMessage:
        """Return *told* as its result."""
        return m.result(self.id, (r.COMPLETE if self.alone else {}) | told)


class Held(Struct, frozen=True, kw_only=True):
    """A call that waits for a person."""

    call: McpCall
    session: BridgeSession
    ruling: ToolRuling


class McpCalls:
    """Puts the calls of one client's session to *hooks*.

    *name* is ours for the server, *tools* what its tools are to us beyond the well-known ones.
    """

    def __init__(
        self,
        hooks: Hooks,
        *,
        name: str,
        tools: Mapping[str, HostTool] | None = None,
        session_id: str | None = None,
        agent: str | None = None,
        cwd: str = "",
        notify: Callable[[str], None] | None = None,
    ) -> None:
        self._bridge = Bridge(hooks, sdk=MCP_PROXY.name, can=MCP_PROXY.can, cwd=cwd, notify=notify)
        self._name = name
        self._tools = tools or {}
        self._about = (session_id, agent)
        self._capabilities: Any = None
        self._session: BridgeSession | None = None
        self._start: asyncio.Task[str | None] | None = None
        self._held: dict[str, Held] = {}
        self._strict: set[str] = set()
        """The tools whose structured results may hold no more than they promise."""
        self._annotations: dict[str, dict[str, Any]] = {}
        """What the server says its tools do."""
        self.ask_client: Forward | None = None
        """How a request of ours reaches the client, once there is one."""

    def overhear(self, sent: McpMessage) -> None:
        """Learn who the client is, and that a session begins."""
        if sent.method == "initialize":
            params = m.table(sent.params)
            self._capabilities = params.get("capabilities")
            self._begin(params.get("clientInfo"))

    def overhear_result(self, sent: McpMessage) -> None:
        """Learn from a list of tools what their results may hold, and what they are said to do."""
        told = bytes(sent.result)
        if b'"outputSchema"' not in told and b'"annotations"' not in told:
            return
        with suppress(WireError):
            self._learn(m.table(sent.result).get("tools"))

    def _learn(self, tools: Any) -> None:
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and isinstance(name := tool.get("name"), str):
                if isinstance(said := tool.get("annotations"), dict):
                    self._annotations[name] = said
                fits = r.roomy(tool.get("outputSchema"))
                (self._strict.discard if fits else self._strict.add)(name)

    async def answer(self, call: McpCall, forward: Forward) -> McpMessage:
        """Return what the client reads in answer to *call*; *forward* asks the server."""
        if (held := self._held.pop(f"{call.params.get('requestState')}", None)) is not None:
            ruling = held.ruling
            if not accepted(call.params.get("inputResponses")):
                ruling = no(held.call.tool, "the user declined", ruling.reason)
            known = replace(held.call, id=call.id)
            return await self._carry_out(known, held.session, ruling, forward)
        spelled = named(call.tool.name, call.tool.args, self._name, self._tools)
        said = self._annotations.get(call.tool.name, {})
        tool = replace(call.tool, args=worded(call.tool.args, spelled), annotations=said)
        call = replace(call, tool=tool)
        session = await self._session_of(call, spelled)
        ruling = await session.before(call.tool)
        if ruling.verdict is Verdict.ASK:
            return self._hold(Held(call=call, session=session, ruling=ruling))
        return await self._carry_out(call, session, ruling, forward)

    async def end(self) -> None:
        """Tell that the session is over, where it began."""
        if self._start is not None and self._session is not None:
            await self._start
            await self._session.end()

    async def _carry_out(
        self, call: McpCall, session: BridgeSession, ruling: ToolRuling, forward: Forward
    ) -> McpMessage:
        """Return the result as hooks leave it, or why there is none."""
        if ruling.refused:
            return call.reply(r.told(r.refusal(ruling.reason), session.waiting()))
        tool, started, sent = replace(call.tool, args=ruling.args), perf_counter(), call.params
        if ruling.args != call.tool.args:
            sent = sent | {"arguments": unworded(ruling.args, sent.get("arguments") or {})}
        try:
            reply = await forward(m.request(call.id, "tools/call", sent))
            return await self._seen(call, reply, session, tool, (perf_counter() - started) * 1000)
        except asyncio.CancelledError:
            await session.failed(tool, "the client cancelled the call")
            raise

    async def _seen(
        self,
        call: McpCall,
        reply: McpMessage,
        session: BridgeSession,
        tool: SdkToolCall,
        took: float,
    ) -> McpMessage:
        """Return *reply* once the hooks have seen it; as it came where they leave it so."""
        if bytes(reply.error):
            error = m.table(reply.error)
            await session.failed(tool, f"{error.get('message', 'failed')}", duration_ms=took)
            if not (context := session.waiting()):
                return reply
            more = {"message": f"{error.get('message', '')}\n\n{context}"}
            return replace(reply, error=m.raw(error | more))
        result = m.table(reply.result)
        if r.unfinished(result):
            return reply
        if (what := r.trouble(result)) is not None:
            await session.failed(tool, what, duration_ms=took)
            kept: Any = result
        else:
            kept = await session.after(tool, result, duration_ms=took)
        context, fits = session.waiting(), call.tool.name not in self._strict
        if kept is result and not context:
            return reply
        left = result if kept is result else r.replaced(result, kept)
        return m.result(call.id, r.told(left, context, roomy=fits))

    async def _session_of(self, call: McpCall, spelled: HostTool) -> BridgeSession:
        """Return a session for *call* alone, so that what hooks tell the model stays with it."""
        self._begin(call.meta("clientInfo"))
        assert self._session is not None
        assert self._start is not None
        await asyncio.shield(self._start)
        able = call.meta("clientCapabilities") if call.alone else self._capabilities
        asks, bridge = takes_questions(able), copy(self._bridge)
        bridge.tools = ToolNames({call.tool.name: spelled})
        bridge.defers = asks and call.alone
        bridge.ask = self._ask if asks and not call.alone else None
        context = replace(self._session.context, headless=not asks)
        if spelled.name == "Bash" and (place := folder(call.tool.args)):
            context = replace(context, cwd=str(PurePath(context.cwd, place)))
        return BridgeSession(bridge, context)

    def _begin(self, client: Any) -> None:
        """Tell that the session begins, the first time."""
        if self._session is not None:
            return
        session_id, agent = self._about
        name = client.get("name") if isinstance(client, dict) else None
        who = agent or (name if isinstance(name, str) and name else "main")
        self._session = self._bridge.session(session_id, agent_name=who)
        self._start = asyncio.create_task(self._session.start())

    async def _ask(self, question: ToolQuestion) -> bool:
        assert self.ask_client is not None
        asked = m.request(f"snaphook-{uuid4().hex}", "elicitation/create", form(question))
        reply = await self.ask_client(asked)
        return bool(bytes(reply.result)) and m.table(reply.result).get("action") == "accept"

    def _hold(self, held: Held) -> McpMessage:
        """Return the question; the client comes back with the answer to it."""
        if len(self._held) >= HELD:
            del self._held[next(iter(self._held))]
        token, tool, ruling = uuid4().hex, held.call.tool, held.ruling
        self._held[token] = held
        question = ToolQuestion(tool_name=tool.name, tool_args=ruling.args, why=ruling.reason)
        return m.result(held.call.id, first(question, token))
