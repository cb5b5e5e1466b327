"""A rule, or a program, is one file: no other file has to know of it, and no index is older than it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import snaphook

PACKAGE = Path(snaphook.__file__).parent
RULE = '''"""Frobnicating."""

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule


def objects_to(call, _context):
    """Point at any call.

    Blocks: frobnicate
    """
    return call.span


RULE = Rule(
    id="frobnicate",
    answer=GuardAnswer.DENY,
    says="frobnicates",
    why="nobody knows what that does",
    programs=("{program}",),
    objects_to=objects_to,
)
'''


@pytest.fixture
def source(tmp_path):
    """Return a copy of the package's source, as one who develops it has it."""
    copied = tmp_path / "src" / "snaphook"
    shutil.copytree(PACKAGE, copied, ignore=shutil.ignore_patterns("__pycache__"))
    return copied


def explained(source, command):
    """Return what the guard of *source* says of *command*."""
    env = {**os.environ, "PYTHONPATH": str(source.parent), "HOME": str(source.parent.parent)}
    words = [sys.executable, "-m", "snaphook", "explain", "--json", command]
    done = subprocess.run(words, capture_output=True, text=True, env=env, cwd=source.parent)
    assert not done.stderr
    return done.stdout


def test_a_new_rule_holds_from_its_file_on(source):
    assert '"rule":"frobnicate"' not in explained(source, "frobnicate now").replace(" ", "")

    (source / "providers" / "guard" / "rules" / "frobnicate.py").write_text(
        RULE.format(program="frobnicate")
    )

    assert '"rule":"frobnicate"' in explained(source, "frobnicate now").replace(" ", "")


def test_a_changed_rule_holds_even_where_its_file_is_as_long_as_before(source):
    rule = source / "providers" / "guard" / "rules" / "git_push.py"
    text = rule.read_text()
    assert text.count('"git"') >= 1
    assert '"rule":"git.push' in explained(source, "git push --force").replace(" ", "")

    rule.write_text(text.replace('programs=("git",)', 'programs=("gti",)'))

    assert '"rule":"git.push' not in explained(source, "git push --force").replace(" ", "")


def test_a_rule_that_is_gone_is_not_asked_for(source):
    (source / "providers" / "guard" / "rules" / "git_lease.py").unlink()

    assert explained(source, "git push --force-with-lease")


def test_a_new_program_is_known_from_its_file_on(source):
    (source / "shell" / "programs" / "frobnicate.py").write_text(
        '"""Frobnicate: it runs the rest."""\n\n'
        "from snaphook.shell.programs.wrappers import PROGRAMS as KNOWN\n\n"
        'PROGRAMS = {"frobnicate": KNOWN["nohup"]}\n'
    )

    assert "delete" in explained(source, "frobnicate rm -rf /")
