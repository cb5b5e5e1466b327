"""bridges/mcp: what a proxy makes of lines, whoever writes them."""

import asyncio
import json
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snaphook import canon as c
from snaphook.bridges.mcp import ends
from snaphook.bridges.mcp.call import McpCalls
from snaphook.bridges.mcp.ends import LineSplitter, line
from snaphook.bridges.mcp.oversized import OversizedMessage
from snaphook.bridges.mcp.proxy import Proxy
from snaphook.bridges.mcp.result import replaced, trouble
from snaphook.testing import Recorder, ScriptedProvider

DENY = c.Verdict.DENY


class Scripted:
    """An end of the proxy, spoken for by the test."""

    def __init__(self) -> None:
        self._says: asyncio.Queue[bytes | OversizedMessage] = asyncio.Queue()
        self._hears: asyncio.Queue[bytes] = asyncio.Queue()

    def say(self, said: Any) -> None:
        ready = isinstance(said, bytes | OversizedMessage)
        self._says.put_nowait(said if ready else json.dumps(said).encode())

    def leave(self) -> None:
        self._says.put_nowait(b"")

    async def hears(self) -> Any:
        return json.loads(await asyncio.wait_for(self._hears.get(), 10))

    @property
    def silent(self) -> bool:
        return self._hears.empty()

    async def messages(self) -> AsyncIterator[bytes | OversizedMessage]:
        while message := await self._says.get():
            yield message

    async def send(self, message: bytes) -> None:
        self._hears.put_nowait(message)


@asynccontextmanager
async def between(*providers: Any) -> AsyncIterator[tuple[Scripted, Scripted]]:
    client, server = Scripted(), Scripted()
    work = asyncio.create_task(Proxy(client, server, McpCalls(list(providers), name="s")).run())
    yield client, server
    server.leave()
    client.leave()
    await work


def call(id_: Any = 1, **params: Any) -> dict[str, Any]:
    told = {"name": "work", "arguments": {}} | params
    return {"jsonrpc": "2.0", "id": id_, "method": "tools/call", "params": told}


async def asked(client: Scripted, server: Scripted, id_: Any, method: str = "tools/list") -> None:
    """Have the client ask the server something that no hook is asked about."""
    client.say({"jsonrpc": "2.0", "id": id_, "method": method})
    assert (await server.hears())["id"] == id_


RESULT = {"content": [{"type": "text", "text": "done"}]}


