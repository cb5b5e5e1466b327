"""A server at a URL: streamable HTTP, as the ``mcp`` package speaks it.

message  ->  POST, with the headers its protocol wants  ->  messages

A request that does not get through is answered with an error, and the next one is tried again.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from snaphook.errors import HostError, MissingExtra, WireError
from snaphook.lazy import logger

from .ends import LONGEST
from .message import FAILED

try:
    import httpx2
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared import inbound
    from mcp.shared.message import ClientMessageMetadata, SessionMessage
    from mcp_types import (
        PROTOCOL_VERSION_META_KEY,
        JSONRPCRequest,
        JSONRPCResponse,
        jsonrpc_message_adapter,
    )
except ModuleNotFoundError as missing:
    raise MissingExtra.named("mcp", wanted_by="snaphook mcp-proxy --url") from missing

PATIENCE = httpx2.Timeout(30, read=None)
"""How long a tool takes is its client's business."""
log = logger("snaphook.bridges")
KEYS = {401: "requires authentication", 403: "denies access"}


@asynccontextmanager
async def connected(url: str, headers: Mapping[str, str]) -> AsyncIterator["HttpServer"]:
    """Yield the server at *url*, which gets *headers* with every request."""
    try:
        async with (
            Reaching(headers=dict(headers), timeout=PATIENCE) as web,
            streamable_http_client(url, http_client=web, max_sse_event_size=LONGEST) as streams,
        ):
            yield HttpServer(*streams)
    except ExceptionGroup as several:  # the streams' tasks hand on even one error so
        raise _first(several, url) from several


def _first(several: ExceptionGroup[Exception], url: str) -> Exception:
    """Return the error that people should hear of."""
    problem: Exception = several
    while isinstance(problem, ExceptionGroup):
        problem = problem.exceptions[0]
    if not isinstance(problem, httpx2.HTTPError):
        return problem
    what = f"failed ({type(problem).__name__}: {problem})"
    return HostError(where=url, what=what, fix="Check that the server is running.")


class HttpServer:
    """One end of a proxy, over the streams of the ``mcp`` package."""

    def __init__(self, reads: Any, writes: Any) -> None:
        self._reads = reads
        self._writes = writes
        self._version = ""
        self._mirrored: dict[str, dict[tuple[str, ...], str]] = {}
        """Of each tool, the arguments that are headers as well."""

    async def messages(self) -> AsyncIterator[bytes]:
        """Yield what the server sends."""
        async for arrived in self._reads:
            if isinstance(arrived, Exception):
                log.warning("the MCP server: sent an invalid message: %s", arrived)
                continue
            if isinstance(arrived.message, JSONRPCResponse):
                self._learn(arrived.message.result)
            yield arrived.message.model_dump_json(by_alias=True, exclude_unset=True).encode()

    async def send(self, message: bytes) -> None:
        """Post *message*."""
        try:
            read = jsonrpc_message_adapter.validate_json(message, by_name=False)
        except ValueError as problem:
            raise WireError(
                where="JSON-RPC", what=f"{problem}", fix="Send a JSON-RPC 2.0 message."
            ) from None
        metadata = None
        if isinstance(read, JSONRPCRequest):
            metadata = ClientMessageMetadata(headers=self._headers(read))
        await self._writes.send(SessionMessage(read, metadata=metadata))

    def _learn(self, result: dict[str, Any]) -> None:
        """Take from *result* what headers of later requests depend on."""
        if isinstance(version := result.get("protocolVersion"), str):
            self._version = version
        tools = result.get("tools")
        for tool in tools if isinstance(tools, list) else ():
            if isinstance(tool, dict) and isinstance(name := tool.get("name"), str):
                schema = tool.get("inputSchema")
                flawed = inbound.find_invalid_x_mcp_header(schema) is not None
                self._mirrored[name] = {} if flawed else inbound.x_mcp_header_map(schema)

    def _headers(self, sent: JSONRPCRequest) -> dict[str, str]:
        """Return what a request must say in its headers, by the version that it is made in."""
        params = sent.params or {}
        meta = params.get("_meta")
        version = meta.get(PROTOCOL_VERSION_META_KEY) if isinstance(meta, dict) else None
        if not isinstance(version, str):
            handshake = sent.method == "initialize" or not self._version
            return {} if handshake else {inbound.MCP_PROTOCOL_VERSION_HEADER: self._version}
        headers = {
            inbound.MCP_PROTOCOL_VERSION_HEADER: version,
            inbound.MCP_METHOD_HEADER: sent.method,
        }
        name = params.get(inbound.NAME_BEARING_METHODS.get(sent.method, ""))
        if isinstance(name, str):
            headers[inbound.MCP_NAME_HEADER] = inbound.encode_header_value(name)
            args = params.get("arguments")
            headers |= inbound.mcp_param_headers(self._mirrored.get(name, {}), args or {})
        return headers


class Reaching(httpx2.AsyncClient):
    """A client of the web that makes an answer of a failure, so that one request fails alone."""

    async def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        """Return the response, or what stands for it where there is none that helps."""
        try:
            response = await super().send(request, **options)
        except httpx2.TransportError as problem:
            what = f"{request.url} cannot be reached ({type(problem).__name__}: {problem})"
            return _failed(request, 502, what)
        if response.status_code not in KEYS:
            return response
        await response.aclose()
        fix = "Give it a key: --header 'Authorization: Bearer ${TOKEN}'"
        what = f"{request.url} {KEYS[response.status_code]} ({response.status_code}). {fix}"
        return _failed(request, response.status_code, what)


def _failed(request: httpx2.Request, status: int, what: str) -> httpx2.Response:
    error = {"jsonrpc": "2.0", "id": None, "error": {"code": FAILED, "message": what}}
    return httpx2.Response(status, json=error, request=request)
