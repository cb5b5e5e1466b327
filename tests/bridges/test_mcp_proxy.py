"""The MCP proxy with the real ``mcp`` package on both sides of it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import mcp_types as types
import pytest
from mcp import Client, ClientSession
from mcp.client._memory import InMemoryTransport
from mcp.shared.exceptions import MCPError
from mcp.shared.memory import create_client_server_memory_streams
from mcp.shared.message import SessionMessage
from mcp_types import jsonrpc_message_adapter
from tests.bridges.breaking import Breaks
from tests.bridges.mcp_server import ReceivedCalls, make, on_a_port

from snaphook import canon as c
from snaphook.bridges.mcp.call import McpCalls
from snaphook.bridges.mcp.http import HttpServer, connected
from snaphook.bridges.mcp.names import given
from snaphook.bridges.mcp.proxy import Proxy
from snaphook.errors import WireError
from snaphook.testing import Recorder, ScriptedProvider

pytestmark = pytest.mark.needs("mcp")
ALLOW, MODIFY, ASK, DENY, BLOCK = c.Verdict
LEGACY, ALONE = "handshake", "2026-07-28"


class Near:
    """The client's end, in this process."""

    def __init__(self, reads: Any, writes: Any) -> None:
        self._reads, self._writes = reads, writes

    async def messages(self) -> AsyncIterator[bytes]:
        async for arrived in self._reads:
            yield arrived.message.model_dump_json(by_alias=True, exclude_unset=True).encode()

    async def send(self, message: bytes) -> None:
        read = jsonrpc_message_adapter.validate_json(message, by_name=False)
        await self._writes.send(SessionMessage(read))


@asynccontextmanager
async def before(
    far: AbstractAsyncContextManager[Any], hooks: Any, era: str = LEGACY, **client: Any
) -> AsyncIterator[Any]:
    """Yield a client of either era, with *hooks* between it and the server at the *far* end."""
    calls = hooks if isinstance(hooks, McpCalls) else McpCalls(hooks, name="demo", cwd="/project")
    async with far as server, create_client_server_memory_streams() as (streams, near):
        proxy = asyncio.create_task(Proxy(Near(*near), server, calls).run())
        if era == LEGACY:
            async with ClientSession(*streams, **client) as session:
                await session.initialize()
                yield session
        else:
            async with Client(_there(streams), mode=era, **client) as session:
                yield session
        await streams[1].aclose()
        await proxy


@asynccontextmanager
async def _there(streams: Any) -> AsyncIterator[Any]:
    yield streams


@asynccontextmanager
async def _in_process(app: Any) -> AsyncIterator[HttpServer]:
    async with InMemoryTransport(app) as streams:
        yield HttpServer(*streams)


@asynccontextmanager
async def talking(*providers: Any, **options: Any) -> AsyncIterator[tuple[Any, ReceivedCalls]]:
    """Yield a client before a server in this process, and what the server's tools heard."""
    app, heard = make()
    async with before(_in_process(app), list(providers), **options) as client:
        yield client, heard


def text(result: Any) -> str:
    return "\n".join(block.text for block in result.content)


eras = pytest.mark.parametrize("era", [LEGACY, ALONE])


@eras
async def test_a_denied_call_never_reaches_the_server_and_the_model_reads_why(era):
    no = ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(decision=DENY, reason="NOT-TODAY"))

    async with talking(no, era=era) as (client, heard):
        result = await client.call_tool("run_command", {"command": "make deploy"})

    assert (result.is_error, text(result), heard.calls) == (True, "NOT-TODAY", [])


@eras
async def test_changed_arguments_reach_the_server_and_context_joins_the_result(era):
    changed = c.PreToolUseOutput(
        modified_args={"command": "make test"}, additional_context="CONTEXT-MARK"
    )

    async with talking(ScriptedProvider("on_pre_tool_use", changed), era=era) as (client, heard):
        result = await client.call_tool("run_command", {"command": "make deploy"})

    assert heard.calls == ["make test"]
    assert text(result) == "ran make test\nCONTEXT-MARK"