@pytest.mark.parametrize(
    "said",
    [
        {"jsonrpc": "2.0", "id": "a", "method": "no/such", "params": {"x": [1, None, "é"]}},
        {"jsonrpc": "2.0", "method": "notifications/roots/list_changed"},
        {"jsonrpc": "2.0", "id": 7, "result": {"roots": []}},
        {"jsonrpc": "2.0", "id": 7, "error": {"code": -1, "message": "no", "data": {"x": 1}}},
        {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
    ],
)
async def test_what_is_no_call_passes_both_ways(said):
    async with between() as (client, server):
        client.say(said)
        assert await server.hears() == said
        if "method" not in said:  # an answer goes to whoever asked
            await asked(client, server, said["id"])
        server.say(said)
        assert await client.hears() == said


async def test_numbers_and_spelling_pass_as_they_came():
    params = b'{"big":123456789012345678901234567890,"f":1.0e5,"s":"\\u00e9"}'
    wire = b'{"jsonrpc":"2.0","method":"x","params":' + params + b"}"

    async with between() as (client, server):
        client.say(wire)
        assert await asyncio.wait_for(server._hears.get(), 10) == wire
        server.say(wire)
        assert await asyncio.wait_for(client._hears.get(), 10) == wire


async def test_a_list_of_tools_that_we_cannot_read_passes_all_the_same():
    odd = b'{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"x","outputSchema":1e400}]}}'

    async with between() as (client, server):
        await asked(client, server, 1)
        server.say(odd)
        assert await asyncio.wait_for(client._hears.get(), 10) == odd


@pytest.mark.parametrize(
    "said",
    [
        b"no json",
        b"[]",
        b'[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"work"}}]',
        b"{}",
        b'{"jsonrpc":"2.0","id":1,"METHOD":"tools/call","params":{"name":"work"}}',
        b'{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":{"name":"work"}}',
        b"[" * 5000,
    ],
    ids=["garbage", "empty batch", "batch", "nothing", "other case", "odd id", "deep"],
)
async def test_what_cannot_be_read_goes_no_further_and_its_sender_hears(said):
    async with between(Recorder()) as (client, server):
        client.say(said)
        heard = await client.hears()

    assert (heard["id"], heard["error"]["code"]) == (None, -32700)
    assert server.silent


@pytest.mark.parametrize(
    "params",
    [{"name": 1}, {"name": "x", "arguments": []}, {"name": "x", "arguments": "rm"}],
)
async def test_a_call_that_is_none_goes_no_further(params):
    async with between() as (client, server):
        client.say(call(**params))
        heard = await client.hears()

    assert (heard["id"], heard["error"]["code"], server.silent) == (1, -32602, True)


async def test_a_call_nobody_could_hear_of_goes_no_further():
    async with between() as (client, server):
        client.say({"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "work"}})
        client.say({"jsonrpc": "2.0", "id": None, "method": "tools/call", "params": {"name": "x"}})
        client.say({"jsonrpc": "2.0", "id": 2, "method": "ping"})
        heard = await server.hears()

    assert (heard["method"], server.silent) == ("ping", True)


async def test_what_was_judged_is_what_is_sent():
    """A second reading of the same line, by a server that takes the first of two keys, is no way round."""
    recorder = Recorder()
    twice = b'{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","Method":"other",'
    twice += b'"params":{"name":"evil","name":"good","arguments":{"a":1,"a":2}}}'

    async with between(recorder) as (client, server):
        client.say(twice)
        heard = await asyncio.wait_for(server._hears.get(), 10)

    [seen] = recorder.of(c.PreToolUse)
    assert (seen.tool_name, seen.tool_args) == ("mcp__s__good", {"a": 2})
    assert heard == (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        b'"params":{"name":"good","arguments":{"a":2}}}'
    )


_WORDS = st.sampled_from(
    ["tools/call", "ping", "", "initialize", "notifications/cancelled", "work"]
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.floats() | _WORDS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "arguments", "requestId", "_meta", "task", "requestState"]),
            inner,
        )
    ),
    max_leaves=6,
)
_KEYS = st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error", "METHOD"])
_ODD = st.builds(lambda value: json.dumps(value).encode(), st.dictionaries(_KEYS, _VALUES))
_CALLS = st.builds(
    lambda id_, args: json.dumps(call(id_, arguments=args)).encode(),
    st.integers(0, 9) | _VALUES,
    st.just({}) | _VALUES,
)


@given(said=st.lists(_ODD | _CALLS | st.binary(min_size=1, max_size=30), max_size=8))
def test_no_call_reaches_a_server_that_the_hooks_have_not_seen(said):
    recorder, heard = Recorder(), list[Any]()

    async def scene() -> None:
        async with between(recorder) as (client, server):
            for one in said:
                client.say(one)
            client.say({"jsonrpc": "2.0", "id": "last", "method": "ping"})
            while not heard or heard[-1].get("id") != "last":
                heard.append(await server.hears())
            for _ in range(50):
                await asyncio.sleep(0)  # the calls go their way
        while not server.silent:
            heard.append(await server.hears())

    asyncio.run(scene())

    seen = Counter(event.tool_use_id for event in recorder.of(c.PreToolUse))
    ran = Counter(str(one["id"]) for one in heard if one.get("method") == "tools/call")
    assert ran <= seen


def test_a_message_is_one_line_to_whoever_reads_it():
    assert (
        line(b'{"params":\r{"method":"tools/call"}\n}') == b'{"params": {"method":"tools/call"} }\n'
    )


async def test_an_id_in_use_is_not_used_again():
    async with between() as (client, server):
        client.say(call(1))
        await server.hears()
        client.say(call(1, name="other"))
        heard = await client.hears()
        server.say({"jsonrpc": "2.0", "id": 1, "result": RESULT})
        done = await client.hears()

    assert heard["error"]["code"] == -32600
    assert done["result"] == RESULT


