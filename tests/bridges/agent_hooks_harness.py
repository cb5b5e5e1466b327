"""Our agent as the conformance kit of AGENT-HOOKS drives it.

vector  ->  Harness  ->  Mediated  ->  RunRecord

By hand: pytest --agent-hooks-harness=tests.bridges.agent_hooks_harness:SnaphookHarness
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any

from agent_hooks import (
    ApprovalResolver,
    CompositionConfig,
    EnforcementMode,
    HostRegistry,
    HostSurface,
    IdentityProvider,
    InterceptionEmitter,
    Interceptor,
)
from agent_hooks.ctk import Capability, Harness, RunOutcome, RunRecord, Scenario, redact_paths
from agent_hooks.ctk.harness import ModelResponse, ToolSpec
from msgspec import Struct

from snaphook.agent import (
    AgentOptions,
    Mode,
    ModelRequest,
    Permissions,
    Tool,
    ToolContext,
    ToolResult,
    TurnStatus,
    Usage,
)
from snaphook.agent.model import Chunk, Finish, TextDelta, ToolCall
from snaphook.bridges.mediated import SURFACE, Mediated
from snaphook.bridges.plain import as_text

OUTCOMES = {TurnStatus.DONE: RunOutcome.COMPLETED, TurnStatus.BLOCKED: RunOutcome.BLOCKED}


class Unread(Struct):
    """Arguments of any shape: the kit's tools have no schema that could be checked."""


class KitTool(Tool, frozen=True, kw_only=True):
    """A tool of a scenario."""

    def read(self, parameters: dict[str, Any]) -> Any:
        """Return the arguments as they are."""
        return parameters


class KitModel:
    """Says what a scenario says, one answer after the other."""

    def __init__(self, script: Sequence[ModelResponse]) -> None:
        self._script = iter(script)

    async def stream(self, request: ModelRequest) -> AsyncIterator[Chunk]:
        """Yield the next answer."""
        answer = next(self._script)
        if answer.content is not None:
            yield TextDelta(answer.content)
        for call in answer.tool_calls:
            yield ToolCall(id=call["id"], name=call["name"], parameters=call["args"])
        yield Finish(usage=Usage())


class SnaphookHarness(Harness):
    """Runs one scenario under the interceptors a vector brings."""

    name = "snaphook"
    tool_seam_host_error = "continue"

    def __init__(self) -> None:
        self.capabilities = set(map(Capability, SURFACE.capabilities))

    def host_surface(self) -> HostSurface:
        """Return what a declaration may ask of us."""
        return SURFACE

    def setup(
        self,
        scenario: Scenario,
        interceptors: list[Interceptor],
        resolver: ApprovalResolver | None,
        mode: EnforcementMode,
        composition: CompositionConfig,
        identity_provider: str | None,
        redact_for_approval: list[str] | None = None,
    ) -> None:
        """Make an emitter of what the vector says in fields."""
        faulty = identity_provider == "ctk-fault"
        emitter = InterceptionEmitter(
            mode=mode,
            resolver=resolver,
            composition=composition,
            identity_provider=IdentityProvider("ctk-fault", _break)
            if faulty
            else identity_provider,
        )
        if redact_for_approval:
            emitter.set_approval_redactor(lambda seen: redact_paths(seen, redact_for_approval))
        for interceptor in interceptors:
            emitter.register(interceptor)
        self._start(scenario, emitter)

    def setup_declared(
        self, scenario: Scenario, document: dict[str, Any], registry: HostRegistry
    ) -> None:
        """Make an emitter of what the vector says in a document."""
        self._start(scenario, InterceptionEmitter.from_declaration_value(document, registry))

    async def run(self) -> RunRecord:
        """Run one session and tell what happened."""
        async with self._agent as agent:
            result = await agent.send_message(self._prompt)
        records = self._emitter.results
        return RunRecord(
            outcome=OUTCOMES.get(result.status, RunOutcome.ERROR),
            final_output=result.text if result.status is TurnStatus.DONE else None,
            tool_invocations=self._invoked,
            error=result.error,
            identities=[(record.input_identity, record.enforced_identity) for record in records],
            records=[record.to_wire() for record in records],
        )

    def teardown(self) -> None:
        """Leave nothing behind: there is nothing."""

    def _start(self, scenario: Scenario, emitter: InterceptionEmitter) -> None:
        self._emitter = emitter
        self._prompt = scenario.input["content"]
        self._invoked: list[dict[str, Any]] = []
        tools = tuple(self._tool(spec) for _, spec in sorted(scenario.tools.items()))
        self._agent = Mediated(
            emitter,
            model=KitModel(scenario.model_script),
            options=AgentOptions(tools=tools, attempts=1),
            permissions=Permissions(mode=Mode.ALLOW_ALL),
        )

    def _tool(self, spec: ToolSpec) -> Tool:
        async def run(args: dict[str, Any], context: ToolContext) -> ToolResult:
            self._invoked.append({"name": spec.name, "args": dict(args)})
            value, is_error = spec.invoke(args)
            return ToolResult(text=as_text(value), value=value, success=not is_error)

        return KitTool(name=spec.name, description="", args=Unread, run=run)


def _break(_: Any) -> str:
    raise RuntimeError("scripted fault")
