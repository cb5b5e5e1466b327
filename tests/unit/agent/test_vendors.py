"""The vendors' own SDKs, driven for real against the scripted server."""

import asyncio

import pytest

from snaphook.agent import Agent, AgentOptions, Mode, Permissions, TurnStatus
from snaphook.agent.model import (
    ApiMessage,
    Finish,
    ModelError,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    TextPart,
    ToolCall,
    ToolSpec,
    Usage,
)
from snaphook.agent.vendors import VendorModels, open_model
from snaphook.errors import UsageError
from snaphook.testing import ModelServer

pytest.importorskip("pydantic_ai")

MODELS = ["anthropic:claude-x", "openai:gpt-x", "openai-responses:gpt-x"]


@pytest.fixture
async def models():
    opened = VendorModels()
    yield opened
    await opened.close()


@pytest.fixture
def serve(monkeypatch):
    servers: list[ModelServer] = []

    def start(script: str) -> ModelServer:
        server = ModelServer(script)
        servers.append(server)
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        return server

    yield start
    for server in servers:
        server.close()


def request(model: str) -> ModelRequest:
    tool = ToolSpec(name="Read", description="reads", schema={"type": "object", "properties": {}})
    return ModelRequest(
        model=model,
        system="Be brief.",
        messages=(ApiMessage("user", (TextPart("hello"),)),),
        tools=(tool,),
    )


@pytest.mark.parametrize("name", MODELS)
async def test_an_answer_streams_through_the_real_sdk(serve, models, name):
    server = serve(
        'turn\n  say Let me look at the file first.\n  call Read {"file_path": "a"}\n'
        '  call Read {"file_path": "b"}\n  usage 1200 80'
    )

    chunks = [chunk async for chunk in models.stream(request(name))]

    texts = [chunk.text for chunk in chunks if isinstance(chunk, TextDelta)]
    assert len(texts) > 1, "it came in pieces"
    assert "".join(texts) == "Let me look at the file first."
    assert [chunk for chunk in chunks if isinstance(chunk, ToolCall)] == [
        ToolCall(id="call_0001", name="Read", parameters={"file_path": "a"}),
        ToolCall(id="call_0002", name="Read", parameters={"file_path": "b"}),
    ]
    assert chunks[-1] == Finish(
        usage=Usage(input_tokens=1200, output_tokens=80), model=name.partition(":")[2]
    )
    assert server.asked[0].heard("Be brief.")
    assert server.asked[0].tools == ("Read",)


async def test_signed_thoughts_are_kept_and_given_back(serve, models):
    server = serve("turn\n  think Hm, hm.\n  say Yes.")

    chunks = [chunk async for chunk in models.stream(request("anthropic:claude-x"))]

    thoughts = [chunk for chunk in chunks if isinstance(chunk, ReasoningDelta)]
    assert thoughts == [ReasoningDelta("Hm, hm."), ReasoningDelta("", "scripted", "anthropic")]
    assert server.refused == []


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("script", "error_class", "retry_after_ms"),
    [
        pytest.param("fail 429 retry-after 0.25 slow down", "rate_limit", 250, id="429"),
        pytest.param("fail 500 oops", "server", None, id="500"),
        pytest.param("fail 529 busy", "overloaded", None, id="529"),
        pytest.param("fail 401 who are you", "auth", None, id="401"),
        pytest.param("fail 404 no such model", "model_not_found", None, id="404"),
        pytest.param(
            "fail 400 prompt is too long: 300000", "context_overflow", None, id="overflow"
        ),
        pytest.param("fail 400 strange", "invalid_request", None, id="400"),
        pytest.param("say Half a\n  drop", "network", None, id="dropped connection"),
        pytest.param("say Half a\n  garble", "malformed", None, id="malformed chunk"),
    ],
)
async def test_a_failure_is_told_with_what_a_recovery_needs(
    serve, models, name, script, error_class, retry_after_ms
):
    server = serve(f"turn\n  {script}\nturn\n  say Never reached: the SDK does not retry.")

    with pytest.raises(ModelError) as caught:
        async for _ in models.stream(request(name)):
            pass

    assert (caught.value.error_class, caught.value.retry_after_ms) == (error_class, retry_after_ms)
    assert len(server.asked) == 1


async def test_cancelling_ends_the_request(serve, models):
    serve("turn\n  say Slow\n  wait 30")

    async def read() -> None:
        async for _ in models.stream(request("anthropic:claude-x")):
            pass

    reading = asyncio.create_task(read())
    await asyncio.sleep(0.5)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading


@pytest.mark.parametrize("name", MODELS)
async def test_a_whole_session_over_the_real_wire(serve, tmp_path, name):
    server = serve(
        """
        turn
          say Looking.
          call Write {"file_path": "a", "content": "x"}
          call Read {"file_path": "missing"}
        turn
          fail 529 retry-after 0.01 busy
        turn
          say Done.
        """
    )
    agent = Agent(
        options=AgentOptions(model=name, cwd=str(tmp_path)),
        permissions=Permissions(mode=Mode.ALLOW_ALL),
    )

    async with agent:
        result = await agent.send_message("go")

    assert (result.status, result.text, result.estimated) == (TurnStatus.DONE, "Done.", True)
    assert server.refused == []
    assert server.asked[2].heard("No such file or directory")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("gpt-5", "model 'gpt-5': names no vendor.", id="no vendor"),
        pytest.param("openai:", "model 'openai:': names no vendor.", id="no model"),
        pytest.param(
            "openai:gpt-5", "model 'openai:gpt-5': OPENAI_API_KEY is not set.", id="no key"
        ),
        pytest.param("nobody:x", "model 'nobody:x': Unknown model: nobody:x.", id="no such vendor"),
    ],
)
def test_a_model_that_cannot_be_opened_is_told_in_one_line(monkeypatch, name, said):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    with pytest.raises(UsageError) as caught:
        open_model(name)

    assert str(caught.value).startswith(said)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", MODELS)
async def test_each_signed_thought_goes_back_whole_to_the_vendor_that_signed_it(
    serve, tmp_path, name
):
    server = serve(
        """
        turn
          think First thought.
          say Hm.
          think Second thought.
          call Glob {"pattern": "*"}
        turn
          say Done.
        """
    )
    agent = Agent(options=AgentOptions(model=name, cwd=str(tmp_path)))

    async with agent:
        await agent.send_message("go")

    given_back = [line.text for line in server.asked[1].lines if line.kind == "reasoning"]
    signed = ["First thought.", "Second thought."] if name.startswith("anthropic") else []
    assert given_back == signed
    assert server.refused == []
