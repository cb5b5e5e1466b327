"""What a tool is, and how its arguments are held against its schema.

parameters  ->  arguments  ->  ToolResult

A tool is a value: a name, a description, a Struct of arguments and a coroutine. Yours is as good as
ours: hand it to the agent.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Protocol

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from snaphook.agent.bounds import LIMIT
from snaphook.agent.model import ToolSpec
from snaphook.errors import SnaphookError

from .workspace import ToolWorkspace


class ToolResult(Struct, frozen=True, kw_only=True):
    """What a tool tells the model."""

    text: str
    success: bool = True
    changed: tuple[str, ...] = ()
    """Files it wrote."""
    value: Any | UnsetType = UNSET
    """What the text is the JSON of, where a tool returns more than words."""


class ToolError(SnaphookError):
    """A tool could not do what it was asked; the model reads why and what to do instead."""


class ToolHost(Protocol):
    """What a tool may ask of the agent that runs it."""

    async def ask_user(self, question: str, options: tuple[str, ...]) -> str:
        """Return the person's answer."""
        ...

    async def spawn(self, kind: str, prompt: str) -> ToolResult:
        """Run a subagent of *kind* on *prompt* to its end and return its result."""
        ...


class ToolContext(Struct, frozen=True, kw_only=True):
    """Where a tool runs."""

    workspace: ToolWorkspace
    host: ToolHost
    environment: Mapping[str, str]
    tool_use_id: str = ""
    output_limit: int = LIMIT
    memory: dict[str, Any] = field(default_factory=dict)
    """What tools remember between calls: todos, background commands, files read."""


class Tool(Struct, frozen=True, kw_only=True):
    """A tool."""

    name: str
    description: str
    args: type[Struct]
    run: Callable[[Any, ToolContext], Awaitable[ToolResult]]
    parallel: bool = False
    """Safe beside other calls of the same answer."""
    harmless: bool = False
    """Changes nothing, so nobody needs to be asked."""
    edits: bool = False
    """Changes files and nothing else."""

    @property
    def spec(self) -> ToolSpec:
        """Return what the model is told of it."""
        return ToolSpec(name=self.name, description=self.description, schema=schema_of(self.args))

    def read(self, parameters: dict[str, Any]) -> Any:
        """Return *parameters* as this tool's arguments, or say which one is wrong."""
        try:
            return msgspec.convert(parameters, self.args)
        except msgspec.ValidationError as error:
            wanted = ", ".join(self.args.__struct_fields__)
            raise ToolError(where=self.name, what=f"{error}", fix=f"It takes: {wanted}.") from None


_SCHEMAS: dict[type[Struct], dict[str, Any]] = {}


def schema_of(args: type[Struct]) -> dict[str, Any]:
    """Return the JSON Schema of *args*, an object at its top as every vendor wants it."""
    if args not in _SCHEMAS:
        (_,), parts = msgspec.json.schema_components((args,), ref_template="#/$defs/{name}")
        top = dict(parts.pop(args.__name__))
        top.pop("title", None)
        _SCHEMAS[args] = top | ({"$defs": parts} if parts else {})
    return _SCHEMAS[args]
