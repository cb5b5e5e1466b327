"""LangChain for real, on a scripted model that speaks OpenAI's wire, waited for and not waited for."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import openai
import pytest
from langchain.agents import create_agent
from langchain.tools import tool
from langchain_openai import ChatOpenAI
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command
from pydantic import SecretStr
from tests.bridges.breaking import everything
from tests.bridges.promises import ASK, DELEGATE, DENY, EVENTS, RUN, Bench, PromisesOfModels

from snaphook import canon as c
from snaphook.bridges.langchain import SnaphookMiddleware
from snaphook.errors import PromptRefused, UsageError
from snaphook.testing import Call, Recorder, ScriptedProvider, say

pytestmark = [
    pytest.mark.needs("langchain"),
    # The client leaves idle connections to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]
BOTH = say("", *(Call("run_shell", {"command": command}) for command in ("one", "two")))


class LangChain(Bench):
    """An agent of ``create_agent``, run by ``ainvoke`` or, where nobody *waits*, by ``invoke``."""

    def __init__(self, *answers: Any, waits: bool) -> None:
        super().__init__(*answers)
        self.waits = waits
        self.sync = openai.DefaultHttpxClient(verify=False)

    def model(self, name: str = "scripted") -> Any:
        return ChatOpenAI(
            model=name,
            base_url=f"{self.server.url}/v1",
            api_key=SecretStr("x"),
            max_retries=0,
            http_client=self.sync,
            http_async_client=self.http,
        )

    def agent(
        self, hooks: Any, *tools: Any, name: str = "main", memory: Any = None, **options: Any
    ) -> Any:
        ours = SnaphookMiddleware(hooks, **{"models": self.model} | options)
        return create_agent(
            self.model(),
            [self.run_shell, *tools],
            middleware=[ours],
            name=name,
            checkpointer=memory,
        )

    async def invoke(self, agent: Any, given: Any, thread: str | None = None) -> Any:
        given = {"messages": [given]} if isinstance(given, str) else given
        config: Any = {"configurable": {"thread_id": thread}} if thread else {}
        if self.waits:
            return await agent.ainvoke(given, config)
        return await asyncio.to_thread(agent.invoke, given, config)

    async def run(self, hooks: Any, prompt: str = "go", **options: Any) -> str:
        agent = self.agent(hooks, self.delegate(hooks), **options)
        return said(await self.invoke(agent, prompt))

    def delegate(self, hooks: Any, **options: Any) -> Any:
        child = self.agent(hooks, name="child", **options)

        def run(input: str) -> str:  # noqa: A002 - as openai-agents names it
            """Have the child do it."""
            return said(child.invoke({"messages": [input]}))

        async def wait(input: str) -> str:  # noqa: A002
            """Have the child do it."""
            return said(await child.ainvoke({"messages": [input]}))

        return tool("delegate")(wait if self.waits else run)


def said(result: Any) -> str:
    """Return the last words of a run."""
    text: str = result["messages"][-1].text
    return text


@pytest.fixture(params=[True, pytest.param(False, marks=everything)], ids=["async", "sync"])
async def bench(request: Any) -> AsyncIterator[Any]:
    made: list[LangChain] = []

    def make(*answers: Any, waits: bool = request.param) -> LangChain:
        made.append(LangChain(*answers, waits=waits))
        return made[-1]

    yield make
    for one in made:
        one.sync.close()
        await one.close()


class TestLangChain(PromisesOfModels):
    """Everything that is promised of every SDK."""


async def test_an_agent_that_nobody_waits_for_is_asked_about_as_well(bench):
    here, recorder = bench(BOTH, say("ok"), waits=False), Recorder()
    no = ScriptedProvider("on_pre_tool_use", c.PreToolUseOutput(decision=DENY, reason="NOT-TODAY"))

    await here.run([no, recorder])

    assert len(here.ran) == 1
    assert "NOT-TODAY" in here.heard[1]
    assert set(recorder.names) == set(EVENTS)


async def test_a_tool_that_nobody_waits_for_may_wait_itself(bench):
    here, recorder = bench(say("", Call("patient", {})), say("ok"), waits=False), Recorder()

    @tool
    def patient() -> str:
        """Wait."""
        return asyncio.run(asyncio.sleep(0, "waited"))

    await here.invoke(here.agent([recorder], patient), "go")

    assert recorder.of(c.PostToolUse)[0].tool_result == "waited"


async def test_calls_at_once_are_told_about_after_all_of_them(bench):
    here = bench(BOTH, say("ok"))
    context = c.PreToolUseOutput(additional_context="MARK")

    result = await here.invoke(
        here.agent([ScriptedProvider("on_pre_tool_use", context, context)]), "go"
    )

    kinds = [(message.type, message.text) for message in result["messages"]]
    assert sorted(kinds[2:4]) == [("tool", "ran one"), ("tool", "ran two")]
    assert kinds[4:] == [("human", "MARK\n\nMARK"), ("ai", "ok")]


@everything
async def test_an_agent_that_is_streamed_is_asked_about_as_well(bench):
    here, recorder = bench(RUN, say("ok")), Recorder()
    agent, go = here.agent([recorder]), {"messages": ["go"]}

    if here.waits:
        chunks = [chunk async for chunk in agent.astream(go, stream_mode="updates")]
    else:
        chunks = await asyncio.to_thread(list, agent.stream(go, stream_mode="updates"))

    assert tuple(recorder.names) == EVENTS
    assert [*chunks[-2]] == ["model"]


async def test_a_tool_that_would_run_past_the_hooks_is_refused_before_the_model_is_asked(bench):
    here, recorder = bench(say("never")), Recorder()

    with pytest.raises(UsageError, match="the tool 'web_search' would run without hooks"):
        await here.invoke(here.agent([recorder], {"type": "web_search"}), "go")

    assert here.heard == []
    assert recorder.names[-1] == "SessionEnd"


@everything
async def test_a_result_that_changes_the_graph_is_read_and_replaced_all_the_same(bench):
    here = bench(say("", Call("steer", {})), say("ok"))

    @tool
    def steer(runtime: Any) -> Any:
        """Steer."""
        from langchain.messages import ToolMessage

        told = ToolMessage("secret", tool_call_id=runtime.tool_call_id)
        return Command(update={"messages": [told]})

    scrub = c.PostToolUseOutput(modified_result="[gone]", additional_context="MARK")
    hook = ScriptedProvider("on_post_tool_use", scrub)
    await here.invoke(here.agent([hook], steer), "go")

    assert hook.events[0].tool_result == "secret"
    assert "secret" not in here.heard[1]
    assert "[gone]" in here.heard[1]
    assert "MARK" in here.heard[1]


async def test_arguments_the_tool_does_not_take_are_a_failure(bench):
    here, recorder = bench(say("", Call("run_shell", {"line": "ls"})), say("ok")), Recorder()

    await here.run([recorder])

    assert recorder.names[2:4] == ["PreToolUse", "PostToolUseFailure"]
    assert "command" in recorder.of(c.PostToolUseFailure)[0].error


@pytest.mark.parametrize(
    ("answer", "ran", "heard"),
    [
        pytest.param(True, ["make deploy"], "ran make deploy", id="yes"),
        pytest.param({"type": "approve"}, ["make deploy"], "ran make deploy", id="approve"),
        pytest.param({"type": "reject", "message": "Friday"}, [], "Friday", id="reject, and why"),
        pytest.param("sure", [], "the user declined. SURE?", id="anything else is a no"),
    ],
)
async def test_an_ask_becomes_an_interrupt_where_there_is_a_checkpointer(bench, answer, ran, heard):
    here, recorder = bench(RUN, say("ok")), Recorder()
    ask = c.PreToolUseOutput(decision=ASK, reason="SURE?")
    agent = here.agent(
        [ScriptedProvider("on_pre_tool_use", ask, ask), recorder], memory=InMemorySaver()
    )

    first = await here.invoke(agent, "go", "t")
    begun = list(recorder.names)
    await here.invoke(agent, Command(resume=answer), "t")

    [question] = first["__interrupt__"]
    assert question.value["type"] == "tool_approval"
    assert question.value["args"] == {"command": "make deploy"}
    assert question.value["description"] == "SURE?"
    assert begun[-1] == "PermissionRequest"
    assert here.ran == ran
    assert heard in here.heard[1]
    assert {event.context.session_id for event in recorder.events} == {"t"}
    assert recorder.names[-1] == "SessionEnd"


@everything
async def test_a_person_who_approved_does_not_carry_a_call_past_a_deny(bench):
    here = bench(RUN, say("ok"))
    ask = c.PreToolUseOutput(decision=ASK, reason="SURE?")
    deny = c.PreToolUseOutput(decision=DENY, reason="NO-MORE")
    agent = here.agent([ScriptedProvider("on_pre_tool_use", ask, deny)], memory=InMemorySaver())

    await here.invoke(agent, "go", "t")
    await here.invoke(agent, Command(resume=True), "t")

    assert here.ran == []


@everything
async def test_a_run_that_waits_for_a_person_goes_on_in_another_process(bench):
    """Another middleware on the same memory is all that another process would have."""
    here, memory = bench(BOTH, say("ok")), InMemorySaver()
    told = c.PreToolUseOutput(additional_context="MARK")
    ask = c.PreToolUseOutput(decision=ASK, reason="SURE?")
    first, second = ScriptedProvider("on_pre_tool_use", told, ask), Recorder()

    await here.invoke(here.agent([first], memory=memory), "go", "t")
    await here.invoke(here.agent([second], memory=memory), Command(resume=True), "t")

    assert sorted(here.ran) == ["one", "two"]
    assert "MARK" in here.heard[1]
    assert second.names == ["PreToolUse", "PostToolUse", "Stop", "SessionEnd"]


async def test_a_refused_prompt_is_erased_from_the_memory_of_its_thread(bench):
    here, memory = bench(say("hello")), InMemorySaver()
    no = c.UserPromptOutput(decision=DENY, reason="no secrets")
    start = ScriptedProvider("on_session_start", c.SessionStartOutput(additional_context="MARK"))
    agent = here.agent([start, ScriptedProvider("on_user_prompt_submitted", no)], memory=memory)

    with pytest.raises(PromptRefused, match="no secrets"):
        await here.invoke(agent, {"messages": ["sesame", "open up"]}, "t")
    result = await here.invoke(agent, "hi", "t")

    assert [message.text for message in result["messages"]] == ["hi", "hello"]


@everything
async def test_a_rewritten_prompt_keeps_its_pictures(bench):
    here = bench(say("ok"))
    other = ScriptedProvider("on_user_prompt_submitted", c.UserPromptOutput(modified_prompt="open"))
    picture = {"type": "image", "url": "https://example.org/cat.png"}
    asked = {"role": "user", "content": [{"type": "text", "text": "sesame"}, picture]}

    result = await here.invoke(here.agent([other]), {"messages": [asked]})

    assert [part["type"] for part in result["messages"][0].content_blocks] == ["text", "image"]
    assert result["messages"][0].text == "open"


@everything
async def test_a_subagent_is_given_another_model_and_sent_back(bench):
    here = bench(DELEGATE, say("no"), say("yes"), say("ok"))
    start = ScriptedProvider("on_subagent_start", c.SubagentStartOutput(modified_model="small"))
    back = ScriptedProvider(
        "on_subagent_stop", c.SubagentStopOutput(decision=c.Verdict.BLOCK, reason="TESTS")
    )

    await here.run([start, back])

    assert [asked.model for asked in here.server.asked] == [
        "scripted",
        "small",
        "small",
        "scripted",
    ]
    assert "TESTS" in here.heard[2]
    assert "yes" in here.heard[3]


@everything
async def test_a_question_of_a_subagent_reaches_the_person_through_its_parent(bench):
    here, recorder = bench(DELEGATE, RUN, say("did"), say("ok")), Recorder()
    ask = c.PreToolUseOutput(decision=ASK, reason="SURE?")

    class Careful(c.HooksProvider):
        async def on_pre_tool_use(self, event: Any, context: Any) -> Any:
            return ask if context.depth else None

    hooks = [Careful(), recorder]
    agent = here.agent(hooks, here.delegate(hooks), memory=InMemorySaver())
    first = await here.invoke(agent, "go", "t")
    await here.invoke(agent, Command(resume=True), "t")

    assert first["__interrupt__"][0].value["name"] == "run_shell"
    assert here.ran == ["make deploy"]
    assert recorder.names.count("SubagentStart") == 1
