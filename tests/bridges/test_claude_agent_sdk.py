"""claude-agent-sdk for real: the SDK drives Claude Code, and the model is a script."""

from pathlib import Path
from typing import Any

import pytest
from claude_agent_sdk import (
    AgentDefinition,
    ClaudeAgentOptions,
    ClaudeSDKClient,
    HookMatcher,
    PermissionResultAllow,
    PermissionResultDeny,
    ResultMessage,
)
from msgspec import Struct
from tests.bridges.breaking import Breaks, everything

from snaphook import canon as c
from snaphook.bridges.claude_agent_sdk import hooked
from snaphook.testing import Call, ModelServer, Recorder, Script, ScriptedProvider, Turn, say

pytestmark = [pytest.mark.timeout(120), pytest.mark.needs("claude-agent-sdk")]


class Ran(Struct):
    """What came of a run."""

    project: Path
    heard: list[str]
    results: list[Any]
    requests: int

    def told(self, words: str) -> bool:
        return any(words in news for news in self.heard)


async def run(folder, providers, *answers, prompts=("please go",), **options) -> Ran:
    home, project = folder / "home", folder / "project"
    home.mkdir()
    project.mkdir()
    script = Script([Turn(answer=answer, tools=True) for answer in answers], otherwise=say("ok"))
    with ModelServer(script) as server:
        env = server.environment() | {
            "HOME": str(home),
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_TELEMETRY": "1",
            "DISABLE_AUTOUPDATER": "1",
        }
        wanted = ClaudeAgentOptions(
            **{"cwd": project, "env": env, "setting_sources": [], "allowed_tools": ["Bash"]}
            | options
        )
        results = []
        async with hooked(wanted, providers) as ready, ClaudeSDKClient(ready) as client:
            for prompt in prompts:
                await client.query(prompt)
                results += [
                    message
                    async for message in client.receive_response()
                    if isinstance(message, ResultMessage)
                ]
        heard = [asked.news for asked in server.asked if asked.tools]
        return Ran(project, heard, results, len(server.asked))


def bash(command: str):
    return say("", Call("Bash", {"command": command, "description": "work"}))


async def test_every_event_of_a_session_is_heard_in_order(tmp_path):
    recorder = Recorder()

    ran = await run(tmp_path, [recorder], bash("echo hi > made.txt"), bash("exit 3"), say("done"))

    assert recorder.names == [
        "SessionStart",
        "UserPromptSubmit",
        "PreToolUse",
        "PostToolUse",
        "PreToolUse",
        "PostToolUseFailure",
        "Stop",
        "SessionEnd",
    ]
    assert {event.context.host for event in recorder.events} == {"claude-agent-sdk"}
    assert (ran.project / "made.txt").exists()


async def test_a_denied_call_does_not_run_and_the_model_hears_why(tmp_path):
    no = ScriptedProvider(
        "on_pre_tool_use", c.PreToolUseOutput(decision=c.Verdict.DENY, reason="NOT-TODAY")
    )

    ran = await run(tmp_path, [no], bash("touch made.txt"), say("then not"))

    assert not (ran.project / "made.txt").exists()
    assert ran.told("NOT-TODAY")


@everything
async def test_changed_arguments_reach_the_tool_and_context_reaches_the_model(tmp_path):
    changed = c.PreToolUseOutput(
        modified_args={"command": "touch other.txt", "description": "work"},
        additional_context="CONTEXT-MARK",
    )

    ran = await run(
        tmp_path, [ScriptedProvider("on_pre_tool_use", changed)], bash("touch made.txt"), say("ok")
    )

    assert [path.name for path in ran.project.iterdir()] == ["other.txt"]
    assert ran.told("CONTEXT-MARK")


@everything
async def test_a_result_is_replaced_before_the_model_reads_it(tmp_path):
    scrub = ScriptedProvider("on_post_tool_use", c.PostToolUseOutput(modified_result="[gone]"))

    ran = await run(tmp_path, [scrub], bash("echo sesame"), say("ok"))

    assert ran.told("[gone]")
    assert not ran.told("sesame\n")


