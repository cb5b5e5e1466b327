"""Blocked commands that name a part of a command: a subcommand, flags, words of SQL."""

import pytest

from snaphook.errors import ProviderError
from snaphook.providers.policies import HookPipeline
from snaphook.providers.policies.call import HookAction, PostToolUseContext, PreToolUseContext


async def blocked(entry: str, command: str) -> bool:
    pipeline = HookPipeline({"blocked_commands": [entry]})
    call = PreToolUseContext(tool_name="Bash", arguments={"command": command})
    return (await pipeline.run_pre_tool_hooks(call)).action is HookAction.BLOCK


@pytest.mark.req("SQ-6")
@pytest.mark.parametrize(
    ("entry", "command"),
    [
        ("DROP TABLE", 'psql -c "DROP TABLE users"'),
        ("DROP TABLE", 'mysql -e "drop  table users"'),
        ("DROP TABLE", "psql <<EOF\nDROP /* now */ TABLE users;\nEOF"),
        ("DROP TABLE", "echo 'DROP TABLE users' | psql"),
        ("TRUNCATE", "sqlite3 x.db 'truncate users'"),
        ("publish", "npm publish"),
        ("publish", "cd x && cargo publish --dry-run"),
        ("publish", "npm run publish"),
        ("system prune", "docker system prune -af"),
        ("-rf", "rm -rf x"),
        ("-rf", "rm -f -r x"),
        ("-rf", "cp -rf a b"),
        ("--privileged", "docker run --privileged x"),
        ("--privileged", "sudo podman run --privileged=true x"),
        ("publish --force", "npm publish --force"),
    ],
)
async def test_a_part_of_a_command_is_blocked_in_any_program(entry, command):
    assert await blocked(entry, command)


@pytest.mark.req("SQ-6")
@pytest.mark.parametrize(
    ("entry", "command"),
    [
        ("DROP TABLE", "echo never DROP TABLE"),
        ("DROP TABLE", "grep -r 'DROP TABLE' src"),
        ("DROP TABLE", "git commit -m 'guard: stop DROP TABLE'"),
        ("DROP TABLE", "psql -c 'SELECT 1'"),
        ("publish", "git commit -m 'publish the docs'"),
        ("publish", "echo publish"),
        ("publish", "cat publish"),
        ("publish", "npm install publisher"),
        ("-rf", "rm -r x"),
        ("--privileged", "docker run x"),
        ("rm -rf", "git rm -rf x"),
        ("publish --force", "npm publish"),
    ],
)
async def test_what_only_mentions_it_is_not(entry, command):
    assert not await blocked(entry, command)


@pytest.mark.req("SQ-3")
async def test_pipeline_hooks_may_answer_with_dicts():
    pipeline = HookPipeline({})
    pipeline.add_pre_tool_hook(
        lambda call: {"action": "modify", "modifiedArguments": {**call.arguments, "x": 1}}
    )
    pipeline.add_post_tool_hook(lambda ran: {"result": f"{ran.result}!"})
    call = PreToolUseContext(tool_name="Read", arguments={"y": 2})
    ran = PostToolUseContext(tool_name="Read", arguments={}, result="done")

    answer = await pipeline.run_pre_tool_hooks(call)
    assert (answer.action, answer.modified_arguments) == (HookAction.MODIFY, {"y": 2, "x": 1})
    assert (await pipeline.run_post_tool_hooks(ran)).result == "done!"


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize("answer", [{"action": "refuse"}, {"act": "block"}, {}])
async def test_a_dict_that_says_nothing_known_is_an_error(answer):
    pipeline = HookPipeline({})
    pipeline.add_pre_tool_hook(lambda _call: answer)

    with pytest.raises(ProviderError, match="the same as a dict, or None"):
        await pipeline.run_pre_tool_hooks(PreToolUseContext(tool_name="Read", arguments={}))
