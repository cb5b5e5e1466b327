"""What a release needs is there, and agrees with the package."""

import importlib.util
import re
from pathlib import Path

import pytest
import yaml

import snaphook
from snaphook.cli.table import COMMANDS

ROOT = Path(__file__).parents[2]
TEXTS = [
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "LICENSE",
    ".pre-commit-config.yaml",
    ".github/PULL_REQUEST_TEMPLATE.md",
]


def load(name: str):
    spec = importlib.util.spec_from_file_location(name, ROOT / "scripts" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", TEXTS)
def test_what_people_look_for_is_there(name):
    assert (ROOT / name).stat().st_size > 0


def test_every_step_of_a_workflow_is_a_make_target_or_an_action():
    """So that whatever runs there can be run, and is run, anywhere."""
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for file in (ROOT / ".github/workflows").glob("*.yml"):
        for job in yaml.safe_load(file.read_text())["jobs"].values():
            made = [step["run"] for step in job["steps"] if step.get("run", "").startswith("make")]
            assert {line.split()[1] for line in made} <= targets


def test_pre_commit_hooks_call_commands_that_exist():
    hooks = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())

    assert {hook["entry"].split()[1] for hook in hooks} <= set(COMMANDS)


def test_a_tag_that_is_not_the_version_is_refused():
    changelog = load("changelog")

    assert "is not v" in changelog.problems("v99.0.0")[0]


def test_the_section_of_a_release_ends_where_the_next_begins(tmp_path, monkeypatch):
    changelog = load("changelog")
    monkeypatch.setattr(changelog, "ROOT", tmp_path)
    (tmp_path / "CHANGELOG.md").write_text("# C\n\n## 1.1.0\n\nnew\n\n## 1.0.0\n\nold\n")

    assert (changelog.section("1.1.0"), changelog.section("1.0.0")) == ("new", "old")
    assert changelog.section("1.0") is None


def test_plugins_carry_the_version_of_the_package():
    for file in ROOT.glob("plugins/*/**/*.json"):
        if file.name != "hooks.json":
            assert f'"version": "{snaphook.__version__}"' in file.read_text()
