"""The argument filter of the claude dialect."""

from pathlib import Path

import pytest

from snaphook.canon import HookContext, PreToolUse, Stop
from snaphook.config.conditions import compile_condition
from snaphook.errors import ConfigError

HERE = HookContext(session_id="s", cwd="/proj/src", team_root="/proj")


def call(tool: str, **args: object) -> PreToolUse:
    return PreToolUse(context=HERE, tool_name=tool, tool_args=args)


@pytest.mark.parametrize(
    ("rule", "command", "holds"),
    [
        ("Bash(git *)", "git push", True),
        ("Bash(git *)", "git", True),
        ("Bash(git *)", "gitk", False),
        ("Bash(git*)", "gitk", True),
        ("Bash(git:*)", "git push", True),
        ("Bash(git push)", "git push", True),
        ("Bash(git push)", "git push --force", False),
        ("Bash(* --force)", "git push --force", True),
        ("Bash(git * main)", "git push origin main", True),
        ("Bash(git *)", "cd x && git push", True),
        ("Bash(git *)", "FOO=1 BAR='a b' git push", True),
        ("Bash(git *)", "echo $(git log)", True),
        ("Bash(git *)", 'echo "now $(git log)"', True),
        ("Bash(git *)", "echo `git log`", True),
        ("Bash(git *)", "if true; then git push; fi", True),
        ("Bash(git *)", "(git push)", True),
        ("Bash(git *)", "ls | xargs echo", False),
        ("Bash(git *)", "echo 'x; git push'", False),
        ("Bash(git *)", 'echo "x; git push"', False),
        ("Bash(git *)", "echo x\\; git push", False),
        ("Bash(git *)", "echo 'unfinished", True),
        ("Bash", "anything", True),
        ("Bash(*)", "anything", True),
    ],
)
def test_a_shell_rule_holds_if_any_command_of_the_line_is_meant(rule, command, holds):
    assert compile_condition(rule).holds(call("Bash", command=command)) is holds


@pytest.mark.parametrize(
    ("rule", "tool", "path", "holds"),
    [
        ("Edit(*.ts)", "Edit", "/proj/src/a/b.ts", True),
        ("Edit(*.ts)", "Write", "b.ts", True),
        ("Edit(*.ts)", "Edit", "/proj/src/a/b.tsx", False),
        ("Edit(*.ts)", "Read", "b.ts", False),
        ("Edit(a/**)", "Edit", "/proj/src/a/b/c.py", True),
        ("Edit(a/*)", "Edit", "/proj/src/b/c.py", False),
        ("Edit(/src/**)", "Edit", "a.py", True),
        ("Edit(/docs/**)", "Edit", "a.py", False),
        ("Edit(//etc/**)", "Edit", "/etc/passwd", True),
        ("Edit(//etc/**)", "Edit", "/proj/etc/passwd", False),
        ("Edit(**/test_*.py)", "Edit", "/proj/src/x/test_a.py", True),
        ("Edit(a)", "Edit", "a/below", True),
        ("Read(~/.ssh/**)", "Read", str(Path("~/.ssh/id").expanduser()), True),
        ("Read(.env)", "Grep", "/proj/src/.env", True),
    ],
)
def test_a_path_rule_reads_as_gitignore_does(rule, tool, path, holds):
    assert compile_condition(rule).holds(call(tool, file_path=path)) is holds


@pytest.mark.parametrize(
    ("rule", "event", "holds"),
    [
        ("WebFetch(domain:example.com)", call("WebFetch", url="https://example.com/x"), True),
        ("WebFetch(domain:*.example.com)", call("WebFetch", url="https://a.example.com"), True),
        ("WebFetch(domain:example.com)", call("WebFetch", url="https://evil.com"), False),
        ("mcp__db", call("mcp__db__query"), True),
        ("mcp__db__*", call("mcp__db__query"), True),
        ("mcp__db__drop", call("mcp__db__query"), False),
        ("Agent(scout*)", call("Task", subagent_type="scout-1"), True),
        ("Agent(scout*)", call("Task", subagent_type="planner"), False),
        ("Bash(git *)", Stop(context=HERE), False),
    ],
)
def test_other_tools_have_rules_of_their_own(rule, event, holds):
    assert compile_condition(rule).holds(event) is holds


@pytest.mark.parametrize("rule", ["", "git *", "Bash(git", "Edit([)", "Bash git"])
def test_a_rule_we_cannot_follow_stops_at_load(rule):
    with pytest.raises(ConfigError, match=r"^settings\.json:9: "):
        compile_condition(rule, where="settings.json:9")
