"""plugins: found by entry point or import string, and a clear word for each way it fails."""

import sys
from pathlib import Path

import pytest

from snaphook.config import Environment, Layer, Origin, ProviderEntry
from snaphook.config.plugins import plugins, resolve
from snaphook.errors import ConfigError, ProviderError

from .helpers import put


def install(folder: Path, name: str, points: str) -> None:
    """Lay out what pip would: a module, and metadata with entry points."""
    put(folder / f"{name}.py", "class Provider: ...\n")
    info = folder / f"{name}-1.0.dist-info"
    put(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    put(info / "entry_points.txt", f"[snaphook.providers]\n{points}\n")


def entry(use: str, file: Path | None = None) -> ProviderEntry:
    origin = Origin(layer=Layer.USER, file=str(file) if file else "")
    return ProviderEntry(name="mine", use=use, origin=origin)


@pytest.mark.req("SQ-16")
def test_an_installed_plugin_is_found_by_its_name(
    around: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    site = tmp_path / "site"
    install(site, "acme_audit_plugin", "audit = acme_audit_plugin:Provider")
    monkeypatch.syspath_prepend(site)

    known = plugins(around, path=[str(site)])

    assert known == {"audit": "acme_audit_plugin:Provider"}
    found = resolve(entry("audit"), known)
    assert found is sys.modules["acme_audit_plugin"].Provider


def test_what_was_found_is_kept_until_something_is_installed(
    around: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    site = tmp_path / "site"
    install(site, "one", "one = one:Provider")
    plugins(around, path=[str(site)])
    monkeypatch.setattr("snaphook.config.plugins._scan", lambda _: {"scanned": "again"})

    assert plugins(around, path=[str(site)]) == {"one": "one:Provider"}
    install(site, "two", "two = two:Provider")
    assert plugins(around, path=[str(site)]) == {"scanned": "again"}


def test_a_damaged_or_unwritable_cache_only_costs_time(around: Environment, tmp_path: Path):
    site = tmp_path / "site"
    install(site, "one", "one = one:Provider")
    put(around.cache_dir / "plugins.json", "{broken")
    assert plugins(around, path=[str(site)]) == {"one": "one:Provider"}

    put(around.home / "file", "")
    blocked = Environment(cwd=around.cwd, home=around.home / "file", env={}, managed=around.managed)
    assert plugins(blocked, path=[str(site)]) == {"one": "one:Provider"}


@pytest.mark.req("SQ-6")
def test_a_module_beside_the_settings_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    put(tmp_path / "src/house_rules_here.py", "class Mine:\n    class Inner: ...\n")

    found = resolve(entry("house_rules_here:Mine.Inner", tmp_path / "snaphook.toml"), {})

    assert found.__qualname__ == "Mine.Inner"


@pytest.mark.parametrize(
    ("use", "kind", "words"),
    [
        ("adit", ConfigError, "unknown provider 'adit'. Did you mean 'audit'?"),
        ("no_such_module_x:A", ConfigError, "no module 'no_such_module_x'"),
        ("json:JSONDecoder2", ConfigError, "Did you mean 'JSONDecoder'?"),
        ("broken_provider_x:A", ProviderError, "ZeroDivisionError"),
        ("needy_provider_x:A", ProviderError, "pip install not_installed_x"),
    ],
)
def test_each_way_to_fail_has_its_own_words(
    use: str, kind: type[Exception], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    put(tmp_path / "broken_provider_x.py", "1 / 0\n")
    put(tmp_path / "needy_provider_x.py", "import not_installed_x\n")
    monkeypatch.syspath_prepend(tmp_path)

    with pytest.raises(kind) as caught:
        resolve(entry(use), {"audit": "json:loads"})

    assert words in str(caught.value)
    assert "providers.mine" in str(caught.value)
