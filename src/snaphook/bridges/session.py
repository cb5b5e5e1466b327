"""One run of an agent that somebody else's SDK drives, as our hooks see it.

what the SDK tells  ->  Event  ->  Engine  ->  what the SDK can do about it

A shim knows its SDK's hook points and nothing of verdicts; this knows verdicts and no SDK. What an
SDK cannot do becomes the next stricter thing it can (``hosts.express``), never a milder one.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from itertools import count
from time import perf_counter, time
from typing import Any, Protocol, TypeAlias, TypeVar
from uuid import uuid4

from msgspec import UNSET
from msgspec.structs import replace

from snaphook import canon as c
from snaphook.canon.failures import CLASSES, classify
from snaphook.config.charters import charter_path
from snaphook.engine import Engine
from snaphook.errors import PromptRefused
from snaphook.hosts import Can
from snaphook.hosts.tighten import HostDecision, host_decision
from snaphook.hosts.tools import HostTool, ToolNames
from snaphook.lazy import logger

from .call import AskUser, SdkToolCall, ToolFailure, ToolQuestion, ToolRuling, no
from .plain import plain

log = logger("snaphook.bridges")

Run: TypeAlias = Callable[[dict[str, Any]], Awaitable[Any]]
T = TypeVar("T")

ATTEMPTS = 5
"""How often one request may be sent to a model before its failure stands, whatever hooks say."""


class Decides(Protocol):
    """Whoever says what comes of an event: an engine, or one that follows the settings."""

    async def dispatch(self, event: c.Event) -> c.Output | None:
        """Return what is said about *event*; ``None`` if nobody has an opinion."""
        ...


Hooks: TypeAlias = Decides | Sequence[c.AnyProvider]
"""What ``from_settings()`` returns, an engine, or providers for a new one."""


def decider(hooks: Hooks) -> Decides:
    """Return who decides with *hooks*."""
    return Engine(hooks) if isinstance(hooks, Sequence) else hooks


class Bridge:
    """Hooks, ready for the runs of one agent.

    *tools* tells which of the agent's tools are ours under another name, so that a rule about
    ``Bash`` holds for ``run_shell`` too. *ask* asks a person; where no user is available, an "ask"
    is a no. With *defers*, the SDK has a way of its own to ask, and the shim uses it. *notify*
    hears what hooks have to say to the person. *signals* are exceptions with which a tool says
    something else than that it failed.
    """

    def __init__(
        self,
        hooks: Hooks,
        *,
        sdk: str,
        can: Mapping[type[c.Event], Can],
        tools: Mapping[str, HostTool] | None = None,
        ask: AskUser | None = None,
        defers: bool = False,
        notify: Callable[[str], None] | None = None,
        cwd: str = "",
        signals: tuple[type[Exception], ...] = (),
    ) -> None:
        self.engine = decider(hooks)
        self.sdk = sdk
        self.can = can
        self.tools = ToolNames(tools or {})
        self.ask = ask
        self.defers = defers
        self.notify = notify or (lambda text: log.info("%s: %s", sdk, text))
        self.cwd = cwd
        self.signals = signals

    def session(
        self, session_id: str | None = None, *, parent: "BridgeSession | None" = None, **about: Any
    ) -> "BridgeSession":
        """Return a new run; *about* are further fields of its ``HookContext``.

        A child of *parent* is in its session, as an agent with an id of its own.
        """
        if parent is not None:
            session_id = parent.context.session_id
            about |= {"agent_id": about.get("agent_id") or uuid4().hex}
            about |= {"agent_type": about.get("agent_name"), "depth": parent.context.depth + 1}
        context = c.HookContext(
            session_id=session_id or uuid4().hex,
            cwd=self.cwd,
            team_root=self.cwd,
            host=self.sdk,
            **{"headless": self.ask is None and not self.defers} | about,
        )
        return BridgeSession(self, context)


class BridgeSession:
    """One run: its events, and what its model has yet to be told."""

    def __init__(self, bridge: Bridge, context: c.HookContext) -> None:
        self.context = context
        self.bridge = bridge
        self._waiting: list[str] = []

    def waiting(self) -> str:
        """Return what hooks have said to the model since it was last asked, and forget it."""
        told, self._waiting = self._waiting, []
        return "\n\n".join(told)

    async def dispatch(
        self, kind: type[c.Event], **fields: Any
    ) -> tuple[c.Output | None, HostDecision]:
        """Return what the engine said about an event, and what of it this SDK can be told."""
        event = kind(context=replace(self.context, timestamp=time()), **fields)
        try:
            output = await self.bridge.engine.dispatch(event)
        except Exception as problem:
            log.exception("engine: failed on %s", event.event_name)
            output = _closed(event, problem)
        if output is None:
            return None, HostDecision()
        decision = host_decision(
            event, output, self.bridge.can.get(kind, Can(kind)), self.bridge.sdk
        )
        if decision.note:
            self.bridge.notify(decision.note)
        return output, decision

    async def fire(self, kind: type[c.Event], **fields: Any) -> HostDecision:
        """Return what this SDK can be told; what is for the model waits for its next request."""
        _, decision = await self.dispatch(kind, **fields)
        self.tell(decision.context)
        return decision

    def tell(self, text: str) -> None:
        """Keep *text* for the model's next request."""
        if text.strip():
            self._waiting.append(text)

    async def start(self, model: str = "", charter: str | None = None) -> str | None:
        """Fire SessionStart; return another model, if a hook wants one."""
        output, decision = await self.dispatch(c.SessionStart, model=model, charter_content=charter)
        self.tell(decision.context)
        wanted = output.modified_config if isinstance(output, c.SessionStartOutput) else {}
        return str(wanted["model"]) if wanted.get("model") else None

    async def prompt(self, text: str) -> str:
        """Return the prompt to send; raise ``PromptRefused`` if a hook will not have it."""
        decision = await self.fire(c.UserPromptSubmit, prompt=text)
        if decision.verdict is c.Verdict.DENY:
            raise refusal(self.bridge.sdk, decision.reason)
        return text if decision.prompt is None else decision.prompt

    async def run_tool(
        self, call: SdkToolCall, run: Run, *, ruling: ToolRuling | None = None
    ) -> Any:
        """Return what the model reads: the result as hooks left it, or why the call did not run.

        A ``ToolFailure`` that *run* returns is told as one, and returned as it is.
        """
        ruling = ruling or await self.before(call)
        if ruling.verdict is c.Verdict.ASK:
            ruling = no(call, "no user is available to confirm", ruling.reason)
        if ruling.refused:
            return ruling.reason
        call, started = replace(call, args=ruling.args), perf_counter()
        try:
            result = await run(ruling.args)
        except self.bridge.signals:
            raise
        except Exception as problem:
            await self.failed(call, problem, duration_ms=_since(started))
            raise
        if isinstance(result, ToolFailure):
            await self.failed(call, result.error, duration_ms=_since(started))
            return result
        return await self.after(call, result, duration_ms=_since(started))

    async def before(self, call: SdkToolCall, *, approved: bool = False) -> ToolRuling:
        """Return what becomes of *call*; *approved* tells that a person has said yes to it."""
        name, args = self.bridge.tools.ours(call.name, call.args)
        about: dict[str, Any] = {"tool_name": name, "tool_use_id": call.id}
        if call.annotations:
            about["extra"] = {"annotations": call.annotations}
        decision = await self.fire(c.PreToolUse, tool_args=plain(args), **about)
        if decision.verdict is c.Verdict.DENY:
            return ToolRuling(verdict=c.Verdict.DENY, args=call.args, reason=decision.reason)
        theirs = (
            call.args
            if decision.args is None
            else self.bridge.tools.theirs(call.name, decision.args)
        )
        if decision.verdict is not c.Verdict.ASK or approved:
            return ToolRuling(verdict=c.Verdict.ALLOW, args=theirs)
        return await self._permitted(replace(call, args=theirs), decision.reason)

    async def after(
        self, call: SdkToolCall, result: Any, *, duration_ms: float | None = None
    ) -> Any:
        """Return *result*, or what a hook put in its place; feedback waits for the model."""
        name, args = self.bridge.tools.ours(call.name, call.args)
        decision = await self.fire(
            c.PostToolUse,
            tool_name=name,
            tool_args=plain(args),
            tool_use_id=call.id,
            tool_result=plain(result),
            duration_ms=duration_ms,
        )
        if decision.verdict is c.Verdict.BLOCK:
            self.tell(decision.reason)
        return result if decision.result is UNSET else decision.result

    async def failed(
        self, call: SdkToolCall, problem: BaseException | str, *, duration_ms: float | None = None
    ) -> None:
        """Tell that *call* ran and failed; advice waits for the model."""
        name, args = self.bridge.tools.ours(call.name, call.args)
        told = problem if isinstance(problem, str) else f"{type(problem).__name__}: {problem}"
        await self.fire(
            c.PostToolUseFailure,
            tool_name=name,
            tool_args=plain(args),
            tool_use_id=call.id,
            error=told,
            duration_ms=duration_ms,
        )

    async def stop(self, last: str | None = None) -> str | None:
        """Return why the agent, or the subagent this is, may not stop yet; ``None`` if it may."""
        who = self.context
        if who.depth:
            names = {"agent_name": who.agent_name, "agent_id": who.agent_id}
            decision = await self.fire(c.SubagentStop, last_assistant_message=last, **names)
        else:
            decision = await self.fire(c.Stop, last_assistant_message=last)
        return decision.reason if decision.verdict is c.Verdict.BLOCK else None

    async def child_start(self, task: str | None = None) -> tuple[str | None, str | None]:
        """Tell that this session is a subagent's; return why it may not start, and another model."""
        who = self.context
        output, decision = await self.dispatch(
            c.SubagentStart,
            agent_name=who.agent_name,
            agent_id=who.agent_id,
            charter_path=charter_path(who.team_root or who.cwd, who.agent_name),
            task=task,
        )
        self.tell(decision.context)
        model = output.modified_model if isinstance(output, c.SubagentStartOutput) else None
        return (decision.reason if decision.verdict is c.Verdict.DENY else None), model

    async def recover(self, problem: Exception, *, model: str, attempt: int) -> Any:
        """Return what hooks say about a failed model request: an ``ErrorRecoveryOutput`` or None."""
        status = getattr(problem, "status_code", 0)
        name = classify(status if isinstance(status, int) else 0, f"{problem}")
        output, _ = await self.dispatch(
            c.ErrorOccurred,
            error=f"{type(problem).__name__}: {problem}",
            error_type=CLASSES[name].error_type,
            error_class=name.value,
            current_model=model,
            attempt=attempt,
        )
        return output if isinstance(output, c.ErrorRecoveryOutput) else None

    async def request(
        self, send: Callable[[str | None], Awaitable[T]], *, model: str, wanted: str | None = None
    ) -> T:
        """Return what the model answers to *send*, tried again as hooks say, a few times at most.

        *send* is told which other model to use, *wanted* or a hook's fallback, or ``None`` for
        *model*, its own.
        """
        for attempt in count(1):
            try:
                return await send(wanted)
            except self.bridge.signals:
                raise
            except Exception as problem:
                decision = await self.recover(problem, model=wanted or model, attempt=attempt)
                if decision is None or not decision.retry or attempt >= ATTEMPTS:
                    raise
                await pause(decision)
                wanted = decision.fallback_model or wanted
        raise AssertionError("unreachable")

    async def end(self, reason: str = "other") -> None:
        """Fire SessionEnd, unless this is a subagent: its session goes on without it."""
        if not self.context.depth:
            await self.fire(c.SessionEnd, reason=reason)

    @asynccontextmanager
    async def ending(self) -> AsyncIterator[None]:
        """End the session where what is done inside fails."""
        try:
            yield
        except self.bridge.signals:
            raise
        except Exception:
            await self.end("error")
            raise

    async def _permitted(self, call: SdkToolCall, why: str) -> ToolRuling:
        """Return the answer of whoever may give it: a hook, the person, the SDK's own way; else no."""
        name, args = self.bridge.tools.ours(call.name, call.args)
        decision = await self.fire(
            c.PermissionRequest, tool_name=name, tool_args=plain(args), tool_use_id=call.id
        )
        if decision.verdict is c.Verdict.DENY:
            return ToolRuling(verdict=c.Verdict.DENY, args=call.args, reason=decision.reason or why)
        if decision.args is not None:
            args = self.bridge.tools.theirs(call.name, decision.args)
            return await self._checked_again(replace(call, args=args), decision.verdict, why)
        if decision.verdict is c.Verdict.ALLOW:
            return ToolRuling(verdict=c.Verdict.ALLOW, args=call.args)
        return await self._asked(call, why)

    async def _checked_again(
        self, call: SdkToolCall, verdict: c.Verdict | None, why: str
    ) -> ToolRuling:
        """Return whether a call that a permission hook rewrote may run so, past every other hook."""
        ruling = await self.before(call, approved=True)
        if ruling.refused or ruling.args != call.args:
            return replace(ruling, verdict=c.Verdict.DENY, reason=ruling.reason or why)
        return ruling if verdict is c.Verdict.ALLOW else await self._asked(call, why)

    async def _asked(self, call: SdkToolCall, why: str) -> ToolRuling:
        if self.bridge.ask is None:
            if self.bridge.defers:
                return ToolRuling(verdict=c.Verdict.ASK, args=call.args, reason=why)
            return no(call, "no user is available to confirm", why)
        question = ToolQuestion(tool_name=call.name, tool_args=call.args, why=why)
        try:
            answer = await self.bridge.ask(question)
        except Exception as problem:
            log.exception("%s: the person could not be asked", self.bridge.sdk)
            return no(call, f"the person could not be asked ({type(problem).__name__})", why)
        if answer is not True:
            return no(call, "the user declined", why)
        return ToolRuling(verdict=c.Verdict.ALLOW, args=call.args)


async def pause(decision: c.ErrorRecoveryOutput) -> None:
    """Wait for as long as a hook said, a minute at most."""
    await asyncio.sleep(min(decision.backoff_ms or 0, 60_000) / 1000)


def refusal(sdk: str, reason: str) -> PromptRefused:
    """Return what tells the person that a prompt was not sent."""
    return PromptRefused(where=sdk, what=reason.rstrip("."), fix="Send another prompt.")


def _closed(event: c.Event, problem: Exception) -> c.Output | None:
    """Return what a broken engine means: what can be denied is denied, the rest goes on."""
    spec = c.spec_of(event)
    if c.Verdict.DENY not in spec.may_say:
        return None
    reason = f"hooks could not be asked ({type(problem).__name__}). The log says more."
    return spec.output(decision=c.Verdict.DENY, reason=reason)  # type: ignore[call-arg]


def _since(started: float) -> float:
    return (perf_counter() - started) * 1000