async def test_ids_that_look_alike_are_two():
    async with between() as (client, server):
        client.say(call(1, name="number"))
        client.say(call("1", name="text"))
        asked = [await server.hears(), await server.hears()]
        for one in asked:
            server.say(
                {"jsonrpc": "2.0", "id": one["id"], "result": RESULT | {"n": one["params"]["name"]}}
            )
        heard = [await client.hears(), await client.hears()]

    assert {(type(one["id"]), one["result"]["n"]) for one in heard} == {
        (int, "number"),
        (str, "text"),
    }


async def test_a_result_nobody_wants_any_more_is_not_passed_on_unseen():
    async with between(Recorder()) as (client, server):
        client.say(call(1))
        await server.hears()
        client.say(
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
        )
        assert (await server.hears())["method"] == "notifications/cancelled"
        server.say({"jsonrpc": "2.0", "id": 1, "result": RESULT})
        server.say({"jsonrpc": "2.0", "method": "notifications/message", "params": {}})
        heard = await client.hears()

    assert heard["method"] == "notifications/message"


async def test_an_error_of_the_server_is_told_and_passed_on_with_advice():
    advice = ScriptedProvider(
        "on_post_tool_use_failure", c.PostToolUseFailureOutput(additional_context="ADVICE")
    )
    wrong = {"code": -32602, "message": "no such tool", "data": 7}
    async with between(advice) as (client, server):
        client.say(call(1))
        await server.hears()
        server.say({"jsonrpc": "2.0", "id": 1, "error": wrong})
        heard = await client.hears()

    assert heard["error"] == {"code": -32602, "message": "no such tool\n\nADVICE", "data": 7}
    assert advice.events[0].error == "no such tool"


async def test_a_command_in_words_is_judged_as_text_and_changed_in_words():
    words = {"argv": ["ls", "a b"], "mode": "exec"}
    other = ScriptedProvider(
        "on_pre_tool_use",
        None,
        c.PreToolUseOutput(modified_args={"command": "ls -l 'a b'", "mode": "exec"}),
    )
    async with between(other) as (client, server):
        client.say(call(1, name="run_process", arguments=words))
        kept = await server.hears()
        client.say(call(2, name="run_process", arguments=words))
        changed = await server.hears()

    assert other.events[0].tool_args == {"command": "ls 'a b'", "mode": "exec"}
    assert kept["params"]["arguments"] == words
    assert changed["params"]["arguments"] == {"argv": ["ls", "-l", "a b"], "mode": "exec"}


async def test_a_command_is_judged_where_it_is_to_run():
    recorder = Recorder()
    async with between(recorder) as (client, server):
        client.say(call(1, name="shell", arguments={"command": "ls", "workdir": "/elsewhere"}))
        await server.hears()

    assert recorder.of(c.PreToolUse)[0].context.cwd == "/elsewhere"


async def test_a_result_that_claims_to_be_none_yet_is_seen_all_the_same():
    gone = ScriptedProvider("on_post_tool_use", c.PostToolUseOutput(modified_result="gone"))
    async with between(gone) as (client, server):
        client.say(call(1))
        await server.hears()
        server.say({"jsonrpc": "2.0", "id": 1, "result": RESULT | {"task": {"taskId": "t"}}})
        heard = await client.hears()

    assert heard["result"] == {"content": [{"type": "text", "text": "gone"}]}


async def test_a_server_that_asks_back_is_passed_on_and_the_retry_is_judged_anew():
    recorder = Recorder()
    waits = {"resultType": "input_required", "inputRequests": {}, "requestState": "theirs"}
    async with between(recorder) as (client, server):
        client.say(call(1))
        await server.hears()
        server.say({"jsonrpc": "2.0", "id": 1, "result": waits})
        assert (await client.hears())["result"] == waits
        client.say(call(2, requestState="theirs", inputResponses={}))
        again = await server.hears()
        server.say({"jsonrpc": "2.0", "id": 2, "result": RESULT})
        await client.hears()

    assert again["params"]["requestState"] == "theirs"
    assert recorder.names[1:-1] == ["PreToolUse", "PreToolUse", "PostToolUse"]


async def test_a_server_that_ends_leaves_nobody_waiting():
    recorder = Recorder()
    async with between(recorder) as (client, server):
        client.say(call(1))
        await server.hears()
        server.leave()
        heard = await client.hears()

    assert heard["error"]["message"] == "the MCP server has ended"
    assert recorder.names == ["SessionStart", "PreToolUse", "PostToolUseFailure", "SessionEnd"]


