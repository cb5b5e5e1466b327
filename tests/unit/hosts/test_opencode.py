"""OpenCode's plugin tells a little too much, and too little."""

import json

import pytest

from snaphook.hosts import HostCall, host_named


@pytest.mark.parametrize(
    ("worktree", "root"),
    [
        pytest.param("/home/user/project", "/home/user/project", id="a repository"),
        pytest.param("/", "/home/user/project/sub", id="outside a repository"),
        pytest.param("", "/home/user/project/sub", id="untold"),
    ],
)
def test_the_whole_disk_is_no_project(worktree, root):
    wire = {
        "hook": "tool.execute.before",
        "directory": "/home/user/project/sub",
        "worktree": worktree,
        "input": {"tool": "bash", "sessionID": "s"},
        "output": {"args": {"command": "ls"}},
    }

    event = host_named("opencode").decode(json.dumps(wire).encode(), HostCall())

    assert event.context.team_root == root
