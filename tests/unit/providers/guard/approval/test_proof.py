"""What is approved, what is not, and that an approval implies a proof."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.corpus.guard_rows import rows
from tests.corpus.guard_world import PROJECT, world

from snaphook.providers.guard.approval.proof import Proof, prove
from snaphook.providers.guard.examine import examine
from snaphook.providers.guard.path_classes import PathClasses
from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.facts import Act

SETTINGS = GuardSettings()
READS = frozenset({Act.READ, Act.ENTER, Act.CODE})
WRITES = READS | {Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.PERMIT}
MOST_WITHOUT_THE_GUARD = 20
"""Dangerous commands that would be approved if no rule objected: writes that empty a project's file."""


def proof(command: str, level: str = "project", *, trusted: bool = True) -> Proof:
    here = world()
    return prove(examine(command, here), PathClasses(here, SETTINGS), level=level, trusted=trusted)


READ_ONLY = [
    "ls -la src && git diff HEAD~1 --stat | head -20",
    "rg -n 'def main' src | head",
    "git status --short; git log --oneline -5",
    "find . -name '*.py' -exec grep -n import {} +",
    "find . -type f | xargs wc -l | sort -rn | head -3",
    'for f in src/*.py; do echo "$f"; head -n 3 "$f"; done',
    "sed -n '1,20p' README.md",
    "awk '{ print $1 }' README.md | sort | uniq -c",
    "python3 -c 'import json; print(json.dumps({}))'",
    "python3 - <<'E'\nprint(open('README.md').read())\nE",
    "timeout 5 cat README.md 2>/dev/null | tail -n 3",
    'x=$(git rev-parse HEAD); echo "$x"',
    "diff <(sort README.md) README.md",
    "if test -f README.md; then echo yes; fi",
    "python3 --version && node --version",
    "docker ps | grep web",
    "jq '.scripts' package.json",
]
IN_PROJECT = [
    "echo hello > notes.txt",
    "cat > src/new.py <<'E'\nprint(1)\nE",
    "sed -i 's/a/b/' src/app.py",
    "pytest -q tests 2>&1 | tail -5",
    "python -m pytest tests/test_app.py",
    "pytest -p no:cacheprovider -x tests",
    "make test",
    "npm run lint",
    "npm test -- --watch=false",
    "ruff check --fix . && ruff format",
    "mkdir -p docs/new && touch docs/new/a.md",
    "git add -u && git commit -m 'Say more'",
    "git checkout -b topic-2",
    "cargo test --all",
    "go test ./...",
    "PYTHONPATH=src pytest -q",
    "python3 -c \"open('notes.txt', 'w').write('x')\"",
    "tsc --noEmit",
]
NEVER = [
    "git push",
    "git pull",
    "curl https://example.com",
    "npm install left-pad",
    "pip install requests",
    "rm notes.txt",
    "mv src/app.py src/other.py",
    "kubectl get pods",
    "ssh host ls",
    "sudo ls",
    "unknown-program --help",
    "unknown-program x",
    "./unread",
    'bash -c "$CODE"',
    "$PROGRAM x",
    "PATH=/tmp/x; ls",
    "PATH=/tmp/x ls",
    "LD_PRELOAD=/tmp/x.so ls",
    "GIT_EXTERNAL_DIFF=/tmp/x git diff",
    "PAGER='sh -c x' git log",
    "git -c core.pager=x log",
    "git diff --ext-diff",
    "git diff --output=src/app.py",
    "git grep -O'sh -c x' foo",
    "git branch -D topic",
    "git stash drop",
    "git config user.name x y",
    "git show HEAD:.env",
    "cat .env",
    "cat ~/.ssh/id_rsa",
    "cat ~/.bash_history",
    "cat ~/Documents/letter.txt",
    "head -n 1 /proc/self/environ",
    "env",
    "printenv",
    "export -p",
    "echo $GITHUB_TOKEN",
    "ps eww",
    "sort -o src/app.py README.md",
    "sort --outp=src/app.py README.md",
    "find . -delete",
    "find . -fprint x",
    "fd -x rm",
    "rg --pre ./x foo",
    "awk 'BEGIN { system(\"id\") }'",
    "awk '{ print > \"out\" }' README.md",
    "awk '{ print | \"sh\" }' README.md",
    "sed -n 'w out' README.md",
    "sed 's/a/b/e' README.md",
    "tar xf a.tar",
    "xxd -r a b",
    "uniq a b",
    "python3 missing.py",
    "python3 -c 'import os; os.system(\"id\")'",
    "python3 -c \"__import__('os').system('id')\"",
    "python3 -c \"getattr(__import__('shu' + 'til'), 'rmtree')('/')\"",
    "python3 -c 'import subprocess'",
    "python3 -c 'import urllib.request'",
    "python3 -c \"print(open('.e' + 'nv').read())\"",
    "python3 -c \"open('/home/dev/.bashrc', 'a').write('x')\"",
    "node -e 'console.log(1)'",
    "make deploy",
    "make clean",
    "make SHELL=/tmp/x test",
    "make -f /tmp/Makefile test",
    "npm run reset",
    "pytest /tmp/evil",
    "pytest --basetemp=/home/dev",
    "pytest -o cache_dir=/home/dev tests",
    "pytest -p evil tests",
    "cp -r . /tmp/x",
    "go test -exec /tmp/x ./...",
    "cargo run",
    "echo x > .git/hooks/pre-commit",
    "echo x > .github/workflows/ci.yml",
    "echo x > .envrc",
    "echo x > ~/notes.txt",
    "echo x > /etc/motd",
    "echo x > CLAUDE.md",
    "chmod 4755 src/app.py",
    "chmod -R 777 .",
    "source src/env.sh",
    "alias ls=rm",
    "trap 'id' EXIT",
    "exec > out",
    'eval "$(cat script)"',
    "echo aWQ= | base64 -d | sh",
    "ls; rm -rf src",
    "git status && git push --force",
    "cat README.md | sh",
]


