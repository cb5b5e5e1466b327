"""What a call costs, counted in steps and not in time: ``make bench ONLY=policies`` has the times."""

import asyncio
import sys

import pytest

from snaphook.canon import HookContext, PostToolUse, PreToolUse
from snaphook.providers.policies import define_hooks

CONTEXT = HookContext(session_id="s", agent_name="ada", team_root="/repo", cwd="/repo")
MOST = 1500
"""Calls of functions; a fraction of a millisecond on any machine that runs agents."""


def call(tool, **arguments):
    return PreToolUse(context=CONTEXT, tool_name=tool, tool_args=arguments)


def steps(run):
    """Return how many functions *run* calls, Python's own included."""
    counted = 0

    def count(_frame, event, _argument):
        nonlocal counted
        counted += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        run()
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.req("SQ-15")
@pytest.mark.parametrize(
    "event",
    [
        pytest.param(call("Read", file_path="src/app.py"), id="nothing to mind"),
        pytest.param(call("Write", file_path="src/app.py", content="x"), id="a write"),
        pytest.param(call("Bash", command="cd app && git push origin x | tee src/y"), id="parsed"),
        pytest.param(call("AskUserQuestion"), id="a question"),
        pytest.param(
            PostToolUse(
                context=CONTEXT, tool_name="Bash", tool_args={}, tool_result="tests ok\n" * 150
            ),
            id="a result of 1.3 KB",
        ),
    ],
)
def test_with_every_policy_on_a_call_takes_few_steps(event):
    provider = define_hooks(
        allowed_write_paths=["src/**"],
        max_ask_user=3,
        scrub_pii=True,
        scrub_secrets=True,
        reviewer_lockout=True,
    )
    provider.get_reviewer_lockout().lockout("src/auth.py", "ada")
    hook = provider.on_post_tool_use if isinstance(event, PostToolUse) else provider.on_pre_tool_use
    asyncio.run(hook(event, CONTEXT))  # what is compiled once is compiled now

    def once():
        with pytest.raises(StopIteration):
            hook(event, CONTEXT).send(None)

    assert steps(once) < MOST
