"""Whatever holds an agent to its hooks is out of its reach, on every host that we wire."""

import pytest

from snaphook.hosts.table import HOSTS, host_named
from snaphook.providers.guard import GuardAnswer, StillWorld, examine
from snaphook.providers.guard.leash import HOMES, is_protected
from snaphook.providers.guard.rules.self_child import AGENTS

WORLD = StillWorld()
PLACEMENTS = [
    pytest.param(host_named(name).PLACEMENT, id=name)
    for name in HOSTS
    if host_named(name).PLACEMENT is not None
]


@pytest.mark.parametrize("placement", PLACEMENTS)
def test_the_settings_of_every_host_are_protected(placement):
    assert is_protected(f"/home/me/{placement.user}", WORLD)
    assert placement.project is None or is_protected(f"/home/me/project/{placement.project}", WORLD)
    assert not placement.home or placement.home in HOMES
    assert placement.program in (*AGENTS, "cursor", "code")


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize(
    "command",
    [
        "rm -f {}",
        ": > {}",
        "echo '{{}}' | tee {}",
        "cp /dev/null {}",
        "vim -es -c '%d' -c wq {}",
        "frobnicate --out={}",
        "python3 -c \"open('{}', 'w')\"",
        "python3 -c \"from pathlib import Path; Path('{}').unlink()\"",
        "node -e \"require('fs').writeFileSync('{}', '')\"",
        "ln -sf /dev/null {}",
        "ln -s {} x && echo '' > x",
        "F={}; sort -o $F /dev/null",
        "chmod 000 {}",
        "dd if=/dev/null of={}",
    ],
)
def test_no_program_empties_them(placement, command):
    path = f"/home/me/{placement.user}"

    assert examine(command.format(path), WORLD).answer is GuardAnswer.DENY


@pytest.mark.parametrize("placement", PLACEMENTS)
@pytest.mark.parametrize("command", ["cat {}", "jq . {}", "ls -l {}", "diff {} x", "grep hook {}"])
def test_looking_at_them_is_free(placement, command):
    assert examine(command.format(f"/home/me/{placement.user}"), WORLD).answer is GuardAnswer.ALLOW