@everything
async def test_a_session_is_told_what_to_know_and_a_prompt_is_refused(tmp_path):
    start = ScriptedProvider(
        "on_session_start", c.SessionStartOutput(additional_context="SESSION-MARK")
    )
    no = ScriptedProvider(
        "on_user_prompt_submitted",
        None,
        c.UserPromptOutput(decision=c.Verdict.DENY, reason="PROMPT-MARK"),
    )

    ran = await run(tmp_path, [start, no], say("one"), say("two"), prompts=("first", "second"))

    assert "SESSION-MARK" in ran.heard[0]
    assert len(ran.heard) == 1


@everything
async def test_a_stop_is_sent_back_with_a_reason(tmp_path):
    back = ScriptedProvider("on_stop", c.StopOutput(decision=c.Verdict.BLOCK, reason="TESTS-FAIL"))

    ran = await run(tmp_path, [back], say("done"), say("really done"))

    assert ran.told("TESTS-FAIL")
    assert [result.result for result in ran.results] == ["really done"]


@everything
@pytest.mark.parametrize(
    ("answer", "ran_it"),
    [
        pytest.param(None, False, id="nobody to ask, so no"),
        pytest.param(PermissionResultDeny(message="no"), False, id="the person says no"),
        pytest.param(PermissionResultAllow(), True, id="the person says yes"),
    ],
)
async def test_an_ask_goes_to_can_use_tool(tmp_path, answer, ran_it):
    ask = ScriptedProvider(
        "on_pre_tool_use", c.PreToolUseOutput(decision=c.Verdict.ASK, reason="sure?")
    )
    asked = []

    async def can_use_tool(name, args, _):
        asked.append(name)
        return answer

    given: dict[str, Any] = {"can_use_tool": can_use_tool, "allowed_tools": []} if answer else {}

    ran = await run(tmp_path, [ask], bash("touch made.txt"), say("ok"), **given)

    assert (ran.project / "made.txt").exists() is ran_it
    assert asked == (["Bash"] if answer else [])


@everything
@pytest.mark.parametrize("hangs", [False, True], ids=["raises", "hangs"])
@pytest.mark.parametrize("stance", c.Stance)
async def test_a_provider_that_fails_is_held_to_its_stance(tmp_path, stance, hangs):
    ran = await run(tmp_path, [Breaks(stance, hangs=hangs)], bash("touch made.txt"), say("ok"))

    assert (ran.project / "made.txt").exists() is (stance is c.Stance.OPEN)


@everything
async def test_subagents_are_heard_and_a_result_is_sent_back(tmp_path):
    recorder = Recorder()
    back = ScriptedProvider(
        "on_subagent_stop", c.SubagentStopOutput(decision=c.Verdict.BLOCK, reason="MORE!")
    )
    task = Call("Agent", {"description": "c", "prompt": "child", "subagent_type": "helper"})
    helper = AgentDefinition(description="helps", prompt="You are CHILD.", background=False)

    ran = await run(
        tmp_path,
        [back, recorder],
        say("", task),
        say("half"),
        say("whole"),
        say("done"),
        agents={"helper": helper},
        allowed_tools=["Agent", "Bash"],
    )

    assert {"SubagentStart", "SubagentStop"} <= set(recorder.names)
    assert ran.told("MORE!")


@everything
async def test_hooks_the_options_have_already_are_kept(tmp_path):
    seen = []

    async def theirs(told, _id, _context):
        seen.append(told["hook_event_name"])
        return {}

    recorder = Recorder()
    await run(
        tmp_path,
        [recorder],
        bash("true"),
        say("ok"),
        hooks={"PreToolUse": [HookMatcher(hooks=[theirs])]},
    )

    assert seen == ["PreToolUse"]
    assert "PreToolUse" in recorder.names


@everything
@pytest.mark.parametrize(
    "said",
    [
        pytest.param(None, id="let through, so the model is asked for a summary"),
        pytest.param(
            c.PreCompactOutput(decision=c.Verdict.BLOCK, reason="KEEP-IT"), id="forbidden"
        ),
    ],
)
async def test_a_compaction_can_be_forbidden(tmp_path, said):
    hook = ScriptedProvider("on_pre_compact", said)

    ran = await run(tmp_path, [hook], say("one"), say("two"), prompts=("hello", "/compact"))

    assert [event.trigger for event in hook.events] == ["manual"]
    assert (ran.requests == 1) is (said is not None)
