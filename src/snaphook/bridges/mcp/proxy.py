"""Between an MCP client and its server.

client  <->  Proxy  <->  server        tools/call  ->  McpCalls

Everything passes as it came, in both directions, but for ``tools/call``: that is put to the hooks,
each call in a task of its own. What was judged is what the server is sent.
"""

import asyncio

from snaphook.errors import WireError
from snaphook.lazy import logger

from . import message as m
from .call import McpCall, McpCalls
from .ends import GRACE, LONGEST, End
from .message import Id, McpMessage
from .oversized import OversizedMessage

log = logger("snaphook.bridges")
GONE = "the MCP server has ended"


class Proxy:
    """Stands between one *client* and one *server*; *calls* knows the hooks."""

    def __init__(self, client: End, server: End, calls: McpCalls) -> None:
        self._client = client
        self._server = server
        self._calls = calls
        self._running: dict[Id, asyncio.Task[None]] = {}
        self._to_come: dict[Id, asyncio.Future[McpMessage]] = {}
        """What the server has yet to answer."""
        self._asked: dict[Id, asyncio.Future[McpMessage]] = {}
        """What the client has yet to answer, of our own questions."""
        self._passed: set[Id] = set()
        """Requests of the client that went past the hooks, and have yet to be answered."""
        self._alone = False
        calls.ask_client = self._ask

    async def run(self) -> None:
        """Pass messages until one of the two has left; the calls under way are seen off."""
        outward, inward = (asyncio.create_task(way) for way in (self._outward(), self._inward()))
        try:
            await asyncio.wait((outward, inward), return_when=asyncio.FIRST_COMPLETED)
            if inward.done():
                self._server_left()
            await self._see_off(GRACE)
        finally:
            outward.cancel()
            inward.cancel()
            ends = await asyncio.gather(outward, inward, return_exceptions=True)
            await self._see_off(0)
            await self._calls.end()
        if problem := next((end for end in ends if isinstance(end, Exception)), None):
            raise problem

    async def _outward(self) -> None:
        """Pass on what the client sends."""
        async for line in self._client.messages():
            if isinstance(line, OversizedMessage):
                await self._answer(m.error(line.id, m.INVALID_REQUEST, _too_long(line)))
                continue
            try:
                await self._to_server(m.read(line))
            except WireError as problem:
                log.warning("the MCP client: %s", problem)
                await self._answer(m.error(None, m.PARSE_ERROR, f"{problem}"))

    async def _inward(self) -> None:
        """Pass on what the server sends."""
        async for line in self._server.messages():
            if isinstance(line, OversizedMessage):
                await self._give_up(line)
                continue
            try:
                await self._to_client(m.read(line))
            except WireError as problem:
                log.warning("the MCP server: %s", problem)

    async def _to_server(self, sent: McpMessage) -> None:
        match sent:
            case McpMessage(method="tools/call", id=int() | str() as id_):
                await self._take(id_, sent)
            case McpMessage(method="tools/call"):
                log.warning("the MCP client: a tools/call without an id was not passed on")
            case McpMessage(method="notifications/cancelled"):
                await self._cancel(sent)
            case McpMessage(method="", id=int() | str() as id_) if id_ in self._asked:
                _settle(self._asked.pop(id_), sent)
            case _:
                if sent.method and isinstance(sent.id, int | str):
                    self._passed.add(sent.id)
                self._calls.overhear(sent)
                await self._server.send(sent.wire())

    async def _to_client(self, sent: McpMessage) -> None:
        """Pass *sent* on, made of what was read; an answer only to what the client asked, and once.

        A second answer to a call, or one before the hooks have let the call through, is one that no hook
        has seen, and a client may take either.
        """
        if sent.answers and isinstance(sent.id, int | str):
            if (waiting := self._to_come.pop(sent.id, None)) is not None:
                _settle(waiting, m.without_duplicates(sent))
                return
            if sent.id not in self._passed:
                log.warning("the MCP server: an answer to %r, which nobody waits for", sent.id)
                return
            self._passed.discard(sent.id)
        self._calls.overhear_result(sent)
        await self._client.send(sent.wire())

    async def _give_up(self, long: OversizedMessage) -> None:
        """Have whoever waits for *long* hear that it is too long; without an id, who waits alone."""
        log.warning("the MCP server: %s", _too_long(long))
        waiting = [*self._to_come, *self._passed]
        id_ = waiting[0] if long.id is None and len(waiting) == 1 else long.id
        if id_ is not None and id_ in waiting:
            await self._to_client(m.error(id_, m.FAILED, _too_long(long)))

    async def _take(self, id_: Id, sent: McpMessage) -> None:
        """Have a call put to the hooks, beside all others."""
        try:
            call = McpCall.read(id_, m.without_duplicates(sent))
        except WireError as problem:
            await self._answer(m.error(id_, m.INVALID_PARAMS, f"{problem}"))
            return
        if id_ in self._running or id_ in self._passed:
            await self._answer(
                m.error(id_, m.INVALID_REQUEST, f"a call has the id {id_!r} already")
            )
            return
        task = self._running[id_] = asyncio.create_task(self._handle(call))
        task.add_done_callback(lambda _: self._running.pop(id_, None))

    async def _handle(self, call: McpCall) -> None:
        try:
            answer = await self._calls.answer(call, self._forward)
        except Exception as problem:
            log.exception("tools/call: failed")
            what = f"snaphook could not process this call ({type(problem).__name__})"
            answer = m.error(call.id, m.FAILED, what)
        await self._answer(answer)

    async def _forward(self, sent: McpMessage) -> McpMessage:
        """Return what the server answers to *sent*."""
        assert isinstance(sent.id, int | str)
        if self._alone:
            return m.error(sent.id, m.FAILED, GONE)
        waiting: asyncio.Future[McpMessage] = asyncio.get_running_loop().create_future()
        self._to_come[sent.id] = waiting
        await self._server.send(sent.wire())
        return await waiting

    async def _ask(self, sent: McpMessage) -> McpMessage:
        """Return what the client answers to *sent*, a question of ours."""
        assert isinstance(sent.id, int | str)
        waiting: asyncio.Future[McpMessage] = asyncio.get_running_loop().create_future()
        self._asked[sent.id] = waiting
        await self._answer(sent)
        try:
            return await waiting
        except asyncio.CancelledError:
            self._asked.pop(sent.id, None)
            await self._answer(m.notification("notifications/cancelled", {"requestId": sent.id}))
            raise

    async def _cancel(self, sent: McpMessage) -> None:
        """End the call that the client wants no more; a server hears of it that heard of the call."""
        id_ = m.table(sent.params).get("requestId")
        task = self._running.get(id_) if isinstance(id_, int | str) else None
        if task is None or id_ in self._to_come:
            await self._server.send(sent.wire())
        if task is not None and isinstance(id_, int | str):
            self._to_come.pop(id_, None)
            task.cancel()

    def _server_left(self) -> None:
        """Let nobody wait for a server that has ended."""
        self._alone = True
        for id_, waiting in self._to_come.items():
            _settle(waiting, m.error(id_, m.FAILED, GONE))
        self._to_come.clear()

    async def _see_off(self, patience: float) -> None:
        """Wait for the calls under way, and end those that take longer."""
        if running := list(self._running.values()):
            _, late = await asyncio.wait(running, timeout=patience)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _answer(self, answer: McpMessage) -> None:
        await self._client.send(answer.wire())


def _too_long(long: OversizedMessage) -> str:
    size, most = long.bytes >> 20, LONGEST >> 20
    return f"a message of {size} MB was not passed on; the most is {most} MB. Send less at a time."


def _settle(waiting: asyncio.Future[McpMessage], answer: McpMessage) -> None:
    """Hand *answer* to whoever waits for it, if somebody still does."""
    if not waiting.done():
        waiting.set_result(answer)
