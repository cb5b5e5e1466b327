"""provider: the pipeline behind the contract of all providers."""

import pytest

from snaphook.canon import (
    HookContext,
    PostToolUse,
    PostToolUseOutput,
    PreToolUse,
    PreToolUseOutput,
    Stance,
    Verdict,
    implemented,
)
from snaphook.engine import Engine
from snaphook.providers.policies import (
    DefaultHooksProvider,
    HookAction,
    PolicyConfig,
    PolicyMode,
    PreToolUseResult,
    define_hooks,
    provider,
)

CONTEXT = HookContext(session_id="s1", agent_name="ada", team_root="/repo", cwd="/repo")


def bash(command):
    return PreToolUse(context=CONTEXT, tool_name="Bash", tool_args={"command": command})


def ran(result):
    return PostToolUse(context=CONTEXT, tool_name="Read", tool_args={}, tool_result=result)


@pytest.mark.req("SQ-3")
async def test_a_blocked_call_is_denied_with_the_policys_reason():
    output = await DefaultHooksProvider().on_pre_tool_use(bash("rm -rf /"), CONTEXT)

    assert output == PreToolUseOutput(
        decision=Verdict.DENY,
        reason='Shell command blocked: Command contains prohibited pattern "rm -rf". Blocked '
        "commands: rm -rf, git push --force, git rebase, git reset --hard",
    )


async def test_an_allowed_call_is_no_opinion_so_that_others_are_heard():
    assert await DefaultHooksProvider().on_pre_tool_use(bash("ls"), CONTEXT) is None


@pytest.mark.req("SQ-4")
async def test_a_change_reaches_the_engine():
    default = define_hooks()
    default.get_pipeline().add_pre_tool_hook(
        lambda call: PreToolUseResult(
            action=HookAction.MODIFY, modified_arguments={"command": "ls -l"}
        )
    )

    output = await Engine([default]).dispatch(bash("ls"))

    assert isinstance(output, PreToolUseOutput)
    assert (output.decision, output.modified_args) == (Verdict.MODIFY, {"command": "ls -l"})


@pytest.mark.req("SQ-3")
async def test_a_result_with_something_to_hide_is_replaced():
    compatible = DefaultHooksProvider(PolicyConfig(scrub_pii=True, mode=PolicyMode.COMPATIBLE))

    output = await compatible.on_post_tool_use(ran({"to": ["ada@example.org"]}), CONTEXT)

    assert output == PostToolUseOutput(modified_result={"to": ["[EMAIL_REDACTED]"]})
    assert await compatible.on_post_tool_use(ran("nothing here"), CONTEXT) is None
    assert await compatible.on_post_tool_use(ran({"n": ["or@here"]}), CONTEXT) is None


async def test_a_cycle_in_a_result_is_no_obstacle():
    for mode in PolicyMode:
        loop: dict[str, object] = {}
        loop["self"] = loop
        loop["to"] = "ada@example.org"
        default = DefaultHooksProvider(PolicyConfig(scrub_pii=True, mode=mode))

        output = await default.on_post_tool_use(ran(loop), CONTEXT)

        assert isinstance(output, PostToolUseOutput)
        assert "ada@" not in repr(output.modified_result)


@pytest.mark.req("SQ-3")
async def test_the_register_of_lockouts_is_reachable():
    default = define_hooks(reviewer_lockout=True)
    default.get_reviewer_lockout().lockout("src/a.ts", "ada")
    edit = PreToolUse(context=CONTEXT, tool_name="Edit", tool_args={"file_path": "src/a.ts"})

    output = await default.on_pre_tool_use(edit, CONTEXT)

    assert output is not None
    assert output.decision is Verdict.DENY
    assert default.get_reviewer_lockout() is default.get_pipeline().get_reviewer_lockout()


@pytest.mark.req("SQ-3")
def test_life_cycle_events_cost_nothing():
    assert {method for method, _ in implemented(DefaultHooksProvider())} == {
        "on_pre_tool_use",
        "on_post_tool_use",
    }


async def test_a_policy_that_breaks_fails_closed():
    default = define_hooks()

    def broken(call):
        raise ZeroDivisionError

    default.get_pipeline().add_pre_tool_hook(broken)
    output = await Engine([default]).dispatch(bash("ls"))

    assert default.stance is Stance.CLOSED
    assert isinstance(output, PreToolUseOutput)
    assert output.decision is Verdict.DENY


@pytest.mark.req("SQ-6")
def test_a_settings_table_makes_a_provider():
    made = provider({"allowed_write_paths": ["src/**"], "mode": "compatible"})

    assert isinstance(made, DefaultHooksProvider)
    assert made.get_pipeline().config == PolicyConfig(
        allowed_write_paths=("src/**",), mode=PolicyMode.COMPATIBLE
    )
