"""recipes: each one parses, passes check, and really runs."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from snaphook.config import Dialect, Environment, load
from snaphook.config.check import check, shell_error
from snaphook.config.edit import add_hook
from snaphook.config.recipes import Recipe, recipes

from .helpers import approve, put

RECIPES = list(recipes().values())
FILES = {
    "a.py": "x = 1\n",
    "a.js": "let x = 1;\n",
    "a.ts": "let x = 1;\n",
    "a.go": "package main\n\nfunc main() {}\n",
    "go.mod": "module a\n\ngo 1.20\n",
    "a.rs": "fn main() {}\n",
    "Cargo.toml": '[package]\nname = "a"\nversion = "1.0.0"\n\n[[bin]]\nname = "a"\npath = "a.rs"\n',
    "package.json": '{"name": "a", "scripts": {"test": "true"}}\n',
    "a.sh": "echo x\n",
    "a.json": "{}\n",
    "a.tf": "\n",
    "Makefile": "test:\n\ttrue\n",
}


def run(recipe: Recipe, project: Path, event: dict[str, Any]) -> "subprocess.CompletedProcess[str]":
    """Run a recipe as a host would, with our own ``snaphook`` first on the PATH."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "NOTIFY_WEBHOOK": ""}
    return subprocess.run(
        ["sh", "-c", recipe.command],
        input=json.dumps(event),
        cwd=project,
        env=env,
        capture_output=True,
        text=True,
        timeout=250,
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "work"
    root.mkdir()
    for name, content in FILES.items():
        put(root / name, content)
    for words in (["init", "-q", "-b", "main"], ["add", "."]):
        subprocess.run(["git", *words], cwd=root, check=True)
    author = ["-c", "user.name=a", "-c", "user.email=a@example.com"]
    subprocess.run(["git", *author, "commit", "-qm", "first"], cwd=root, check=True)
    return root


def refusal(recipe: str, project: Path, **tool_input: str) -> str:
    """Return what the agent hears from a recipe that says no, or nothing."""
    done = run(recipes()[recipe], project, {"tool_input": tool_input})
    assert done.returncode in (0, 2), done.stderr
    return done.stderr if done.returncode == 2 else ""


@pytest.mark.req("WS-12")
def test_there_are_recipes_for_all_common_work():
    topics = {recipe.topic for recipe in RECIPES}

    assert len(RECIPES) >= 30
    assert topics >= {"Python", "JavaScript, TypeScript", "Go", "Rust", "git", "Secrets"}


@pytest.mark.req("WS-12")
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
@pytest.mark.parametrize("dialect", list(Dialect))
def test_a_recipe_added_to_a_file_loads_and_passes_the_check(
    recipe: Recipe, dialect: Dialect, around: Environment
):
    names = {Dialect.SNAPHOOK: "snaphook.toml", Dialect.CLAUDE: ".claude/settings.json"}
    file = around.cwd / names.get(dialect, ".wave/settings.json")

    assert add_hook(file, recipe.event, recipe.entry(dialect))
    assert not add_hook(file, recipe.event, recipe.entry(dialect)), "twice is once"

    approve(around)
    assert [hook.command for hook in load(around).hooks] == [recipe.command]
    assert check(around) == ()


@pytest.mark.req("WS-12")
@pytest.mark.timeout(300)  # a cold Go or Rust compiles its own library first
@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.name)
def test_a_recipe_runs_where_its_tool_is_and_says_so_where_not(recipe: Recipe, project: Path):
    assert shell_error(recipe.command) is None
    fitting = [name for name in FILES if f"*{Path(name).suffix}" in recipe.command][:1]
    for name in [*fitting, "Makefile"]:
        done = run(recipe, project, {"tool_input": {"file_path": str(project / name)}})
        missing = f"{recipe.name}: {recipe.needs} is not installed"
        assert done.returncode == 0 or missing in done.stderr, (recipe.command, done.stderr)
        assert "not found" not in done.stderr


@pytest.mark.parametrize(
    ("recipe", "asked", "said"),
    [
        ("git-no-force-push", "git push --force origin topic", "forced push"),
        ("git-no-force-push", "git push -f", "forced push"),
        ("git-no-force-push", "git push --force-with-lease", ""),
        ("git-no-force-push", "git push origin feature-f", ""),
        ("git-protect-main", "git commit -m x", "main branch"),
        ("git-no-verify", "git commit --no-verify -m x", "not to be skipped"),
        ("git-no-discard", "git reset --hard HEAD~1", "uncommitted"),
        ("git-no-discard", "git reset --soft HEAD~1", ""),
        ("secrets-before-commit", "git commit -m x", ""),
    ],
)
def test_a_shell_command_is_refused_with_a_reason(
    recipe: str, asked: str, said: str, project: Path
):
    told = refusal(recipe, project, command=asked)

    assert said in told if said else not told


def test_a_token_is_kept_out_of_files_and_commits(project: Path):
    token = "ghp_" + "a1B2" * 9
    put(project / "config.py", f"token = '{token}'\n")
    subprocess.run(["git", "add", "."], cwd=project, check=True)

    assert "token" in refusal("secrets-in-edits", project, file_path="a.py", content=token)
    assert "staged" in refusal("secrets-before-commit", project, command="git commit -m x")
    assert not refusal("secrets-in-edits", project, file_path="a.py", content="x = 1")


@pytest.mark.parametrize(
    ("file", "refused"), [(".env", True), (".env.example", False), ("src/app.py", False)]
)
def test_env_files_are_kept_from_the_agent(file: str, refused: bool, project: Path):
    assert bool(refusal("secrets-no-env", project, file_path=f"{project}/{file}")) is refused


def test_the_agent_hears_what_the_linter_says(project: Path):
    put(project / "bad.py", "import os\n")

    assert "unused" in refusal("python-lint", project, file_path=str(project / "bad.py"))


def test_the_agent_is_sent_back_once_while_the_tests_fail(project: Path):
    put(project / "Makefile", "test:\n\t@echo 'one test failed'; exit 1\n")
    recipe = recipes()["make-test"]

    first = run(recipe, project, {"stop_hook_active": False})
    again = run(recipe, project, {"stop_hook_active": True})

    assert (first.returncode, again.returncode) == (2, 0)
    assert "one test failed" in first.stderr


def test_a_checkpoint_keeps_the_work_tree(project: Path, monkeypatch: pytest.MonkeyPatch):
    put(project / "a.py", "x = 2\n")
    env = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.com"}
    for name, value in env.items():
        monkeypatch.setenv(name, value)
        monkeypatch.setenv(name.replace("AUTHOR", "COMMITTER"), value)

    assert run(recipes()["git-checkpoint"], project, {}).returncode == 0
    shown = ["git", "show", "refs/snaphook/checkpoint:a.py"]
    assert subprocess.check_output(shown, cwd=project, text=True) == "x = 2\n"


def test_what_a_recipe_needs_is_a_program_or_nothing():
    assert all(" " not in recipe.needs for recipe in RECIPES)
    assert shutil.which("sh")