@pytest.mark.req("SQ-7")
async def test_every_event_of_a_session_is_heard_in_order_under_our_names():
    recorder = Recorder()

    async with talking(recorder) as (client, _):
        await client.call_tool("add", {"a": 1, "b": 2})
        await client.call_tool("run_command", {"command": "ls"})
        await client.call_tool("broken", {})

    assert [(event.event_name, getattr(event, "tool_name", "")) for event in recorder.events] == [
        ("SessionStart", ""),
        ("PreToolUse", "mcp__demo__add"),
        ("PostToolUse", "mcp__demo__add"),
        ("PreToolUse", "Bash"),
        ("PostToolUse", "Bash"),
        ("PreToolUse", "mcp__demo__broken"),
        ("PostToolUseFailure", "mcp__demo__broken"),
        ("SessionEnd", ""),
    ]
    context = recorder.events[1].context
    assert (context.host, context.agent_name, context.cwd) == ("mcp-proxy", "mcp", "/project")
    assert recorder.of(c.PostToolUse)[0].tool_result["structuredContent"] == {"result": 3}
    assert "it is broken" in recorder.of(c.PostToolUseFailure)[0].error


@pytest.mark.parametrize(
    ("tool", "said", "read", "structured", "is_error"),
    [
        pytest.param(
            "page", c.PostToolUseOutput(modified_result="[gone]"), "[gone]", None, False, id="text"
        ),
        pytest.param(
            "run_command",
            c.PostToolUseOutput(modified_result="[gone]"),
            "[gone]",
            {"result": "[gone]"},
            False,
            id="text that is structured, too",
        ),
        pytest.param(
            "add",
            c.PostToolUseOutput(suppress_output=True),
            "(output withheld)",
            None,
            True,
            id="withheld, where text breaks the promised form",
        ),
        pytest.param(
            "page",
            c.PostToolUseOutput(decision=BLOCK, reason="TESTS-FAIL"),
            "SECRET\nTESTS-FAIL",
            None,
            False,
            id="feedback",
        ),
    ],
)
async def test_a_result_is_replaced_or_remarked_on_before_the_model_reads_it(
    tool, said, read, structured, is_error
):
    args = {
        "page": {"text": "SECRET"},
        "run_command": {"command": "SECRET"},
        "add": {"a": 1, "b": 2},
    }

    async with talking(ScriptedProvider("on_post_tool_use", said)) as (client, _):
        await client.list_tools()  # so that the client knows what was promised
        result = await client.call_tool(tool, args[tool])

    assert (text(result), result.structured_content, result.is_error) == (
        read,
        structured,
        is_error,
    )


async def test_advice_joins_a_failure():
    advice = c.PostToolUseFailureOutput(additional_context="TRY-AGAIN")

    async with talking(ScriptedProvider("on_post_tool_use_failure", advice)) as (client, _):
        result = await client.call_tool("broken", {})

    assert result.is_error
    assert text(result).endswith("TRY-AGAIN")


@eras
@pytest.mark.parametrize("action", ["accept", "decline", "cancel"])
async def test_a_person_is_asked_where_the_client_takes_questions(era, action):
    asked: list[str] = []

    async def elicit(_context: Any, params: Any) -> types.ElicitResult:
        asked.append(params.message)
        return types.ElicitResult(action=action, content={} if action == "accept" else None)

    sure = ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(decision=ASK, reason="SURE?"))

    async with talking(sure, era=era, elicitation_callback=elicit) as (client, heard):
        result = await client.call_tool("run_command", {"command": "make deploy"})

    assert asked == ['SURE?\n\nLet it run? run_command {"command":"make deploy"}']
    assert heard.calls == (["make deploy"] if action == "accept" else [])
    if action != "accept":
        assert text(result) == "run_command did not run: the user declined. SURE?"


@eras
async def test_where_nobody_can_be_asked_it_is_a_no_that_says_so(era):
    sure = ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(decision=ASK, reason="SURE?"))

    async with talking(sure, era=era) as (client, heard):
        result = await client.call_tool("run_command", {"command": "make deploy"})

    assert heard.calls == []
    assert (result.is_error, text(result)) == (
        True,
        "run_command did not run: no user is available to confirm. SURE?",
    )


