"""An approval covers what runs, however it is spelled; what cannot be told is said."""

import os
import shutil

import pytest

from snaphook.config import Environment, LiveSettings, load
from snaphook.config.trust import Approval, TrustStore
from snaphook.providers.guard.coverage import command_coverage

from .helpers import approve, put

FILES = {
    "check": "#!/bin/sh\n. ./lib/common.sh\n./tools/x.sh\n",
    "lib/common.sh": "echo 1\n",
    "tools/x.sh": "python3 tools/h.py\n",
    "tools/h.py": "import helper\n",
    "tools/helper.py": "",
    "mod/__init__.py": "",
    "mod/__main__.py": "from . import part\n",
    "mod/part.py": "",
    "s.js": "const a = require('./lib/n')\n",
    "lib/n.js": "",
    "real.sh": "echo\n",
    "other.sh": "echo other\n",
    "Makefile": "all:\n\t./tools/x.sh\n",
    "package.json": '{"scripts": {"lint": "node s.js"}}',
}


@pytest.fixture
def project(around: Environment) -> Environment:
    for name, text in FILES.items():
        put(around.cwd / name, text).chmod(0o755)
    (around.cwd / "link.sh").symlink_to("real.sh")
    return around


def settings(around: Environment, command: str) -> None:
    put(
        around.cwd / "snaphook.toml",
        f"[[hooks.PreToolUse]]\n[[hooks.PreToolUse.hooks]]\ntype = 'command'\ncommand = '''{command}'''\n",
    )


def runs(around: Environment) -> bool:
    return bool(load(around).hooks)


@pytest.mark.parametrize(
    ("command", "changed"),
    [
        pytest.param("bash check", "check", id="a bare name"),
        pytest.param("sh -e check", "lib/common.sh", id="what it sources"),
        pytest.param("./check", "tools/x.sh", id="what it starts"),
        pytest.param("./check", "tools/helper.py", id="what that imports"),
        pytest.param("cd tools && ./x.sh", "tools/x.sh", id="after cd"),
        pytest.param("$PWD/tools/x.sh", "tools/x.sh", id="by PWD"),
        pytest.param('"${CLAUDE_PROJECT_DIR:-.}"/check', "check", id="with a default"),
        pytest.param("x=tools; $x/x.sh", "tools/x.sh", id="by a variable"),
        pytest.param("PATH=$PWD/tools:$PATH x.sh", "tools/x.sh", id="by PATH"),
        pytest.param("python3 -m mod", "mod/__main__.py", id="a module"),
        pytest.param("python3 -m mod", "mod/part.py", id="a part of it"),
        pytest.param("python3 -c 'import mod'", "mod/__init__.py", id="imported by -c"),
        pytest.param("node s.js", "lib/n.js", id="what Node requires"),
        pytest.param("make all", "Makefile", id="a makefile"),
        pytest.param("npm run lint", "package.json", id="a package's scripts"),
        pytest.param("timeout 5 ./check | tee log", "check", id="wrapped"),
        pytest.param("bash -c 'tools/x.sh'", "tools/x.sh", id="nested"),
        pytest.param('eval "$(cat check)"', "check", id="read and evaluated"),
        pytest.param("./link.sh", "real.sh", id="where a link leads"),
    ],
)
def test_a_change_to_what_runs_withdraws_the_approval(project, command, changed):
    settings(project, command)
    approve(project)
    assert runs(project)
    path = project.cwd / changed
    seen = path.stat()
    text = path.read_bytes()

    path.write_bytes(b"#" * len(text) if text else b"# ")
    os.utime(path, ns=(seen.st_atime_ns, seen.st_mtime_ns))  # same size, same time

    assert not runs(project)
    assert changed in load(project).lapsed[0] or "link.sh" in load(project).lapsed[0]


