"""The guard protects its own files, and no project that happens to share its name."""

import pytest

from snaphook.providers.guard import GuardAnswer, StillWorld, examine

NAMESAKE = StillWorld(cwd="/home/me/code/snaphook", project="/home/me/code/snaphook")


@pytest.mark.parametrize(
    "command",
    [
        """tee config/dev.json <<< '{"debug":true}'""",
        "echo x > src/daemon/settings.py",
        "cp a.py docs/trust.md",
        "touch config/trust.json",
    ],
)
def test_a_project_of_the_same_name_is_an_ordinary_project(command):
    assert examine(command, NAMESAKE).answer is GuardAnswer.ALLOW


@pytest.mark.parametrize(
    "path",
    [
        "~/.config/snaphook/settings.toml",
        "~/.local/share/snaphook/trust.json",
        "~/.cache/snaphook/x",
        "/etc/snaphook/managed.toml",
        "/run/user/1000/snaphook/0a1b2c3d.sock",
        "/tmp/snaphook-1000/0a1b2c3d.sock",
        "snaphook.toml",
    ],
)
def test_the_guards_own_files_are_protected_wherever_they_lie(path):
    assert examine(f"rm -f {path}", NAMESAKE).rule == "self.settings"
