"""The scripted model is driven by the vendors' own SDKs."""

import json
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest

from snaphook.testing import Asked, Line, ModelServer

anthropic = pytest.importorskip("anthropic")
openai = pytest.importorskip("openai")

SCRIPT = """
turn
  think Hm.
  say Let me look at the file, it will not take long.
  call Read {"file_path": "README.md"}
  call Glob {"pattern": "*.py"}
  usage 1200 80
"""
SAID = "Let me look at the file, it will not take long."
CALLS = [("Read", {"file_path": "README.md"}), ("Glob", {"pattern": "*.py"})]


@pytest.fixture
def serve() -> Iterator[Any]:
    servers: list[ModelServer] = []

    def start(script: str) -> ModelServer:
        servers.append(ModelServer(script))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


TOOL = {"type": "object", "properties": {}}


def ask_anthropic(server: ModelServer, *, stream: bool) -> tuple[str, list[Any], int]:
    with anthropic.Anthropic(base_url=server.url, api_key="k", max_retries=0) as client:
        tools = [{"name": "Read", "input_schema": TOOL}]
        asked = {
            "model": "claude-x",
            "max_tokens": 9,
            "system": "Be brief.",
            "messages": [{"role": "user", "content": "hello"}],
            "tools": tools,
        }
        if stream:
            with client.messages.stream(**asked) as events:
                message = events.get_final_message()
        else:
            message = client.messages.create(**asked)
    text = "".join(block.text for block in message.content if block.type == "text")
    calls = [(block.name, block.input) for block in message.content if block.type == "tool_use"]
    return text, calls, message.usage.output_tokens


def ask_openai_chat(server: ModelServer, *, stream: bool) -> tuple[str, list[Any], int]:
    client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0)
    system, user = (
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "hello"},
    )
    asked = {
        "model": "gpt-x",
        "messages": [system, user],
        "tools": [{"type": "function", "function": {"name": "Read", "parameters": TOOL}}],
    }
    with client:
        if stream:
            with client.chat.completions.stream(
                **asked, stream_options={"include_usage": True}
            ) as events:
                completion = events.get_final_completion()
        else:
            completion = client.chat.completions.create(**asked)
    message = completion.choices[0].message
    calls = [(c.function.name, json.loads(c.function.arguments)) for c in message.tool_calls]
    return message.content, calls, completion.usage.completion_tokens


def ask_openai_responses(server: ModelServer, *, stream: bool) -> tuple[str, list[Any], int]:
    client = openai.OpenAI(base_url=f"{server.url}/v1", api_key="k", max_retries=0)
    asked = {
        "model": "gpt-x",
        "instructions": "Be brief.",
        "input": "hello",
        "tools": [{"type": "function", "name": "Read", "parameters": TOOL, "strict": False}],
    }
    with client:
        if stream:
            with client.responses.stream(**asked) as events:
                response = events.get_final_response()
        else:
            response = client.responses.create(**asked)
    calls = [
        (item.name, json.loads(item.arguments))
        for item in response.output
        if item.type == "function_call"
    ]
    return response.output_text, calls, response.usage.output_tokens


def ask_gemini(server: ModelServer, *, stream: bool) -> tuple[str, list[Any], int]:
    verb = "streamGenerateContent?alt=sse" if stream else "generateContent"
    body = {
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "contents": [{"role": "user", "parts": [{"text": "hello"}]}],
        "tools": [{"functionDeclarations": [{"name": "Read"}]}],
    }
    url = f"{server.url}/v1beta/models/gemini-x:{verb}"
    request = urllib.request.Request(url, json.dumps(body).encode())
    with urllib.request.urlopen(request) as answer:
        raw = answer.read().decode()
    chunks = [json.loads(c.removeprefix("data: ")) for c in raw.split("\n\n") if c]
    parts = [p for c in chunks for p in c["candidates"][0]["content"]["parts"]]
    text = "".join(p["text"] for p in parts if "text" in p and not p.get("thought"))
    calls = [
        (p["functionCall"]["name"], p["functionCall"]["args"])
        for p in parts
        if len(p) and "functionCall" in p
    ]
    return text, calls, chunks[-1]["usageMetadata"]["candidatesTokenCount"]


ASKERS = [
    pytest.param(ask_anthropic, id="anthropic"),
    pytest.param(ask_openai_chat, id="openai chat"),
    pytest.param(ask_openai_responses, id="openai responses"),
    pytest.param(ask_gemini, id="gemini"),
]


@pytest.mark.parametrize("stream", [True, False], ids=["streamed", "whole"])
@pytest.mark.parametrize("ask", ASKERS)
def test_a_turn_is_the_same_on_every_wire(serve, ask, stream):
    server = serve(SCRIPT)

    assert ask(server, stream=stream) == (SAID, CALLS, 80)


