"""Two projects with modules of the same names: each gets its own, then and later."""

import sys
from pathlib import Path

import pytest

from snaphook.config.modules import ProjectModules
from snaphook.config.plugins import resolve
from snaphook.config.settings import Layer, Origin, ProviderEntry


def project(folder: Path, word: str) -> Path:
    for name, text in {
        "policy.py": (
            f"import json\nimport helper\nWORD = {word!r}\n"
            "def says():\n    import later\n    return WORD, helper.WORD, later.WORD\n"
        ),
        "helper.py": f"WORD = {word!r}\n",
        "later.py": f"WORD = {word!r}\n",
        "rules/__init__.py": "from .inner import WORD\nfrom rules import inner\n",
        "rules/inner.py": f"WORD = {word!r}\n",
        "loose/part.py": f"WORD = {word!r}\n",
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


def entry(folder: Path, use: str) -> ProviderEntry:
    origin = Origin(layer=Layer.PROJECT, file=str(folder / "snaphook.toml"), pointer=())
    return ProviderEntry(name="p", use=use, origin=origin)


def test_each_project_gets_its_own_module_and_helpers(tmp_path):
    one, two = project(tmp_path / "one", "first"), project(tmp_path / "two", "second")
    before = dict(sys.modules), list(sys.path), list(sys.meta_path)

    first = resolve(entry(one, "policy:says"), {})
    second = resolve(entry(two, "policy:says"), {})

    assert first() == ("first",) * 3
    assert second() == ("second",) * 3
    assert first() == ("first",) * 3
    assert [resolve(entry(each, "rules:WORD"), {}) for each in (one, two)] == ["first", "second"]
    assert [resolve(entry(each, "loose.part:WORD"), {}) for each in (one, two)] == [
        "first",
        "second",
    ]
    assert "policy" not in sys.modules
    assert "rules.inner" not in sys.modules
    assert "loose" not in sys.modules
    assert (list(sys.path), list(sys.meta_path)) == before[1:]


def test_what_changed_is_loaded_again_and_no_bytecode_is_trusted(tmp_path):
    import py_compile

    folder = project(tmp_path, "old")
    planted = tmp_path / "evil.py"
    planted.write_text("WORD = 'planted'\n")
    py_compile.compile(
        str(planted),
        cfile=str(folder / f"__pycache__/helper.{sys.implementation.cache_tag}.pyc"),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    assert resolve(entry(folder, "policy:says"), {})() == ("old",) * 3

    project(folder, "new")

    assert resolve(entry(folder, "policy:says"), {})() == ("new",) * 3


def test_what_is_installed_comes_before_a_projects_module_of_that_name(tmp_path):
    (tmp_path / "json.py").write_text("raise SystemExit\n")
    (tmp_path / "click.py").write_text("raise SystemExit\n")
    import click

    modules = ProjectModules((tmp_path,))

    assert modules.load("json").__name__ == "json"
    assert modules.load("click") is click


def test_a_module_that_fails_leaves_nothing_behind(tmp_path):
    (tmp_path / "broken.py").write_text("import broken_too\n")
    (tmp_path / "broken_too.py").write_text("1 / 0\n")

    with pytest.raises(ZeroDivisionError):
        ProjectModules((tmp_path,)).load("broken")

    assert not [name for name in sys.modules if name.startswith("broken")]
