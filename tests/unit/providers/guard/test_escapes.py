"""Options and variables that make a harmless program run a command."""

import pytest

from snaphook.providers.guard.examine import examine
from snaphook.shell.world import StillWorld


@pytest.mark.parametrize(
    "command",
    [
        "man -P 'echo -n x' ls",
        "man --pager='echo -n x' ls",
        "MANPAGER='echo -n x' man ls",
        "LESSOPEN='|echo -n x' less notes.md",
        "less '+!echo -n x' notes.md",
        "bat --pager 'echo -n x' notes.md",
        "rg --pre 'echo -n x' TODO",
        "fzf --preview 'echo -n x'",
        "fzf --bind 'start:execute(echo -n x)'",
        "sort --compress-program='echo -n x' big",
        "split --filter='echo -n x' big",
        "zip -T -TT 'echo -n x' a.zip f",
        "tcpdump -z 'echo -n x' -w out",
        "gdb -batch -ex 'shell echo -n x'",
        "gdb -ex '!echo -n x'",
        "lldb -o 'platform shell echo -n x' -b",
        "go test -exec 'echo -n x' ./...",
        "go build -toolexec='echo -n x' ./...",
        "scp -S 'echo -n x' a host:b",
        "scp -o ProxyCommand='echo -n x' a host:b",
        "rsync --rsync-path='echo -n x' a host:b",
        "ip netns exec blue echo -n x",
        "EDITOR='echo -n x' crontab -e",
        "GIT_ASKPASS='echo -n x' git fetch",
        "PAGER='echo -n x' psql app",
    ],
)
def test_the_command_is_seen(command):
    calls = [str(call) for call in examine(command, StillWorld()).calls]

    assert "echo -n x" in calls


@pytest.mark.parametrize(
    "command",
    [
        "man ls",
        "PAGER=cat git log",
        "EDITOR=true git commit",
        "rg --pretty TODO",
        "sort -u notes.md",
    ],
)
def test_what_pages_and_edits_as_usual_is_let_be(command):
    assert examine(command, StillWorld()).objections == ()
