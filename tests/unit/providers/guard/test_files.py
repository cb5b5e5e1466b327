"""File tools are judged by the rules that judge commands."""

import pytest

from snaphook.providers.guard import GuardAnswer, GuardSettings, StillWorld
from snaphook.providers.guard.examine import examine_tool
from snaphook.providers.guard.files import file_facts
from snaphook.shell.facts import Act

HOME = "/home/me"
COMMUNICATIONS = f"{HOME}/.blackbox5/2-engine/.autonomous/agents/communications"
TASK = """---
task_id: T-2
title: Claim a task once
status: pending
priority: high
created: 2026-11-15
---
## Objective
One claim.
## Acceptance Criteria
- [ ] one claim
"""
PATCH = """*** Begin Patch
*** Add File: notes.md
+hello
*** Update File: src/app.py
@@
-a
+b
*** Delete File: queue.yaml
*** End Patch
"""
MANY = "".join(f"*** Update File: src/f{at}.py\n@@\n-a\n+b\n" for at in range(11))


@pytest.mark.parametrize(
    ("tool", "args", "rule"),
    [
        pytest.param("Write", {"file_path": "src/a.py", "content": "x"}, "", id="a source file"),
        pytest.param(
            "Edit",
            {"file_path": "/etc/hosts", "old_string": "a", "new_string": "b"},
            "overwrite.system",
            id="a file of the system",
        ),
        pytest.param(
            "Write",
            {"file_path": f"{HOME}/.claude/settings.json", "content": "{}"},
            "self.settings",
            id="the agent's own settings",
        ),
        pytest.param(
            "MultiEdit", {"file_path": "snaphook.toml", "edits": []}, "self.settings", id="ours"
        ),
        pytest.param("Read", {"file_path": ".env"}, "secrets.read", id="secrets read"),
        pytest.param("Read", {"file_path": "~/.ssh/id_rsa"}, "secrets.read", id="a key read"),
        pytest.param("Read", {"file_path": ".env.example"}, "", id="an example read"),
        pytest.param(
            "NotebookEdit", {"notebook_path": "a.ipynb", "new_source": "1"}, "", id="a notebook"
        ),
        pytest.param("apply_patch", {"input": PATCH}, "records.delete", id="a patch that deletes"),
        pytest.param("Edit", {"patch": MANY}, "files.bulk", id="eleven files in one patch"),
        pytest.param(
            "mcp__files__write_file",
            {"path": f"{COMMUNICATIONS}/chat-log.yaml", "content": "a: 1"},
            "paths.protected",
            id="communications by an MCP server",
        ),
        pytest.param(
            "mcp__files__move_file",
            {"source": "queue.yaml", "destination": "old.yaml"},
            "records.delete",
            id="the queue moved away",
        ),
        pytest.param("mcp__files__read_file", {"path": ".env"}, "secrets.read", id="MCP read"),
        pytest.param("mcp__mail__create_draft", {"subject": "/etc/passwd"}, "", id="no file tool"),
        pytest.param("Task", {"prompt": "rm -rf /"}, "", id="a tool without files"),
        pytest.param("Write", {"file_path": 7}, "", id="a path that is no text"),
    ],
)
@pytest.mark.req("BB-PT-4")
def test_a_file_tool_is_judged_like_a_command(tool, args, rule):
    assert examine_tool(tool, args, StillWorld()).rule == rule


@pytest.mark.req("BB-PT-4")
@pytest.mark.parametrize(
    ("content", "rule"),
    [
        ("tasks:\n  - id: 1\n", ""),
        ("tasks: [1,\n", "contents.yaml"),
        ("a: b: c\n", "contents.yaml"),
        ("Role: !GetAtt Role.Arn\n", ""),
        ("image: {{ .Values.image }}\n", ""),
        ("a: 1\n---\nb: 2\n", ""),
    ],
)
def test_yaml_is_checked_before_it_is_written(content, rule):
    judgement = examine_tool("Write", {"file_path": "a.yaml", "content": content}, StillWorld())

    assert judgement.rule == rule


@pytest.mark.req("BB-PT-4")
def test_an_edit_is_tried_out_on_the_file_before_its_yaml_is_checked():
    world = StillWorld(files={"/home/me/project/a.yaml": "tasks: [1, 2]\n"})
    edit = {"file_path": "a.yaml", "old_string": "]", "new_string": ""}

    assert examine_tool("Edit", edit, world).rule == "contents.yaml"


