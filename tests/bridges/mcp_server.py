"""A real MCP server with something of everything: in process, as a process, or on a port."""

import asyncio
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import mcp_types as types
from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError


def make() -> tuple["MCPServer[Any]", "ReceivedCalls"]:
    """Return a server, and what its tools heard."""
    app: MCPServer[Any] = MCPServer("demo", instructions="Be kind.", log_level="ERROR")
    heard = ReceivedCalls()

    @app.tool()
    def run_command(command: str) -> str:
        heard.calls.append(command)
        return f"ran {command}"

    @app.tool()
    def add(a: int, b: int) -> int:
        heard.calls.append(f"{a}+{b}")
        return a + b

    @app.tool(structured_output=False)
    def page(text: str) -> str:
        return text

    @app.tool()
    def broken() -> str:
        raise ToolError("it is broken")

    @app.tool()
    async def meet(guests: int) -> str:
        heard.guests += 1
        if heard.guests >= guests:
            heard.all_here.set()
        await heard.all_here.wait()
        return "met"

    @app.tool()
    async def slow() -> str:
        heard.slow_began.set()
        try:
            await asyncio.Event().wait()
        finally:
            heard.slow_ended.set()
        return "never"

    @app.tool()
    async def busy(ctx: Context) -> str:
        for step in range(3):
            await ctx.report_progress(step, 3, f"step {step}")
        return "done"

    @app.tool()
    async def think(ctx: Context) -> str:
        said = types.SamplingMessage(role="user", content=types.TextContent(text="think!"))
        reply = await ctx.session.create_message([said], max_tokens=10)
        return str(getattr(reply.content, "text", ""))

    @app.resource("demo://greeting")
    def greeting() -> str:
        return "hello from a resource"

    @app.prompt()
    def greet(name: str) -> str:
        return f"Greet {name}."

    return app, heard


class ReceivedCalls:
    """What the tools heard."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.guests = 0
        self.all_here = asyncio.Event()
        self.slow_began, self.slow_ended = asyncio.Event(), asyncio.Event()


class Keys:
    """Lets in who has a key; remembers which it was shown."""

    def __init__(self, app: Any) -> None:
        self._app = app
        self.shown: set[str] = set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            headers = {name.decode(): value.decode() for name, value in scope["headers"]}
            if "authorization" not in headers:
                await send({"type": "http.response.start", "status": 401, "headers": []})
                await send({"type": "http.response.body", "body": b"no"})
                return
            self.shown.add(headers["authorization"])
        await self._app(scope, receive, send)


@contextmanager
def on_a_port() -> Iterator[tuple[str, Keys]]:
    """Yield the URL of a server that speaks streamable HTTP, and who lets people in."""
    import uvicorn

    keys = Keys(make()[0].streamable_http_app())
    with closing(socket.socket()) as here:
        here.bind(("127.0.0.1", 0))
        here.listen()  # who comes before the server is up waits
        server = uvicorn.Server(uvicorn.Config(keys, log_level="error", lifespan="on"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [here]})
        thread.start()
        yield f"http://127.0.0.1:{here.getsockname()[1]}/mcp", keys
        server.should_exit = True
        thread.join(20)


if __name__ == "__main__":
    sys.stderr.write("the server speaks on stderr\n")
    make()[0].run("stdio")