async def test_an_answer_counts_for_the_call_it_was_asked_about_and_once():
    """Whoever comes back with other arguments, or twice, gets nothing through."""
    sure = ScriptedProvider(
        "on_pre_tool_use", *[c.PreToolUseOutput(decision=ASK, reason="SURE?")] * 2
    )

    async def elicit(_context: Any, _params: Any) -> types.ElicitResult:
        raise AssertionError("driven by hand here")

    async with talking(sure, era=ALONE, elicitation_callback=elicit) as (client, heard):
        call = client.session.call_tool
        first = await call("run_command", {"command": "make deploy"}, allow_input_required=True)
        yes: Any = {
            "request_state": first.request_state,
            "input_responses": {"snaphook": types.ElicitResult(action="accept", content={})},
            "allow_input_required": True,
        }
        await call("run_command", {"command": "rm -rf /"}, **yes)
        again = await call("run_command", {"command": "make deploy"}, **yes)

    assert heard.calls == ["make deploy"]
    assert isinstance(again, types.InputRequiredResult)


@pytest.mark.parametrize("hangs", [False, True], ids=["raises", "hangs"])
@pytest.mark.parametrize("stance", c.Stance)
async def test_a_provider_that_fails_is_held_to_its_stance(stance, hangs):
    async with talking(Breaks(stance, hangs=hangs)) as (client, heard):
        result = await client.call_tool("run_command", {"command": "ls"})

    assert heard.calls == (["ls"] if stance is c.Stance.OPEN else [])
    assert result.is_error is (stance is c.Stance.CLOSED)


async def test_an_engine_that_fails_closes(caplog):
    class Broken:
        async def dispatch(self, event: c.Event) -> None:
            raise RuntimeError("the engine is broken")

    app, heard = make()
    async with before(_in_process(app), Broken()) as client:
        result = await client.call_tool("run_command", {"command": "ls"})

    assert (result.is_error, heard.calls) == (True, [])
    assert text(result).startswith("hooks could not be asked (RuntimeError)")
    assert "the engine is broken" in caplog.text


@pytest.mark.filterwarnings("ignore:The sampling capability is deprecated")
async def test_all_else_passes_as_it_is():
    progress: list[Any] = []

    async def on_progress(done: float, total: float | None, message: str | None) -> None:
        progress.append((done, total, message))

    async def sample(_context: Any, params: Any) -> types.CreateMessageResult:
        told = params.messages[0].content.text
        reply = types.TextContent(text=f"thought about {told}")
        return types.CreateMessageResult(role="assistant", content=reply, model="m")

    async with talking(Recorder(), sampling_callback=sample) as (client, _):
        tools = {tool.name for tool in (await client.list_tools()).tools}
        resource = await client.read_resource("demo://greeting")
        prompt = await client.get_prompt("greet", {"name": "Ada"})
        busy = await client.call_tool("busy", {}, progress_callback=on_progress)
        thought = await client.call_tool("think", {})
        await client.send_ping()
        with pytest.raises(MCPError, match="demo://nowhere"):
            await client.read_resource("demo://nowhere")
        instructions = client.initialize_result.instructions

    assert tools == {"run_command", "add", "page", "broken", "meet", "slow", "busy", "think"}
    assert resource.contents[0].text == "hello from a resource"
    assert prompt.messages[0].content.text == "Greet Ada."
    assert progress == [(0.0, 3.0, "step 0"), (1.0, 3.0, "step 1"), (2.0, 3.0, "step 2")]
    assert (text(busy), text(thought)) == ("done", "thought about think!")
    assert instructions == "Be kind."


async def test_calls_do_not_wait_for_each_other():
    """Twenty calls meet inside the server; one that waits for a hook holds nobody up."""

    class Waits(c.HooksProvider):
        async def on_pre_tool_use(self, event: Any, context: Any) -> None:
            if event.tool_name == "mcp__demo__page":
                await done.wait()

    done = asyncio.Event()
    async with talking(Waits()) as (client, _):
        held = asyncio.create_task(client.call_tool("page", {"text": "late"}))
        met = await asyncio.gather(*(client.call_tool("meet", {"guests": 20}) for _ in range(20)))
        done.set()
        late = await held

    assert {text(one) for one in met} == {"met"}
    assert text(late) == "late"