@pytest.mark.parametrize(
    ("command", "created"),
    [
        pytest.param("bash later.sh", "later.sh", id="a script that is not there yet"),
        pytest.param(
            "python3 tools/h.py", "tools/helper/__init__.py", id="a package before a module"
        ),
        pytest.param("python3 -m mod", "mod.py", id="beside a package"),
        pytest.param("make all", "GNUmakefile", id="a makefile that comes first"),
        pytest.param("python3 -m json.tool", "json.py", id="before the standard library"),
    ],
)
def test_a_file_that_would_run_instead_withdraws_the_approval(project, command, created):
    settings(project, command)
    approve(project)
    assert runs(project)

    put(project.cwd / created, "x = 1\n")

    assert not runs(project)


def test_a_retargeted_link_withdraws_the_approval(project):
    settings(project, "./link.sh")
    approve(project)
    (project.cwd / "link.sh").unlink()
    (project.cwd / "link.sh").symlink_to("other.sh")

    assert not runs(project)


@pytest.mark.parametrize(
    "changed", ["house/rules.py", "house/__init__.py", "house/helper.py", "house/deep/inner.py"]
)
def test_a_providers_package_and_helpers_are_covered(around, changed):
    put(around.cwd / "snaphook.toml", '[providers.mine]\nuse = "house.rules:Mine"\n')
    put(around.cwd / "house/__init__.py", "")
    put(around.cwd / "house/rules.py", "from house import helper\nclass Mine: ...\n")
    put(around.cwd / "house/helper.py", "from .deep.inner import x\n")
    put(around.cwd / "house/deep/inner.py", "x = 1\n")
    approve(around)
    assert load(around).providers

    put(around.cwd / changed, "evil = 1\n")

    assert load(around).providers == ()


def test_comments_and_blanks_need_no_new_approval_and_words_do(project):
    settings(project, "echo a")
    approve(project)
    file = project.cwd / "snaphook.toml"
    file.write_text(f"# a remark\n\n{file.read_text()}\n")
    assert runs(project)

    file.write_text(file.read_text().replace("echo a", "echo b"))

    assert not runs(project)
    assert load(project).lapsed == (
        f"{file}: it changed since it was approved, so its hooks do not run",
    )


def test_an_approval_of_an_earlier_version_is_void_and_says_so(project):
    settings(project, "echo a")
    store = TrustStore.of(project)
    put(store.path, {str(project.cwd): {str(project.cwd / "snaphook.toml"): "abc"}})

    assert not runs(project)
    assert "an earlier version" in load(project).lapsed[0]


def test_a_change_is_seen_at_the_next_look_however_soon(project):
    """Same size, same times, and within one tick of the file system's clock."""
    settings(project, "./real.sh")
    approve(project)
    live = LiveSettings(project)
    script = project.cwd / "real.sh"
    seen = script.stat()
    for _ in range(50):
        assert live.current().hooks
        script.write_text("evil\n")
        os.utime(script, ns=(seen.st_atime_ns, seen.st_mtime_ns))
        assert not live.current().hooks
        script.write_text("echo\n")
        os.utime(script, ns=(seen.st_atime_ns, seen.st_mtime_ns))


@pytest.mark.parametrize(
    ("command", "said"),
    [
        pytest.param("for f in tools/*.sh; do bash $f; done", "tools/*.sh", id="a glob"),
        pytest.param("npm run lint", "npm run", id="a tool that runs the project"),
        pytest.param("PATH=./bin:$PATH lint", "PATH is changed", id="another PATH"),
        pytest.param("bash later.sh", "later.sh", id="not there yet"),
    ],
)
def test_what_cannot_be_told_is_said(project, command, said):
    assert said in " ".join(command_coverage(command, project.cwd).unknown)


def test_a_command_that_runs_nothing_of_the_project_covers_nothing(project):
    found = command_coverage("test -f out && rm out; git status", project.cwd)

    assert (found.files, found.absent) == (frozenset(), frozenset())


def test_the_hash_is_of_the_content(project):
    settings(project, "./check")
    approve(project)
    (given,) = TrustStore.of(project).of_project(project.cwd).values()
    assert isinstance(given, Approval)
    assert given.files["check"]

    shutil.copy(project.cwd / "check", project.cwd / "copy")
    (project.cwd / "copy").replace(project.cwd / "check")

    assert runs(project), "another inode, the same content"
