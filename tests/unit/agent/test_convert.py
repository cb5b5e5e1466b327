"""Whatever a conversation holds, a model is told something valid."""

import string

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

from snaphook.agent import (
    CompactBlock,
    ErrorBlock,
    ImageBlock,
    Message,
    ReasoningBlock,
    Role,
    Stage,
    TextBlock,
    ToolBlock,
    convert,
)
from snaphook.agent.model import (
    ApiMessage,
    CallPart,
    ImagePart,
    ModelRequest,
    ReasoningPart,
    ResultPart,
    TextPart,
)
from snaphook.agent.vendors import VendorModels
from snaphook.testing import ModelServer, say

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
SECRET = "for the person's eyes only"

texts = st.one_of(st.just(""), st.just(" \n"), st.text(max_size=12), st.just("words"))
ids = st.one_of(st.just(""), st.just("a"), st.just("b.c|d"), st.text(max_size=5))
tools = st.builds(
    ToolBlock,
    id=ids,
    name=st.one_of(st.just("Read"), st.just("mcp__x y"), st.text(max_size=4)),
    parameters=st.dictionaries(
        st.text(string.ascii_letters, max_size=3), st.integers(), max_size=2
    ),
    result=texts,
    success=st.booleans(),
    stage=st.sampled_from(Stage),
)
blocks = st.one_of(
    st.builds(TextBlock, content=texts),
    tools,
    st.just(ErrorBlock(content=SECRET)),
    st.builds(ReasoningBlock, content=texts, signature=st.sampled_from(["", "s"]), source=texts),
    st.builds(CompactBlock, content=texts, preserved=st.lists(texts, max_size=2).map(tuple)),
    st.just(ImageBlock(media_type="image/png", data=PIXEL)),
)
conversations = st.lists(
    st.builds(
        Message,
        id=st.just("m"),
        role=st.sampled_from(Role),
        blocks=st.lists(blocks, max_size=4).map(tuple),
    ),
    max_size=8,
)


@pytest.mark.req("WX-20")
@settings(max_examples=thorough(400, 100), deadline=None)
@given(conversations)
def test_what_a_model_is_told_is_valid_on_every_wire(messages):
    told = convert(messages)

    assert [m.role for m in told] == ["user", "assistant"] * (len(told) // 2) + ["user"] * (
        len(told) % 2
    )
    assert not told or told[-1].role == "user"
    for before, message in zip((None, *told), told, strict=False):
        assert message.parts
        assert all(p.text.strip() for p in message.parts if isinstance(p, TextPart | ResultPart))
        calls = [p.id for p in before.parts if isinstance(p, CallPart)] if before else []
        results = [p.id for p in message.parts if isinstance(p, ResultPart)]
        assert calls == results if message.role == "user" else not results
        if results:
            assert all(isinstance(p, ResultPart) for p in message.parts[: len(results)])
    every = [p.id for m in told for p in m.parts if isinstance(p, CallPart)]
    assert len(set(every)) == len(every)
    assert SECRET not in repr(told)


@pytest.fixture(scope="module")
def model():
    with ModelServer(lambda _: say("fine")) as server, pytest.MonkeyPatch.context() as patch:
        for name, value in server.environment().items():
            patch.setenv(name, value)
        yield server


@pytest.mark.parametrize("name", ["anthropic:claude-x", "openai:gpt-x", "openai-responses:gpt-x"])
async def test_no_conversation_is_refused_by_a_real_wire(model, name):
    """The vendors' SDKs send it, and the server holds it against the API's own rules."""
    seen: list[list[Message]] = []

    @settings(
        max_examples=thorough(25, 8),
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(conversations.filter(convert))
    def collect(messages: list[Message]) -> None:
        seen.append(messages)

    collect()
    models = VendorModels()
    for messages in seen:
        request = ModelRequest(model=name, system="s", messages=convert(messages))
        async for _ in models.stream(request):
            pass
    await models.close()

    assert model.refused == []
    assert not any(asked.heard(SECRET) for asked in model.asked)


def message(role: Role, *blocks) -> Message:
    return Message(id="m", role=role, blocks=blocks)


def tool(**given) -> ToolBlock:
    return ToolBlock(id="a", name="Read", stage=Stage.END, success=True, result="x", **given)


USER, ASSISTANT = Role.USER, Role.ASSISTANT
HI = TextBlock(content="hi")


@pytest.mark.parametrize(
    ("messages", "told"),
    [
        pytest.param([message(USER, HI)], [ApiMessage("user", (TextPart("hi"),))], id="a prompt"),
        pytest.param([], [], id="nothing"),
        pytest.param([message(ASSISTANT, ErrorBlock(content="no"))], [], id="only an error"),
        pytest.param(
            [message(USER, HI), message(USER, TextBlock(content="more", source="hook"))],
            [ApiMessage("user", (TextPart("hi"), TextPart("more")))],
            id="a hook's words join the prompt",
        ),
        pytest.param(
            [message(USER, HI), message(ASSISTANT, tool(parameters={"p": 1}))],
            [
                ApiMessage("user", (TextPart("hi"),)),
                ApiMessage("assistant", (CallPart("a", "Read", {"p": 1}),)),
                ApiMessage("user", (ResultPart("a", "Read", "x", True),)),
            ],
            id="a finished call and its result",
        ),
        pytest.param(
            [message(USER, HI), message(ASSISTANT, ToolBlock(id="a", name="Read"))],
            [ApiMessage("user", (TextPart("hi"),))],
            id="an unfinished call is left out",
        ),
        pytest.param(
            [message(USER, HI), message(ASSISTANT, tool(), tool()), message(USER, HI)],
            [
                ApiMessage("user", (TextPart("hi"),)),
                ApiMessage("assistant", (CallPart("a", "Read", {}), CallPart("a_2", "Read", {}))),
                ApiMessage(
                    "user",
                    (
                        ResultPart("a", "Read", "x", True),
                        ResultPart("a_2", "Read", "x", True),
                        TextPart("hi"),
                    ),
                ),
            ],
            id="two calls of one id are told apart",
        ),
        pytest.param(
            [message(ASSISTANT, TextBlock(content="hello"))],
            [
                ApiMessage("user", (TextPart("(The conversation so far.)"),)),
                ApiMessage("assistant", (TextPart("hello"),)),
                ApiMessage("user", (TextPart("Go on."),)),
            ],
            id="a user opens and closes",
        ),
        pytest.param(
            [
                message(USER, HI, ImageBlock(media_type="image/png", data="AA")),
                message(
                    ASSISTANT,
                    ReasoningBlock(content="hm", signature="s", source="anthropic"),
                    ReasoningBlock(content="unsigned"),
                    HI,
                ),
                message(USER, HI),
            ],
            [
                ApiMessage("user", (TextPart("hi"), ImagePart("image/png", "AA"))),
                ApiMessage("assistant", (ReasoningPart("hm", "s", "anthropic"), TextPart("hi"))),
                ApiMessage("user", (TextPart("hi"),)),
            ],
            id="pictures and signed thoughts travel",
        ),
        pytest.param(
            [message(USER, CompactBlock(content="it began", preserved=("keep me",)))],
            [
                ApiMessage(
                    "user",
                    (
                        TextPart(
                            "Earlier parts of this conversation were shortened. "
                            "What matters of them:\n\nit began\n\nkeep me"
                        ),
                    ),
                )
            ],
            id="what was preserved is told word for word",
        ),
    ],
)
def test_a_conversation_becomes_these_messages(messages, told):
    assert list(convert(messages)) == told