async def test_what_a_server_prints_by_mistake_is_left_out(caplog):
    async with between() as (client, server):
        server.say(b"npm notice: a new version")
        server.say({"jsonrpc": "2.0", "method": "notifications/message"})
        heard = await client.hears()

    assert heard["method"] == "notifications/message"
    assert "npm notice" in caplog.text


async def test_a_client_that_leaves_waits_for_its_last_answers():
    async with between() as (client, server):
        client.say(call(1))
        await server.hears()
        client.leave()
        server.say({"jsonrpc": "2.0", "id": 1, "result": RESULT})
        heard = await client.hears()

    assert heard["result"] == RESULT


def test_of_a_message_that_is_too_long_only_the_ends_are_held(monkeypatch):
    monkeypatch.setattr(ends, "LONGEST", 1 << 16)
    lines = LineSplitter()

    assert lines.take(b'{"a"') == []
    assert lines.take(b": 1}\r\n\n{}\n{") == [b'{"a": 1}', b"{}"]
    for _ in range(100):
        assert lines.take(b"x" * 10_000) == []
        assert len(lines._rest) < 80_000
    assert lines.take(b"}\n{}\n") == [OversizedMessage(id=None, bytes=1_000_002), b"{}"]


BIG = b'{"content":[{"type":"text","text":"' + b"x" * 100_000 + b'"}]}'


@pytest.mark.parametrize(
    ("said", "id_"),
    [
        (b'{"jsonrpc":"2.0","id":7,"result":%b}', 7),
        (b'{"id": "seven", "jsonrpc": "2.0", "result": %b}', "seven"),
        (b'{"result":%b,"id":7,"jsonrpc":"2.0"}', 7),
        (b'{"jsonrpc":"2.0","result":%b,"id":7}', 7),
        (b'{"jsonrpc":"2.0","method":"tools/call","id":7,"params":%b}', 7),
        (b'{"params":%b,"method":"tools/call","id":7,"jsonrpc":"2.0"}', 7),
        (b'{"result":{"a":%b,"id":9}}', None),
        (b'{"result":{"id":9,"a":%b}}', None),
        (b'["id",%b]', None),
    ],
)
def test_the_id_of_a_message_that_is_too_long_is_found_at_its_ends(said, id_, monkeypatch):
    monkeypatch.setattr(ends, "LONGEST", 1 << 16)

    [found] = LineSplitter().take(said % BIG + b"\n")

    assert found == OversizedMessage(id=id_, bytes=len(said % BIG))


async def test_an_answer_that_is_too_long_ends_its_call_and_nothing_else():
    async with between(Recorder()) as (client, server):
        for number in (1, 2, 3):
            client.say(call(number))
            await server.hears()
        await asked(client, server, 4)
        server.say(OversizedMessage(id=2, bytes=70 << 20))
        second = await client.hears()
        server.say(OversizedMessage(id=4, bytes=70 << 20))
        fourth = await client.hears()
        server.say(OversizedMessage(id=99, bytes=70 << 20))
        server.say(
            OversizedMessage(id=None, bytes=70 << 20)
        )  # of two that wait, nobody knows whose
        server.say({"jsonrpc": "2.0", "id": 3, "result": RESULT})
        third = await client.hears()
        server.say(OversizedMessage(id=None, bytes=70 << 20))
        first = await client.hears()
        client.say(OversizedMessage(id=5, bytes=70 << 20))
        fifth = await client.hears()

    assert [one["id"] for one in (first, second, third, fourth, fifth)] == [1, 2, 3, 4, 5]
    assert "a message of 70 MB was not passed on" in second["error"]["message"]
    assert third["result"] == RESULT