@pytest.mark.parametrize("ask", ASKERS)
def test_what_the_model_was_told_is_recorded(serve, ask):
    server = serve(SCRIPT)

    ask(server, stream=True)

    (seen,) = server.asked
    assert (seen.system, seen.lines, seen.tools, seen.stream) == (
        "Be brief.",
        (Line(role="user", kind="text", text="hello"),),
        ("Read",),
        True,
    )
    assert seen.heard("hello")


@pytest.mark.parametrize("ask", ASKERS[:3])
@pytest.mark.parametrize("status", [429, 500, 529])
def test_a_scripted_failure_reaches_the_sdk_with_its_retry_after(serve, ask, status):
    server = serve(f"turn\n  fail {status} retry-after 0.25 not now")

    with pytest.raises((anthropic.APIStatusError, openai.APIStatusError)) as caught:
        ask(server, stream=True)

    response = caught.value.response
    assert (response.status_code, response.headers["retry-after"]) == (status, "0.25")
    assert "not now" in str(caught.value)


@pytest.mark.parametrize("fault", ["drop", "garble"])
@pytest.mark.parametrize("ask", ASKERS[:3])
def test_a_broken_stream_is_an_error_in_every_sdk(serve, ask, fault):
    server = serve(f"turn\n  say Half a sent\n  {fault}")

    with pytest.raises(Exception, match=r"(?i)connect|reset|closed|JSON|Expecting|value"):
        ask(server, stream=True)


def test_a_slow_answer_arrives_whole(serve):
    server = serve("turn\n  say one, \n  wait 0.05\n  say two\n  call Read {}")

    assert ask_anthropic(server, stream=True)[0] == "one,two"


def messages(*given: Any) -> dict[str, Any]:
    return {"model": "m", "max_tokens": 1, "messages": list(given)}


USER = {"role": "user", "content": "hi"}
USE = {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "R", "input": {}}]}
RESULT = {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "x"}]}
CALL = {
    "role": "assistant",
    "tool_calls": [{"id": "a", "function": {"name": "R", "arguments": ""}}],
}
TOLD = {"role": "tool", "tool_call_id": "a", "content": "x"}


@pytest.mark.parametrize(
    ("path", "body", "valid"),
    [
        pytest.param("/v1/messages", messages(USER), True, id="a prompt"),
        pytest.param("/v1/messages", messages(USER, USE, RESULT), True, id="a paired call"),
        pytest.param("/v1/messages", messages(), False, id="nothing"),
        pytest.param("/v1/messages", messages(USE, RESULT), False, id="assistant first"),
        pytest.param("/v1/messages", messages(USER, USE), False, id="call without result"),
        pytest.param("/v1/messages", messages(USER, RESULT), False, id="result without call"),
        pytest.param("/v1/messages", messages(USER, USE, USER), False, id="answered by a prompt"),
        pytest.param(
            "/v1/messages", messages({"role": "user", "content": " "}), False, id="blank text"
        ),
        pytest.param("/v1/chat/completions", messages(USER, CALL, TOLD), True, id="chat: paired"),
        pytest.param("/v1/chat/completions", messages(USER, CALL), False, id="chat: unanswered"),
        pytest.param("/v1/chat/completions", messages(USER, TOLD), False, id="chat: no call"),
        pytest.param(
            "/v1/chat/completions", messages({"role": "assistant"}), False, id="chat: silence"
        ),
        pytest.param(
            "/v1/responses",
            {"input": [{"type": "function_call_output", "call_id": "a", "output": "x"}]},
            False,
            id="responses: no call",
        ),
    ],
)
def test_what_the_real_api_would_refuse_is_refused(serve, path, body, valid):
    server = serve("turn\n  say fine")
    request = urllib.request.Request(server.url + path, json.dumps(body).encode())

    if valid:
        assert urllib.request.urlopen(request).status == 200
        assert server.refused == []
    else:
        with pytest.raises(urllib.error.HTTPError, match="400"):
            urllib.request.urlopen(request)
        assert server.refused
        assert server.asked == []


def test_a_tool_of_a_namespace_is_called_in_it(serve):
    server = serve('turn\n  call mcp__demo__add {"a": 1}')
    asked = {"input": "go", "tools": [{"type": "namespace", "name": "mcp__demo", "tools": []}]}

    body = json.dumps(asked).encode()
    reply = json.load(urllib.request.urlopen(f"{server.url}/v1/responses", body))

    [called] = reply["output"]
    assert (called["namespace"], called["name"]) == ("mcp__demo", "add")


def test_a_closed_server_no_longer_listens(serve):
    server = serve("turn\n  say hi")
    server.close()

    with pytest.raises(urllib.error.URLError):
        urllib.request.urlopen(server.url, timeout=1)


def test_a_function_can_be_the_script():
    def echo(asked: Asked) -> Any:
        from snaphook.testing import say

        return say(asked.news.upper())

    with ModelServer(echo) as server:
        body = json.dumps(messages(USER)).encode()
        answer = urllib.request.urlopen(urllib.request.Request(f"{server.url}/v1/messages", body))

    assert json.loads(answer.read())["content"] == [{"type": "text", "text": "HI"}]