async def test_what_hooks_say_of_one_call_stays_with_it():
    class Names(c.HooksProvider):
        async def on_pre_tool_use(self, event: Any, context: Any) -> c.PreToolUseOutput:
            await asyncio.sleep(0)
            return c.PreToolUseOutput(additional_context=f"about {event.tool_args['text']}")

    async with talking(Names()) as (client, _):
        told = await asyncio.gather(
            *(client.call_tool("page", {"text": f"{i}"}) for i in range(20))
        )

    assert [text(one) for one in told] == [f"{i}\nabout {i}" for i in range(20)]


async def test_a_cancelled_call_ends_at_the_server_and_is_told_as_a_failure():
    recorder = Recorder()

    async with talking(recorder) as (client, heard):
        call = asyncio.create_task(client.call_tool("slow", {}))
        await heard.slow_began.wait()
        call.cancel()
        await heard.slow_ended.wait()
        after = await client.call_tool("page", {"text": "still here"})

    assert text(after) == "still here"
    [failed] = recorder.of(c.PostToolUseFailure)
    assert (failed.tool_name, failed.error) == (
        "mcp__demo__slow",
        "the client cancelled the call",
    )


async def test_a_call_that_is_cancelled_while_hooks_think_never_reaches_the_server():
    thinks, gone = asyncio.Event(), asyncio.Event()

    class Thinks(c.HooksProvider):
        async def on_pre_tool_use(self, event: Any, context: Any) -> None:
            if event.tool_name == "Bash":
                thinks.set()
                try:
                    await asyncio.Event().wait()
                finally:
                    gone.set()

    async with talking(Thinks()) as (client, heard):
        call = asyncio.create_task(client.call_tool("run_command", {"command": "ls"}))
        await thinks.wait()
        call.cancel()
        await gone.wait()
        await client.call_tool("page", {"text": "still here"})

    assert heard.calls == []


async def test_a_question_ends_with_the_call_it_is_about():
    shown, closed = asyncio.Event(), asyncio.Event()

    async def elicit(_context: Any, _params: Any) -> types.ElicitResult:
        shown.set()
        try:
            await asyncio.Event().wait()
        finally:
            closed.set()
        raise AssertionError("never answered")

    sure = ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(decision=ASK, reason="SURE?"))

    async with talking(sure, elicitation_callback=elicit) as (client, heard):
        call = asyncio.create_task(client.call_tool("run_command", {"command": "ls"}))
        await shown.wait()
        call.cancel()
        await closed.wait()

    assert heard.calls == []


async def test_tools_are_what_the_user_says_they_are():
    recorder = Recorder()
    tools = given(["page=Bash,text=command", "run_command="], "demo")

    calls = McpCalls([recorder], name="demo", tools=tools)
    async with before(_in_process(make()[0]), calls) as client:
        await client.call_tool("page", {"text": "rm -rf ~"})
        await client.call_tool("run_command", {"command": "ls"})

    assert [(event.tool_name, event.tool_args) for event in recorder.of(c.PreToolUse)] == [
        ("Bash", {"command": "rm -rf ~"}),
        ("mcp__demo__run_command", {"command": "ls"}),
    ]


async def test_an_error_before_a_server_at_a_url_is_told_as_it_is():
    with pytest.raises(WireError, match="too much"):
        async with connected("http://127.0.0.1:9/mcp", {}):
            raise WireError(where="the MCP client", what="too much", fix="Less.")


@eras
async def test_a_server_at_a_url_is_no_different(era):
    no = ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(decision=DENY, reason="NOT-TODAY"))

    with on_a_port() as (url, keys):
        there = connected(url, {"Authorization": "Bearer t1"})
        async with before(there, [no], era) as client:
            refused = await client.call_tool("page", {"text": "one"})
            passed = await client.call_tool("page", {"text": "two"})
            resource = await client.read_resource("demo://greeting")

    assert [text(refused), text(passed)] == ["NOT-TODAY", "two"]
    assert resource.contents[0].text == "hello from a resource"
    assert keys.shown == {"Bearer t1"}
