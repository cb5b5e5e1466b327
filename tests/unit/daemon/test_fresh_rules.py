"""A rule that was written counts for the next call, wherever its file appears."""

import os

import pytest

from snaphook.canon import HookContext, PreToolUse, PreToolUseOutput
from snaphook.daemon.projects import Projects
from snaphook.engine import dispatch_sync

RULE = '[[guard.rule]]\nid = "mine"\nprogram = "whoami"\nverdict = "deny"\n'


def said(projects, folder, home):
    event = PreToolUse(
        context=HookContext(session_id="s", cwd=str(folder)),
        tool_name="Bash",
        tool_args={"command": "whoami"},
    )
    outcome = dispatch_sync(projects.engine(str(folder), {"HOME": str(home)}), event)
    answer = outcome.output
    return answer.decision if isinstance(answer, PreToolUseOutput) and answer.reason else None


@pytest.fixture
def home(tmp_path):
    (tmp_path / "home/p/sub/deeper").mkdir(parents=True)
    (tmp_path / "home/p/.git").mkdir()
    return tmp_path / "home"


@pytest.mark.parametrize(
    "place", ["p/snaphook.toml", "p/sub/snaphook.toml", "p/sub/deeper/snaphook.toml"]
)
def test_a_new_file_counts_for_the_next_call(home, place):
    projects, folder = Projects(), home / "p/sub/deeper"
    assert said(projects, folder, home) is None

    (home / place).write_text(RULE)

    assert said(projects, folder, home) == "deny"


def test_a_change_that_leaves_size_and_time_counts_for_the_next_call(home):
    projects, folder, file = Projects(), home / "p", home / "p/snaphook.toml"
    file.write_text(RULE.replace('"whoami"', '"always"'))
    assert said(projects, folder, home) is None
    before = file.stat()

    with file.open("r+") as same:
        same.write(RULE)
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert said(projects, folder, home) == "deny"


def test_while_nothing_changes_the_engine_stays(home):
    projects = Projects()
    (home / "p/snaphook.toml").write_text(RULE)

    first = projects.engine(str(home / "p/sub"), {"HOME": str(home)})

    assert projects.engine(str(home / "p/sub"), {"HOME": str(home)}) is first
