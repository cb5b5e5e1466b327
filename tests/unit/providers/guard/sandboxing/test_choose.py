"""Which commands of a line get the prefix."""

import pytest

from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.sandboxing.choose import Facts, Way, choose
from snaphook.providers.guard.sandboxing.rewrite import rewrite, without_old
from snaphook.providers.guard.sandboxing.simples import simple_commands
from snaphook.sandbox.store import Prefix
from snaphook.shell.syntax.grammar import parse
from snaphook.shell.world import StillWorld

PREFIX = Prefix(helper="/bin/snaphook-sandbox", policy="@0123456789abcdef.aa-bb")
S = "/bin/snaphook-sandbox @0123456789abcdef.aa-bb "
H = "/bin/snaphook-sandbox --hooks @0123456789abcdef.aa-bb "


def rewritten(command, **facts):
    judgement = examine(command, StillWorld())
    marks = choose(judgement, simple_commands(parse(command)), Facts(**facts))
    return rewrite(command, marks, PREFIX)


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("ls -la src", "ls -la src"),
        ("make clean", f"{S}make clean"),
        ("cd sub && make", f"cd sub && {S}make"),
        ("FOO=1 python3 a.py | tail -3", f"FOO=1 {S}python3 a.py | tail -3"),
        ("for i in 1 2; do node a.js; done", f"for i in 1 2; do {S}node a.js; done"),
        ("./server & sleep 1", f"{S}./server & sleep 1"),
        ("echo $(python3 a.py)", f"echo $({S}python3 a.py)"),
        ("python3 --version", "python3 --version"),
        ("ssh host make", "ssh host make"),
        ("docker run image make", "docker run image make"),
        ("git status", "git status"),
    ],
)
def test_only_what_runs_unread_code_is_prefixed(command, made):
    assert rewritten(command) == made


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ("ls -la", f"{S}ls -la"),
        ("cd sub; ls", f"cd sub; {S}ls"),
        ("git config user.name Ada", "git config user.name Ada"),
        ("git commit -m x && ls", f"git commit -m x && {S}ls"),
        ("gh pr view", "gh pr view"),
    ],
)
def test_always_confines_all_but_what_belongs_outside(command, made):
    assert rewritten(command, always=True) == made


def test_git_of_the_project_runs_its_hooks_confined_and_another_git_is_confined():
    assert rewritten("git commit -m x", has_hooks=True) == f"{H}git commit -m x"
    assert rewritten("git commit -m x", always=True, has_hooks=True) == f"{H}git commit -m x"
    assert rewritten("git commit -m x", own_repository=False) == f"{S}git commit -m x"


def test_an_old_prefix_is_taken_off():
    old = "/old/snaphook-sandbox @fedcba9876543210.cc-dd make"

    assert without_old(old, PREFIX) == "make"
    assert without_old(f"{S}make", PREFIX) == f"{S}make"


def test_a_line_that_the_shell_itself_would_run_gets_a_shell_and_its_folder_lasts():
    made = rewritten('eval "$(cat cmd)"; cd sub')

    assert made.startswith(f"{S}bash -c ")
    assert made.endswith('|| cd -- "$snaphook_cwd"; }')


def test_ways_have_words():
    assert Way.WHOLLY.value == "confined"
