"""The tool tables, held against what the real programs offered their model."""

import json
from pathlib import Path

import pytest

from snaphook.canon import HookContext, PreToolUse, PreToolUseOutput, Verdict
from snaphook.hosts import host_named

RECORDED = sorted((Path(__file__).parents[2] / "corpus/tools").glob("*.json"))


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_every_tool_of_the_real_program_is_in_its_table(file):
    tools = json.loads(file.read_text())["tools"]
    known = host_named(file.stem).TOOLS

    assert len(tools) > 5
    assert [name for name in tools if not known.knows(name)] == []


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_a_table_renames_only_arguments_that_the_program_has(file):
    tools = json.loads(file.read_text())["tools"]
    table = host_named(file.stem).TOOLS.tools

    for name, args in tools.items():
        if name in table and args:
            wrong = {"path", "filePath", "target_file", "cmd"} & set(args) - set(table[name].args)
            assert table[name].name not in ("Read", "Write", "Edit") or not wrong, name


def test_several_commands_of_one_call_are_judged_together_and_go_back_as_a_list():
    tools = host_named("cline").TOOLS

    name, args = tools.ours("run_commands", {"commands": ["ls", "git push --force"]})

    assert (name, args) == ("Bash", {"command": "ls\ngit push --force"})
    assert tools.theirs("run_commands", {"command": "ls"}) == {"commands": ["ls"]}


@pytest.mark.parametrize("mode", ["auto", "bypassPermissions", "dontAsk"])
def test_a_question_is_a_refusal_where_the_host_would_answer_it_itself(mode):
    grok = host_named("grok")
    question = PreToolUseOutput(decision=Verdict.ASK, reason="sure?")

    def told(mode: str) -> str:
        event = PreToolUse(
            context=HookContext(session_id="s", permission_mode=mode),
            tool_name="Bash",
            tool_args={},
        )
        reply = json.loads(grok.encode(event, question).stdout)
        return str(reply["hookSpecificOutput"]["permissionDecision"])

    assert told(mode) == "deny"
    assert told("default") == "ask"
