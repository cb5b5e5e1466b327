"""git, called by us in a stranger's repository, runs no program that its settings name."""

import subprocess
from pathlib import Path

import pytest

from snaphook.shell.git_status import unsaved
from snaphook.shell.repository import Repository
from snaphook.shell.safe_git import approved_git, safe_git
from snaphook.stores.snapshots.git import Git

SOURCES = Path(__file__).parents[3] / "src/snaphook"
SETTINGS = {
    "clean filter": '[filter "evil"]\n\tclean = {run}; cat\n',
    "filter process": '[filter "evil"]\n\tprocess = {run}\n\trequired = true\n',
    "filter with an equals sign in its name": '[filter "a=b"]\n\tclean = {run}; cat\n',
    "filter in capitals": '[FILTER "evil"]\n\tCLEAN = {run}; cat\n',
    "fsmonitor": "[core]\n\tfsmonitor = {run}\n",
    "hooks": "[core]\n\thooksPath = hooks\n",
    "pager": "[core]\n\tpager = {run}\n[pager]\n\tstatus = {run}\n",
    "external diff": "[diff]\n\texternal = {run}\n",
    "textconv": '[diff "evil"]\n\ttextconv = {run}\n\tcommand = {run}\n',
    "included": "[include]\n\tpath = more\n",
}


@pytest.fixture(params=SETTINGS)
def hostile(request, tmp_path):
    """A repository that would run a program; the file that the program makes."""
    root, mark = tmp_path / "repo", tmp_path / "ran"
    root.mkdir()
    run = f"touch {mark}"
    who = ("-c", "user.name=x", "-c", "user.email=x@example.com")
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / "a").write_text("one\n")
    subprocess.run(["git", "add", "."], cwd=root, check=True)
    subprocess.run(["git", *who, "commit", "-qm", "a"], cwd=root, check=True)
    (root / ".gitattributes").write_text("* filter=evil diff=evil\n")
    if "equals" in request.param:
        (root / ".gitattributes").write_text("* filter=a=b\n")
    (root / "a").write_text("two\n")
    (root / ".git/more").write_text(SETTINGS["clean filter"].format(run=run))
    hooks = root / "hooks"
    hooks.mkdir()
    for name in ("post-index-change", "pre-commit", "reference-transaction"):
        (hooks / name).write_text(f"#!/bin/sh\n{run}\n")
        (hooks / name).chmod(0o755)
    with (root / ".git/config").open("a") as config:
        config.write(SETTINGS[request.param].format(run=run))
    return root, mark


@pytest.mark.parametrize("words", [("status", "--porcelain"), ("diff", "--stat"), ("add", "-A")])
def test_no_program_of_the_repository_runs(hostile, words):
    root, mark = hostile
    subprocess.run([*safe_git(root), *words], capture_output=True, cwd=root, check=False)

    assert not mark.exists()


def test_neither_the_guard_nor_a_snapshot_runs_one(hostile):
    root, mark = hostile
    unsaved(Repository(cwd=str(root)), (), {"PATH": "/usr/bin:/bin"}, ignored=True)
    git = Git(root)
    git.run(("status", "--porcelain"))
    git.run(("add", "-A", "--intent-to-add"))

    assert not mark.exists()


def test_an_ordinary_repository_answers_as_ever(tmp_path):
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    (tmp_path / "a").write_text("one\n")
    done = subprocess.run(
        [*safe_git(tmp_path), "status", "--porcelain"], capture_output=True, check=True
    )

    assert done.stdout == b"?? a\n"
    assert approved_git()[0] == "git"


def test_every_call_of_git_begins_with_these_words():
    found = [
        f"{path.relative_to(SOURCES)}: {line.strip()}"
        for path in sorted(SOURCES.rglob("*.py"))
        if path.name != "safe_git.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        if '["git", ' in line or '("git", "-' in line or '("git", *' in line
    ]

    assert found == []
