"""pipeline: policies first, then hooks, and no hook carries a call past a check."""

from typing import Any

import pytest

from snaphook.errors import ProviderError
from snaphook.providers.policies import (
    HookAction,
    HookPipeline,
    PolicyConfig,
    PolicyMode,
    PostToolUseContext,
    PostToolUseResult,
    PreToolUseContext,
    PreToolUseResult,
)

COMPATIBLE = PolicyConfig(mode=PolicyMode.COMPATIBLE)
LS = PreToolUseContext(tool_name="bash", arguments={"command": "ls"})
ALLOW = PreToolUseResult(action=HookAction.ALLOW)


def change(**arguments):
    return lambda call: PreToolUseResult(
        action=HookAction.MODIFY, modified_arguments={**call.arguments, **arguments}
    )


def said(action: Any) -> PreToolUseResult:
    return PreToolUseResult(action=action)


def block(reason):
    return PreToolUseResult(action=HookAction.BLOCK, reason=reason)


@pytest.mark.req("SQ-4")
async def test_changes_chain_and_reach_the_caller():
    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(change(a=1))
    pipeline.add_pre_tool_hook(change(b=2))

    assert await pipeline.run_pre_tool_hooks(LS) == PreToolUseResult(
        action=HookAction.MODIFY, modified_arguments={"command": "ls", "a": 1, "b": 2}
    )
    assert LS.arguments == {"command": "ls"}


async def test_a_hook_cannot_change_an_allowed_call_into_a_forbidden_one():
    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(change(command="rm -rf /"))

    assert (await pipeline.run_pre_tool_hooks(LS)).action == "block"


async def test_a_hook_that_spoke_before_is_asked_about_the_changed_call():
    asked = []

    def no_b(call):
        asked.append(call.arguments)
        return block("no b here") if "b" in call.arguments else None

    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(no_b)
    pipeline.add_pre_tool_hook(change(b=2))

    assert await pipeline.run_pre_tool_hooks(LS) == block("no b here")
    assert asked == [{"command": "ls"}, {"command": "ls", "b": 2}]


async def test_the_first_block_ends_it():
    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(lambda call: block("first"))
    pipeline.add_pre_tool_hook(lambda call: pytest.fail("asked after a block"))

    assert await pipeline.run_pre_tool_hooks(LS) == block("first")


@pytest.mark.req("SQ-4")
async def test_hooks_may_be_coroutines_and_may_have_no_opinion():
    async def later(call):
        return block("on reflection")

    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(lambda call: None)
    pipeline.add_pre_tool_hook(later)

    assert await pipeline.run_pre_tool_hooks(LS) == block("on reflection")


@pytest.mark.parametrize("answer", ["allow", True, said("blok")])
async def test_an_answer_of_another_kind_is_the_hooks_mistake(answer):
    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(lambda call: answer)

    with pytest.raises(ProviderError, match="Return a PreToolUseResult that says"):
        await pipeline.run_pre_tool_hooks(LS)


async def test_an_action_in_plain_letters_counts_like_the_enum():
    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(lambda call: said("block"))

    assert (await pipeline.run_pre_tool_hooks(LS)).action == HookAction.BLOCK


async def test_a_hook_that_raises_is_heard():
    def broken(call):
        raise ZeroDivisionError

    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(broken)

    with pytest.raises(ZeroDivisionError):
        await pipeline.run_pre_tool_hooks(LS)


async def test_compatible_mode_keeps_a_change_to_itself_as_squad_does():
    seen = []
    pipeline = HookPipeline(COMPATIBLE)
    pipeline.add_pre_tool_hook(change(command="rm -rf /"))
    pipeline.add_pre_tool_hook(lambda call: seen.append(call.arguments))

    assert await pipeline.run_pre_tool_hooks(LS) == ALLOW
    assert seen == [{"command": "rm -rf /"}]


@pytest.mark.req("SQ-4")
async def test_results_pass_from_hook_to_hook():
    pipeline = HookPipeline()
    pipeline.add_post_tool_hook(lambda ran: PostToolUseResult(result=ran.result + 1))
    pipeline.add_post_tool_hook(lambda ran: None)

    async def double(ran):
        return PostToolUseResult(result=ran.result * 2)

    pipeline.add_post_tool_hook(double)
    ran = PostToolUseContext(tool_name="x", arguments={}, result=20)

    assert await pipeline.run_post_tool_hooks(ran) == PostToolUseResult(result=42)