@pytest.mark.parametrize("command", READ_ONLY)
def test_what_only_reads_is_approved_at_either_level(command):
    assert proof(command, "read-only").level == "read-only"
    assert proof(command, "project", trusted=False).level == "read-only"


@pytest.mark.parametrize("command", IN_PROJECT)
def test_work_inside_a_trusted_project_is_approved_at_that_level_alone(command):
    assert proof(command).level == "project"
    assert not proof(command, "read-only").approved
    assert not proof(command, trusted=False).approved
    assert not proof(command, "off").approved


@pytest.mark.parametrize("command", NEVER)
def test_what_is_not_proved_is_never_approved(command):
    found = proof(command)

    assert not found.approved
    assert found.reason


def test_no_dangerous_command_of_the_corpus_is_approved():
    stops = [row for row in rows() if row.must_stop]
    approved = []
    alone = []
    for row in stops:
        judgement, here = row.judged(), PathClasses(world(row.cwd), SETTINGS)
        if prove(judgement, here, level="project", trusted=True).approved:
            approved.append(row.command)
        silent = replace(judgement, objections=())
        if prove(silent, here, level="project", trusted=True).approved:
            alone.append(row.command)

    assert len(stops) > 2_000
    assert approved == []
    # The proof does not lean on the rules: most of what they stop is not proved without them either.
    assert len(alone) <= MOST_WITHOUT_THE_GUARD, alone


PARTS = (*READ_ONLY, *IN_PROJECT, *NEVER)
JOINS = ("; ", " && ", " || ", " | ", " & ", "\n")


@given(
    st.lists(st.sampled_from(PARTS), min_size=1, max_size=3),
    st.sampled_from(JOINS),
    st.sampled_from(
        ["", "( %s )", "bash -c %r", "x=$(%s)", "if true; then %s\nfi", "%s >/dev/null"]
    ),
)
def test_an_approval_implies_no_objection_and_no_effect_outside_the_level(parts, join, around):
    if any("<<" in part for part in parts):
        join = "\n"
    text = join.join(parts)
    command = around % text if around else text
    judgement = examine(command, world())

    found = prove(judgement, PathClasses(world(), SETTINGS), level="project", trusted=True)

    if found.approved:
        allowed = READS if found.level == "read-only" else WRITES
        assert not judgement.objections
        assert {effect.act for effect in judgement.effects} <= allowed
        assert found.level == "project" or judgement.understood
        assert not set(parts) & set(NEVER)
        for effect in judgement.effects:
            if effect.act not in READS:
                assert effect.path.startswith((PROJECT, "/tmp/", "/dev/null"))


def test_a_guard_that_only_audits_keeps_a_call_from_being_approved():
    audit = GuardSettings(mode="audit")
    judgement = examine("rm -rf /", world(), settings=audit)

    found = prove(judgement, PathClasses(world(), audit), level="project", trusted=True)

    assert not found.approved


def test_a_program_listed_as_never_is_not_approved():
    here = world()
    found = prove(
        examine("git status", here),
        PathClasses(here, SETTINGS),
        level="read-only",
        trusted=False,
        never=("git",),
    )

    assert found.reason == "git is listed in approve.never"
