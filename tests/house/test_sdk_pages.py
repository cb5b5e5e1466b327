"""The examples of an SDK's page import nothing that its extra does not install."""

import ast
import re
import tomllib
from importlib.metadata import packages_distributions, requires
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted((ROOT / "docs/how-to/sdks").glob("*.md"))
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", _NAME.match(name)[0].lower())  # type: ignore[index]


def installed_with(extra: str) -> set[str]:
    """Return the distributions of *extra*, and what those need."""
    found = {plain(each) for each in EXTRAS[extra]}
    for name in tuple(found):
        found |= {plain(each) for each in requires(name) or () if "extra ==" not in each}
    return found


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_the_extra_installs_what_the_examples_import(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.search(r"pip install 'snaphook\[([\w-]+)\]'", text)
    if named is None:
        return
    owners = packages_distributions()
    imported = {
        (node.module if isinstance(node, ast.ImportFrom) else node.names[0].name).split(".")[0]  # type: ignore[union-attr]
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
        for node in ast.walk(ast.parse(block))
        if isinstance(node, ast.Import | ast.ImportFrom)
    }
    foreign = {
        module: {plain(each) for each in owners[module]}
        for module in imported
        if module in owners and module != "snaphook"
    }
    have = installed_with(named[1])

    assert {module for module, names in foreign.items() if not names & have} == set()
