"""Tools that nobody listed are judged by what they are given."""

import pytest

from snaphook.providers.guard.examine import examine_tool
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.shell.world import StillWorld

WORLD = StillWorld(home="/home/me", cwd="/home/me/project", project="/home/me/project")
RM = "rm -rf /home/me"

DENIED = [
    ("team_shell", {"command": RM}),
    ("run_commands", {"commands": ["ls", RM]}),
    ("exec", {"cmd": ["rm", "-rf", "/home/me"]}),
    ("terminal", {"command": "rm", "args": ["-rf", "/home/me"]}),
    ("mcp__box__launch", {"command_line": RM}),
    ("RunCommand", {"CommandLine": RM}),
    ("process", {"commands": [{"command": RM}]}),
    ("run", {"command": "rm -rf *", "workdir": "/home/me"}),
    ("interpreter", {"language": "bash", "code": RM}),
    ("python_exec", {"code": "import shutil; shutil.rmtree('/home/me')"}),
    ("write_stdin", {"session_id": 1, "chars": RM + "\n"}),
    ("write-process", {"terminal_id": 1, "input_text": RM + "\n"}),
    ("use_tool", {"tool_name": "anything", "tool_input": {"command": RM}}),
    ("tool_call", {"name": "run_shell_command", "arguments": {"command": RM}}),
    ("batch", {"tool_calls": [{"tool": "bash", "parameters": {"command": RM}}]}),
    ("store", {"path": "/home/me/.claude/settings.json", "content": "{}"}),
    ("multi", {"edits": [{"path": "a", "text": "x"}, {"path": "~/.grok/hooks/a.json", "text": "{}"}]}),
    ("save", {"files": ["/home/me/.codex/config.toml"], "content": ""}),
    ("file_remover_delete", {"path": "/home/me/.claude/settings.json"}),
    ("persist", {"uri": "file:///home/me/.kimi-code/config.toml", "text": ""}),
]  # fmt: skip
PASSED = [
    ("team_shell", {"command": "git status"}),
    ("run_commands", {"commands": ["ls", "make test"]}),
    ("str_replace_based_edit_tool", {"command": "view", "path": "README.md"}),
    ("SlashCommand", {"command": "/review the rm -rf / in docs"}),
    ("store", {"path": "notes/today.md", "content": "rm -rf /"}),
    ("http_request", {"method": "PUT", "url": "https://example.com", "path": "/etc/passwd", "body": "x"}),
    ("mcp__forge__create_file", {"owner": "me", "repo": "x", "path": ".github/x.yml", "content": "on: push"}),
    ("send_message", {"to": "team", "text": "rm -rf / is dangerous"}),
    ("think", {"thought": "rm -rf /"}),
    ("analyse", {"language": "english", "code": "rm -rf /"}),
    ("noop", {}),
    ("odd", {"command": 7, "path": None, "files": [1, None], "arguments": [RM]}),
]  # fmt: skip


@pytest.mark.parametrize(("tool", "args"), DENIED)
def test_a_tool_in_no_table_is_stopped_for_what_it_would_do(tool, args):
    assert examine_tool(tool, args, WORLD).answer >= GuardAnswer.ASK


@pytest.mark.parametrize(("tool", "args"), PASSED)
def test_what_only_looks_like_a_command_or_a_file_passes(tool, args):
    assert examine_tool(tool, args, WORLD).answer < GuardAnswer.ASK


def test_a_command_is_judged_in_the_folder_that_the_call_names():
    inside = {"command": "rm -rf *", "cwd": "/home/me/project/build"}
    above = {"command": "rm -rf *", "cwd": "/home/me"}

    assert examine_tool("Bash", above, WORLD).answer > examine_tool("Bash", inside, WORLD).answer


def test_calls_within_calls_end():
    args: dict[str, object] = {"command": "ls"}
    for _ in range(200):
        args = {"name": "call", "arguments": args}

    assert examine_tool("call", args, WORLD).answer is GuardAnswer.ALLOW
