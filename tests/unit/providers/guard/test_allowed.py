"""Lines of ``[guard] allow``, and the calls that they name."""

import pytest

from snaphook.providers.guard.allowed import line_for
from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.world import StillWorld


def lifted(command: str, *allow: str) -> bool:
    world = StillWorld(cwd="/home/me/app", project="/home/me/app")
    before = examine(command, world)
    assert before.answer > GuardAnswer.WARN, "the guard has nothing against it"
    return examine(command, world, settings=GuardSettings(allow=allow)).answer <= GuardAnswer.WARN


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("docker system prune*", "docker system prune -af --volumes"),
        ("git stash drop*", "git stash drop stash@{1}"),
        ("git stash drop*", 'git stash drop "$REF"'),
        ("git push --force origin *", "git push --force origin main"),
        ("rm -rf ../old/*", "rm -rf ../old/x"),
        ("rm*", "rm -rf ../old"),
        ("rm -rf *", "rm -rf ../a ../b"),
        ("sudo rm -rf /opt/old", "sudo rm -rf /opt/old"),
    ],
)
def test_a_line_lifts_what_it_names(line, command):
    assert lifted(command, line)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        pytest.param("rm -rf ../old*", "rm -rf ../old ~", id="another word"),
        pytest.param("rm -rf ../old/*", "rm -rf ../old/../../..", id="up again"),
        pytest.param("rm -rf ../old*", 'rm -rf "../old$X"', id="known at run time only"),
        pytest.param("rm -rf /opt/old", "sudo rm -rf /opt/old", id="as root"),
        pytest.param("git log*", "git log > ~/.bashrc", id="a redirection"),
        pytest.param("git status*", "git status; rm -rf ~", id="another command"),
        pytest.param("rm -rf …", 'rm -rf "$A"', id="the mark for what is unknown"),
    ],
)
def test_a_line_lifts_nothing_else(line, command):
    assert not lifted(command, line)


@pytest.mark.parametrize(
    ("command", "line"),
    [
        ("rm -rf dist/*", "rm -rf dist/[*]"),
        ("git commit -m 'a  b'", "git commit -m 'a  b'"),
        ("sudo rm x", "sudo rm x"),
    ],
)
def test_a_call_is_written_so_that_only_it_fits(command, line):
    world = StillWorld(cwd="/home/me/app", project="/home/me/app")
    assert line in {line_for(call) for call in examine(command, world).calls}