@pytest.mark.req("BB-PT-6")
@pytest.mark.parametrize(
    ("agent", "tool", "args", "rule"),
    [
        pytest.param(
            "planner",
            "Write",
            {"file_path": f"{COMMUNICATIONS}/queue.yaml", "content": "a: 1"},
            "",
            id="a planner keeps the queue",
        ),
        pytest.param(
            "executor",
            "Write",
            {"file_path": f"{COMMUNICATIONS}/queue.yaml", "content": "a: 1"},
            "paths.protected",
            id="executors work on files and do not",
        ),
        pytest.param(
            "planner",
            "Write",
            {"file_path": "tasks/active/T-2/task.md", "content": TASK},
            "",
            id="a task in the agreed form",
        ),
        pytest.param(
            "planner",
            "Write",
            {"file_path": "tasks/active/T-2/task.md", "content": "do it"},
            "contents.task",
            id="a task in no form",
        ),
        pytest.param(
            "executor",
            "Write",
            {"file_path": "tasks/active/T-1/notes.md", "content": "x"},
            "",
            id="within the task",
        ),
        pytest.param(
            "executor",
            "Edit",
            {"file_path": "src/app.py", "old_string": "a", "new_string": "b"},
            "agents.scope",
            id="outside the task",
        ),
        pytest.param(
            "executor", "Bash", {"command": "git commit -m 'fix: x'"}, "agents.git", id="git"
        ),
        pytest.param("executor", "Bash", {"command": "git status"}, "", id="looking with git"),
        pytest.param(
            "planner", "Bash", {"command": "git commit -m 'fix: x'"}, "", id="a planner with git"
        ),
    ],
)
def test_an_agent_keeps_to_its_role(agent, tool, args, rule):
    settings = GuardSettings(packs=("bb5",), task_scope=("tasks/active/T-1",))

    assert examine_tool(tool, args, StillWorld(), settings=settings, agent=agent).rule == rule


def test_without_the_pack_every_agent_may_use_git():
    judgement = examine_tool("Bash", {"command": "git commit -m x"}, StillWorld(), agent="executor")

    assert judgement.answer is GuardAnswer.ALLOW


@pytest.mark.req("BB-PT-3")
@pytest.mark.parametrize(
    ("command", "clean", "rule"),
    [
        ("git reset --hard HEAD~1", False, "git.reset-unsaved"),
        ("git stash && git reset --hard HEAD~1", False, "git.discard"),
        ("git branch backup; git reset --hard HEAD~1", False, "git.discard"),
        ("git reset --hard HEAD~1", True, "git.discard"),
        ("git reset --hard HEAD~1", None, "git.discard"),
    ],
)
def test_a_hard_reset_needs_a_backup(command, clean, rule):
    judgement = examine_tool("Bash", {"command": command}, StillWorld(is_clean=clean))

    assert judgement.rule == rule


def test_a_unified_diff_tells_what_it_deletes():
    diff = "--- a/old.py\n+++ /dev/null\n@@\n-x\n--- a/new.py\n+++ b/new.py\n"

    _, effects = file_facts("apply_patch", {"patch": diff}, StillWorld(cwd="/p"))

    assert [(one.act, one.path) for one in effects] == [
        (Act.DELETE, "/p/old.py"),
        (Act.WRITE, "/p/new.py"),
    ]


@pytest.mark.parametrize(
    ("shape", "path", "protected"),
    [
        ("~/notes/", "/home/me/notes/a.md", True),
        ("~/notes", "/home/me/notes/deep/a.md", True),
        ("~/notes/", "/home/me/notes-old/a.md", False),
        ("infra/prod/**", "infra/prod/main.tf", True),
        ("infra/prod/**", "infra/dev/main.tf", False),
        ("/srv/*/config", "/srv/app/config", True),
    ],
)
def test_a_protected_path_covers_what_lies_below_it(shape, path, protected):
    settings = GuardSettings(protected_paths=(shape,), rules={"overwrite.system": "off"})
    write = {"file_path": path, "content": "x"}

    judgement = examine_tool("Write", write, StillWorld(), settings=settings)

    assert (judgement.rule == "paths.protected") is protected


@pytest.mark.req("BB-PT-5")
@pytest.mark.parametrize(
    ("statement", "rule"),
    [
        ("DROP TABLE ledger", "database.drop-protected"),
        ("drop table if exists public.ledger cascade", "database.drop-protected"),
        ("DROP TABLE bb5_tasks", "database.drop-protected"),
        ("DROP TABLE ledger_copy", "database.drop"),
        ("TRUNCATE ledger", "database.drop-protected"),
        ("DELETE FROM users", "database.empty"),
        ("UPDATE users SET a = 1", "database.rewrite"),
        ("DELETE FROM ledger WHERE id = 1", ""),
    ],
)
def test_protected_tables_are_not_dropped(statement, rule):
    settings = GuardSettings(protected_tables=("ledger",), packs=("bb5",))

    judgement = examine_tool(
        "Bash", {"command": f"psql -c '{statement}'"}, StillWorld(), settings=settings
    )

    assert judgement.rule == rule
