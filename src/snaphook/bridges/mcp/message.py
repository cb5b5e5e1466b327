"""One JSON-RPC message, read as far as a proxy has to.

line  ->  McpMessage  ->  line

What a proxy need not understand stays as it came, byte for byte (``Raw``). What is sent on is made
of what was read, so nobody behind us can read another message out of it than we did.
"""

import json
from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.structs import replace

from snaphook.errors import WireError

Id: TypeAlias = int | str
PARSE_ERROR, INVALID_REQUEST, INVALID_PARAMS = -32700, -32600, -32602
FAILED = -32000
_NOTHING = Raw(b"")


class McpMessage(Struct, frozen=True, kw_only=True):
    """A request, a notification or a response."""

    id: Id | UnsetType | None = UNSET
    method: str = ""
    params: Raw = _NOTHING
    result: Raw = _NOTHING
    error: Raw = _NOTHING

    def __post_init__(self) -> None:
        """Refuse what may be read in two ways: some clients take a request with a result for an answer."""
        if self.method and (bytes(self.result) or bytes(self.error)):
            raise ValueError("it has a method, and a result or an error as well")

    @property
    def answers(self) -> bool:
        """Say whether it is a response."""
        return not self.method

    def wire(self) -> bytes:
        """Return it as one line, without the end of it."""
        told: dict[str, Any] = {"jsonrpc": "2.0"}
        if self.id is not UNSET:
            told["id"] = self.id
        if self.method:
            told["method"] = self.method
        told |= {
            name: part
            for name in ("params", "result", "error")
            if bytes(part := getattr(self, name))
        }
        return msgspec.json.encode(told)


_decode = msgspec.json.Decoder(McpMessage).decode


def read(line: bytes) -> McpMessage:
    """Return the message on *line*; raise ``WireError`` where there is none."""
    try:
        message = _decode(line)
    except (msgspec.DecodeError, RecursionError, ValueError) as problem:
        raise no_message(line, f"{problem}") from None
    if not message.method and not (bytes(message.result) or bytes(message.error)):
        raise no_message(line, "it has no method, no result and no error")
    return message


def without_duplicates(sent: McpMessage) -> McpMessage:
    """Return *sent* with each name once in its objects, the last value of each.

    Hooks see the last of two values with one name, and the other end might take the first.
    """
    parts = {name: _once(getattr(sent, name)) for name in ("params", "result", "error")}
    return replace(sent, **parts)


def _once(part: Raw) -> Raw:
    twice = False

    def table_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        nonlocal twice
        made = dict(pairs)
        twice = twice or len(made) < len(pairs)
        return made

    if not bytes(part):
        return part
    try:
        value = json.loads(bytes(part), object_pairs_hook=table_of)
    except (ValueError, RecursionError):
        return part  # told where it is read
    return Raw(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")) if twice else part


def table(part: Raw) -> dict[str, Any]:
    """Return the object in *part*; raise ``WireError`` where it is none."""
    if not bytes(part):
        return {}
    try:
        return msgspec.json.decode(part, type=dict[str, Any])
    except (msgspec.DecodeError, RecursionError, ValueError) as problem:
        raise no_message(bytes(part), f"{problem}") from None


def request(id_: Id, method: str, params: dict[str, Any]) -> McpMessage:
    """Return a request."""
    return McpMessage(id=id_, method=method, params=raw(params))


def notification(method: str, params: dict[str, Any]) -> McpMessage:
    """Return a notification."""
    return McpMessage(method=method, params=raw(params))


def result(id_: Id, told: dict[str, Any]) -> McpMessage:
    """Return the response that everything went well."""
    return McpMessage(id=id_, result=raw(told))


def error(id_: Id | None, code: int, what: str) -> McpMessage:
    """Return the response that something did not."""
    return McpMessage(id=id_, error=raw({"code": code, "message": what}))


def raw(value: Any) -> Raw:
    """Return *value* as a part of a message."""
    return Raw(msgspec.json.encode(value))


def no_message(line: bytes, why: str) -> WireError:
    """Return the error that tells *why* there is none."""
    return WireError(
        where="JSON-RPC",
        what=f"invalid message {line[:80]!r}: {why}",
        fix="Send one JSON-RPC 2.0 message on each line; batches are not passed on.",
    )
