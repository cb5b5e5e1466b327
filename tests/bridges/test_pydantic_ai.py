"""pydantic-ai for real, on a scripted model that speaks OpenAI's wire."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults
from pydantic_ai.capabilities import NativeTool
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.native_tools import WebSearchTool
from pydantic_ai.profiles import ModelProfile
from pydantic_ai.providers.openai import OpenAIProvider
from tests.bridges.breaking import everything
from tests.bridges.promises import RUN, Bench, Promises

from snaphook import canon as c
from snaphook.bridges.pydantic_ai import SnaphookCapability
from snaphook.engine import Engine
from snaphook.errors import UsageError
from snaphook.testing import ScriptedProvider, say

pytestmark = [
    pytest.mark.needs("pydantic-ai"),
    # The client leaves idle connections to the collector.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


class PydanticAi(Bench):
    """An agent with the capability, and a child that has it too."""

    def agent(
        self, hooks: Any, *tools: Any, name: str = "main", output_type: Any = str, **options: Any
    ) -> Agent[None, Any]:
        model = OpenAIChatModel("scripted", provider=OpenAIProvider(openai_client=self.client))
        return Agent(
            model,
            name=name,
            output_type=output_type,
            capabilities=[SnaphookCapability(hooks, **options)],
            tools=[self.run_shell, *tools],
        )

    async def run(self, hooks: Any, prompt: str = "go", **options: Any) -> str:
        child = self.agent(hooks, name="child", **options)

        async def delegate(input: str) -> str:  # noqa: A002 - as openai-agents names it
            """Have the child do it."""
            return str((await child.run(input)).output)

        return str((await self.agent(hooks, delegate, **options).run(prompt)).output)


@pytest.fixture
async def bench() -> AsyncIterator[Any]:
    made: list[PydanticAi] = []

    def make(*answers: Any) -> PydanticAi:
        made.append(PydanticAi(*answers))
        return made[-1]

    yield make
    for one in made:
        await one.close()


class Quiet(c.HooksProvider):
    """Has no opinion."""

    async def on_pre_tool_use(self, event: c.PreToolUse, context: c.HookContext) -> None:
        """Say nothing."""


async def test_a_tool_that_runs_at_the_vendor_is_refused():
    asked = []

    def model(messages, info):
        asked.append(info)
        return ModelResponse(parts=[TextPart("found it")])

    agent = Agent(
        FunctionModel(
            model, profile=ModelProfile(supported_native_tools=frozenset({WebSearchTool}))
        ),
        capabilities=[SnaphookCapability(Engine([Quiet()])), NativeTool(WebSearchTool())],
    )

    with pytest.raises(UsageError, match="'web_search' would run at the vendor, without hooks"):
        await agent.run("search")
    assert asked == []


class TestPydanticAi(Promises):
    """Everything that is promised of every SDK."""


@everything
@pytest.mark.parametrize("approved", [True, False])
async def test_an_ask_becomes_the_approval_of_pydantic_ai(bench, approved):
    here = bench(RUN, say("ok"))
    ask = c.PreToolUseOutput(decision=c.Verdict.ASK, reason="SURE?")
    agent = here.agent(
        [ScriptedProvider("on_pre_tool_use", ask, ask)],
        output_type=[str, DeferredToolRequests],
        defers=True,
    )

    first = await agent.run("go")
    [call] = first.output.approvals
    answer = DeferredToolResults(approvals={call.tool_call_id: approved})
    await agent.run(message_history=first.all_messages(), deferred_tool_results=answer)

    assert first.output.metadata == {call.tool_call_id: {"reason": "SURE?"}}
    assert here.ran == (["make deploy"] if approved else [])


@everything
async def test_a_person_who_approved_does_not_carry_a_call_past_a_deny(bench):
    here = bench(RUN, say("ok"))
    ask = c.PreToolUseOutput(decision=c.Verdict.ASK, reason="SURE?")
    deny = c.PreToolUseOutput(decision=c.Verdict.DENY, reason="NO-MORE")
    agent = here.agent(
        [ScriptedProvider("on_pre_tool_use", ask, deny)],
        output_type=[str, DeferredToolRequests],
        defers=True,
    )

    first = await agent.run("go")
    [call] = first.output.approvals
    answer = DeferredToolResults(approvals={call.tool_call_id: True})
    await agent.run(message_history=first.all_messages(), deferred_tool_results=answer)

    assert here.ran == []