async def test_a_second_answer_and_an_early_one_reach_nobody():
    """A server answers before the hooks have let its call through, then twice: they see one answer."""
    gone = ScriptedProvider("on_post_tool_use", c.PostToolUseOutput(modified_result="gone"))
    secret = {"content": [{"type": "text", "text": "SECRET"}]}
    async with between(gone) as (client, server):
        server.say({"jsonrpc": "2.0", "id": 1, "result": secret})
        client.say(call(1))
        await server.hears()
        server.say({"jsonrpc": "2.0", "id": "1", "result": secret})
        server.say({"jsonrpc": "2.0", "id": 1, "result": secret})
        server.say({"jsonrpc": "2.0", "id": 1, "result": secret})
        server.say({"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "SECRET"}})
        server.say({"jsonrpc": "2.0", "id": 1, "method": "ping", "result": secret})
        server.say({"jsonrpc": "2.0", "method": "notifications/message"})
        heard = [await client.hears(), await client.hears()]

    assert "SECRET" not in str(heard)
    assert {one.get("id") for one in heard} == {1, None}
    assert client.silent


@pytest.mark.parametrize(
    "result",
    [
        b'{"content":[{"type":"text","text":"SECRET","text":"clean"}]}',
        b'{"content":[{"type":"text","text":"SECRET"}],"content":[{"type":"text","text":"clean"}]}',
        b'{"content":[],"_meta":{"a":{"b":"SECRET","b":1}}}',
    ],
)
async def test_what_a_name_held_first_reaches_no_client(result):
    recorder = Recorder()
    async with between(recorder) as (client, server):
        client.say(call(1))
        await server.hears()
        server.say(
            b'{"jsonrpc":"2.0","id":1,"result":"SECRET","result":%b,"Result":"SECRET"}' % result
        )
        heard = await asyncio.wait_for(client._hears.get(), 10)

    assert b"SECRET" not in heard
    assert len(recorder.of(c.PostToolUse)) == 1


async def test_big_numbers_pass_where_nothing_comes_twice():
    result = b'{"content":[],"n":1.50,"big":123456789012345678901234567890}'
    async with between(Recorder()) as (client, server):
        client.say(call(1))
        await server.hears()
        server.say(b'{"jsonrpc":"2.0","id":1,"result":%b}' % result)
        heard = await asyncio.wait_for(client._hears.get(), 10)

    assert result in heard


@pytest.mark.parametrize(
    ("result", "wanted", "made"),
    [
        (RESULT, {"content": [], "x": 1}, {"content": [], "x": 1}),
        (RESULT, [{"type": "text", "text": "a"}], {"content": [{"type": "text", "text": "a"}]}),
        (RESULT, {"a": 1}, {"content": [{"type": "text", "text": '{"a":1}'}]}),
        (
            RESULT | {"_meta": {"k": 1}, "structuredContent": {"secret": 1}},
            "gone",
            {"_meta": {"k": 1}, "content": [{"type": "text", "text": "gone"}], "isError": True},
        ),
    ],
)
def test_nothing_of_the_old_result_is_left_in_the_new_one(result, wanted, made):
    assert replaced(result, wanted) == made


@pytest.mark.parametrize(
    ("structured", "schema", "left"),
    [
        pytest.param(None, None, {}, id="text alone"),
        pytest.param(
            {"result": "done"},
            {"additionalProperties": False},
            {"structuredContent": {"result": "done\n\nNOTE"}},
            id="text, wrapped",
        ),
        pytest.param(
            {"n": 1}, {}, {"structuredContent": {"n": 1, "snaphook": "NOTE"}}, id="room for more"
        ),
        pytest.param({"n": 1}, {"additionalProperties": False}, {"isError": True}, id="no room"),
        pytest.param([1], None, {"isError": True}, id="a list"),
    ],
)
async def test_a_note_reaches_models_that_are_shown_the_structure_alone(structured, schema, left):
    note = ScriptedProvider("on_post_tool_use", c.PostToolUseOutput(additional_context="NOTE"))
    tools = [{"name": "work", "outputSchema": schema}]
    result = RESULT | ({"structuredContent": structured} if structured else {})
    async with between(note) as (client, server):
        await asked(client, server, 0)
        server.say({"jsonrpc": "2.0", "id": 0, "result": {"tools": tools}})
        await client.hears()
        client.say(call(1))
        await server.hears()
        server.say({"jsonrpc": "2.0", "id": 1, "result": result})
        heard = await client.hears()

    said = [*RESULT["content"], {"type": "text", "text": "NOTE"}]
    assert heard["result"] == {"content": said} | left


def test_a_failure_without_words_is_told_all_the_same():
    assert trouble({"isError": True, "content": "odd"}) == (
        "the tool says that it failed, and not why"
    )
