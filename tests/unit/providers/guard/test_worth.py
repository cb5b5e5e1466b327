"""What a real repository says is source code, output, or kept nowhere else."""

import subprocess

import pytest

from snaphook.providers.guard import GuardAnswer, GuardSettings, examine
from snaphook.shell.live import LiveWorld
from snaphook.shell.tracked import committed, tracked


def git(root, *words):
    who = ["-c", "user.email=ada@example.com", "-c", "user.name=Ada"]
    subprocess.run(["git", "-C", str(root), *who, *words], check=True, capture_output=True)


def write(root, *names, text="x\n"):
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "app"
    write(root, "src/a.py", "src/b.py", "pkg/main.go", "build_tools/x.py", "src/build/y.py")
    write(root, "package.json", "generated/api.ts", "seed.db")
    write(root, ".gitignore", text=".env\ndata/\n*.sqlite3\nout-put/\n")
    git(root, "init", "-q")
    git(root, "add", "-f", ".")
    git(root, "commit", "-qm", "one")
    write(root, ".env", "data/x.csv", "db.sqlite3", "dist/a.js", "mine/x", "notes.md")
    write(root, "kept/CACHEDIR.TAG", "env39/pyvenv.cfg", "fresh_build/tool.py")
    return root


def answer(command, root):
    world = LiveWorld(str(root), env={"HOME": "/home/me"}, project=str(root))
    return examine(command, world, settings=GuardSettings(temp_dirs=("/tmp/none",))).answer


@pytest.mark.parametrize("version", ["2", "4"])
def test_the_index_tells_what_is_tracked(project, version):
    git(project, "update-index", "--index-version", version)

    assert tracked(f"{project}/src") is True
    assert tracked(f"{project}/src/a.py") is True
    assert tracked(f"{project}/sr") is False
    assert tracked(f"{project}/notes.md") is False
    assert committed(f"{project}/src/b.py") is True


def test_a_changed_file_is_not_committed_and_a_touched_one_is(project):
    write(project, "src/a.py", text="y\n")
    (project / "src/b.py").touch()

    assert committed(f"{project}/src/a.py") is False
    assert committed(f"{project}/src/b.py") is True


def test_outside_a_repository_nothing_is_known_about_tracking(tmp_path):
    assert tracked(str(tmp_path)) is None
    assert committed(str(tmp_path / "x")) is None


@pytest.mark.parametrize(
    "command",
    [
        "rm .env",
        "rm -f db.sqlite3",
        "rm -rf data",
        "cp a.txt .env",
        "> .env",
        "rm -rf pkg",
        "rm -rf src/build",
        "rm -rf build_tools",
        "rm -rf generated",
        "rm -rf mine",
        "rm -rf fresh_build",
        "rm src/*.py",
    ],
)
def test_what_nobody_else_has_is_asked_about(project, command):
    assert answer(command, project) is GuardAnswer.ASK


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf dist",
        "rm -rf kept env39",
        "rm -rf not-there",
        "rm -rf not-there && mkdir not-there",
        "rm seed.db",
        "rm notes.md",
        "rm src/none*.py",
        "echo A=1 > .env.local",
        "echo A=1 >> .env",
        "[ -f .env ] || cp .env.example .env",
    ],
)
def test_what_can_be_made_or_fetched_again_goes_without_a_question(project, command):
    assert answer(command, project) is GuardAnswer.ALLOW


@pytest.mark.parametrize(
    "command", ["mv src gone && rm -rf gone", "ln -s /home/me tmpdir; rm -rf tmpdir/"]
)
def test_what_is_moved_or_linked_to_a_new_name_is_not_nothing(project, command):
    assert answer(command, project) >= GuardAnswer.ASK
