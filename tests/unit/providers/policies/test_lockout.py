"""lockout: whoever was sent away stays away, and nobody else."""

import pytest

from snaphook.errors import UsageError
from snaphook.providers.policies import (
    HookPipeline,
    PolicyConfig,
    PreToolUseContext,
    ReviewerLockoutHook,
)


def edit(path, agent="ada", tool="Edit", root="/repo"):
    arguments = {"command": path} if tool == "Bash" else {"file_path": path}
    return PreToolUseContext(
        tool_name=tool, arguments=arguments, agent_name=agent, team_root=root, cwd=root
    )


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize(
    ("artifact", "path", "is_locked"),
    [
        ("src/auth.ts", "src/auth.ts", True),
        ("src/auth.ts", "/repo/src/auth.ts", True),
        ("src/auth.ts", "./src/../src/auth.ts", True),
        ("src/auth.ts", "src\\auth.ts", True),
        ("./src/auth.ts", "src/auth.ts", True),
        ("/repo/src/auth.ts", "src/auth.ts", True),
        ("auth.ts", "src/auth.ts", True),
        ("src/auth", "src/auth/login.ts", True),
        ("src/auth.ts", "src/auth.ts.bak", False),
        ("src/auth.ts", "auth.ts", False),
        ("src/auth.ts", "s", False),
        ("repo", "src/auth.ts", False),
        ("auth", "src/author.ts", False),
    ],
)
def test_an_artifact_is_a_path_name_by_name(artifact, path, is_locked):
    lockout = ReviewerLockoutHook()
    lockout.lockout(artifact, "ada")

    assert (lockout.objects_to(edit(path)) is not None) is is_locked
    assert lockout.objects_to(edit(path, agent="grace")) is None


def test_the_shell_is_no_way_around():
    lockout = ReviewerLockoutHook()
    lockout.lockout("src/auth.ts", "ada")

    assert lockout.objects_to(edit("echo x > src/auth.ts", tool="Bash")) is not None
    assert lockout.objects_to(edit("cat src/auth.ts", tool="Bash")) is None


def test_the_register_says_who_may_not_touch_what():
    lockout = ReviewerLockoutHook()
    lockout.lockout("a", "ada")
    lockout.lockout("a", "grace")
    lockout.lockout("a", "ada")
    lockout.lockout("b", "ada")

    assert lockout.get_locked_agents("a") == ["ada", "grace"]
    assert lockout.is_locked_out("b", "ada")
    assert not lockout.is_locked_out("b", "grace")

    lockout.clear_lockout("a")
    assert lockout.get_locked_agents("a") == []
    lockout.clear_all()
    assert not lockout.is_locked_out("b", "ada")


def test_an_empty_artifact_would_lock_everything_and_is_refused():
    with pytest.raises(UsageError, match="'' is not an artifact name"):
        ReviewerLockoutHook().lockout("", "ada")


async def test_the_pipelines_own_register_is_the_one_that_decides():
    pipeline = HookPipeline(PolicyConfig(reviewer_lockout=True))
    pipeline.get_reviewer_lockout().lockout("src/auth.ts", "ada")

    answer = await pipeline.run_pre_tool_hooks(edit("src/auth.ts"))

    assert answer.reason == (
        'Reviewer lockout: Agent "ada" is locked out of artifact "src/auth.ts". '
        "Another reviewer must handle this artifact."
    )


async def test_the_register_can_be_a_hook_of_another_pipeline():
    lockout = ReviewerLockoutHook()
    lockout.lockout("src/auth.ts", "ada")
    pipeline = HookPipeline()
    pipeline.add_pre_tool_hook(lockout.create_hook())

    assert (await pipeline.run_pre_tool_hooks(edit("src/auth.ts"))).action == "block"
    assert (await pipeline.run_pre_tool_hooks(edit("src/other.ts"))).action == "allow"
