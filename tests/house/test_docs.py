"""The docs are complete: every page can be reached, every generated one is fresh."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.thorough import only_thoroughly

from snaphook.canon import EVENTS
from snaphook.cli.overview import SECTIONS
from snaphook.cli.table import COMMANDS
from snaphook.providers.guard.rules.table import RULES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def headings(page):
    return re.findall(r"^#+ (.+)$", (DOCS / page).read_text(encoding="utf-8"), re.MULTILINE)


def test_every_page_is_in_the_navigation():
    listed = set(re.findall(r"- ([\w/-]+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE))
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}

    assert listed == pages


@only_thoroughly
def test_what_is_made_from_the_code_is_fresh():
    done = subprocess.run(
        [sys.executable, "scripts/generate.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )

    assert done.returncode == 0, done.stdout + done.stderr


def test_every_package_has_its_line_on_the_page_of_layers():
    package = ROOT / "src" / "snaphook"
    paths = [
        path
        for folder in (package, package / "providers", package / "stores")
        for path in folder.iterdir()
        if path.suffix == ".py" or (path / "__init__.py").exists()
    ]
    packages = {path.stem for path in paths if not path.stem.startswith("__")}
    named = re.findall(r"`([a-z]+)`", (DOCS / "explanation/layers.md").read_text())

    assert packages - set(named) == set()


@pytest.mark.parametrize("spec", EVENTS, ids=lambda spec: spec.name)
def test_every_event_has_its_heading(spec):
    assert spec.name in headings("reference/events.md")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_its_heading(name):
    assert f"snaphook {name}" in headings("reference/cli.md")


def test_every_rule_has_its_heading():
    text = (DOCS / "reference/guard-rules.md").read_text(encoding="utf-8")

    assert [rule.id for rule in RULES if rule.id not in text] == []


def test_every_command_stands_in_one_section_of_the_help():
    listed = [name for names in SECTIONS.values() for name in names.split()]

    assert sorted(listed) == sorted(COMMANDS)
