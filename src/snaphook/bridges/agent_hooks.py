"""Our hooks as an interceptor of AGENT-HOOKS, in any agent that hosts one.

AgentContext  ->  Event  ->  Engine  ->  Verdict

One interceptor serves every session of its host. The contract has three decisions: a question to a
person is a deny that the host's approval may lift, and a stop that is sent back, which it has no
word for, is the next stricter thing, an answer that is withheld.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.canon import Verdict as Ours
from snaphook.errors import MissingExtra, PromptRefused

from .call import SdkToolCall
from .plain import as_text, plain
from .session import Bridge, BridgeSession, Hooks
from .table import AGENT_HOOKS as SDK

try:
    from agent_hooks import Decision, InterceptionPoint, Transform, Verdict
except ModuleNotFoundError as missing:
    raise MissingExtra.named(SDK.extra, wanted_by=__name__) from missing

DENIED, ASKED = "snaphook:denied", "snaphook:asks"
"""What a verdict's reason begins with; the hook's own words follow, for a host that passes on no more."""


class Interceptor:
    """Answers for *hooks* at each of the eight points; *options* are those of ``Bridge``."""

    def __init__(self, hooks: Hooks, **options: Any) -> None:
        self._bridge = Bridge(hooks, sdk=SDK.name, can=SDK.can, defers=True, **options)
        self._sessions: dict[str, BridgeSession] = {}

    def intercept(self, context: Mapping[str, Any], /) -> Any:
        """Return the verdict of all hooks, to be awaited: the contract allows it, its type does not."""
        return self._verdict(context)

    async def _verdict(self, context: Mapping[str, Any]) -> Verdict:
        session = self._session(context)
        match InterceptionPoint(context["interception_point"]):
            case InterceptionPoint.AGENT_STARTUP:
                await session.start()
            case InterceptionPoint.INPUT:
                return await _input(session, context["input"])
            case InterceptionPoint.PRE_MODEL_CALL:
                return _told(session, context["messages"])
            case InterceptionPoint.PRE_TOOL_CALL:
                return await _call(session, context["tool_call"])
            case InterceptionPoint.POST_TOOL_CALL:
                return await _result(session, context["tool_call"], context["tool_result"])
            case InterceptionPoint.OUTPUT:
                why = await session.stop(as_text(context["output"]["content"]))
                return _no(why) if why is not None else Verdict.allow()
            case InterceptionPoint.AGENT_SHUTDOWN:
                await session.end(context["summary"]["reason"])
                del self._sessions[context["session"]["id"]]
            case InterceptionPoint.POST_MODEL_CALL:
                pass  # no hook of ours judges an answer before the agent has acted on it
        return Verdict.allow()

    def _session(self, context: Mapping[str, Any]) -> BridgeSession:
        """Return the session that *context* is of; a host may have begun it before we came."""
        name, agent = context["session"]["id"], context["agent"]
        if name not in self._sessions:
            self._sessions[name] = self._bridge.session(
                name, agent_name=agent.get("name") or agent["id"]
            )
        return self._sessions[name]


async def _input(session: BridgeSession, given: Mapping[str, Any]) -> Verdict:
    text = as_text(given["content"])
    try:
        wanted = await session.prompt(text)
    except PromptRefused as refused:
        return _no(refused.what)
    return _changed("$target.content", text, wanted)


def _told(session: BridgeSession, messages: list[Any]) -> Verdict:
    """Return the verdict that gives the model what hooks have told it since its last request."""
    told = session.waiting()
    more = [{"role": "user", "content": told}] if told else []
    return _changed("$target", messages, [*messages, *more])


async def _call(session: BridgeSession, call: Mapping[str, Any]) -> Verdict:
    """Return the verdict on a call.

    A host that lets a person approve runs the call as it was made, so a question about a call that
    hooks have changed cannot be put to anybody there: it is a no.
    """
    ruling = await session.before(_tool_call(call))
    match ruling.verdict:
        case Ours.DENY:
            return _no(ruling.reason)
        case Ours.ASK if ruling.args == call["args"]:
            return Verdict.escalate(reason=_reason(ASKED, ruling.reason), message=ruling.reason)
        case Ours.ASK:
            return _no(f"{ruling.reason} It would have to run as {as_text(ruling.args)}.".strip())
        case _:
            return _changed("$target", call["args"], ruling.args)


async def _result(
    session: BridgeSession, call: Mapping[str, Any], result: Mapping[str, Any]
) -> Verdict:
    told, value = _tool_call(call), result["value"]
    if result["is_error"]:
        await session.failed(told, as_text(value), duration_ms=result.get("duration_ms"))
        return Verdict.allow()
    wanted = await session.after(told, value, duration_ms=result.get("duration_ms"))
    return _changed("$target", value, plain(wanted))


def _tool_call(call: Mapping[str, Any]) -> SdkToolCall:
    return SdkToolCall(name=call["name"], args=dict(call["args"]), id=call["id"])


def _changed(path: str, given: Any, wanted: Any) -> Verdict:
    if given == wanted:
        return Verdict.allow()
    return Verdict(decision=Decision.TRANSFORM, transform=Transform(path, wanted))


def _no(why: str) -> Verdict:
    return Verdict.deny(reason=_reason(DENIED, why), message=why)


def _reason(kind: str, why: str) -> str:
    return f"{kind}: {why}" if why else kind
