"""The native programs are built for every platform, from whatever compiler there is."""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def hatch_build(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "hatch_build", module)
    spec.loader.exec_module(module)
    return module


def hook(module: ModuleType, kind: str = "wheel"):
    return module.NativeBuildHook(str(ROOT), {}, None, None, "", kind)


def test_every_platform_has_a_native_client(hatch_build):
    systems = {target.system for target in hatch_build.TARGETS.values()}

    assert systems == {system for _, system in hatch_build.PROGRAMS}
    assert all((ROOT / "native" / source).exists() for source in hatch_build.PROGRAMS.values())


def test_a_machine_without_a_compiler_gets_one_from_pypi(hatch_build, monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.setenv("PATH", "/nowhere")

    assert hook(hatch_build).dependencies() == [hatch_build.ZIG]
    assert hook(hatch_build, "sdist").dependencies() == []


def test_a_machine_with_a_compiler_downloads_none(hatch_build, monkeypatch):
    monkeypatch.setenv("CC", "cc")

    assert hook(hatch_build).dependencies() == []


def test_an_unknown_platform_is_an_error_that_lists_the_known_ones(hatch_build, monkeypatch):
    monkeypatch.setenv("SNAPHOOK_TARGET", "plan9")

    with pytest.raises(SystemExit, match=r"unknown platform 'plan9'. Use one of: linux-x86_64"):
        hook(hatch_build).dependencies()


def test_a_build_without_any_compiler_says_what_is_slower(hatch_build, monkeypatch, capsys):
    monkeypatch.setattr(hatch_build, "_own_compiler", lambda: None)
    monkeypatch.setattr(hatch_build, "_zig", lambda: None)
    data: dict[str, dict[str, str]] = {"shared_scripts": {}}

    hook(hatch_build).initialize("standard", data)

    assert data == {"shared_scripts": {}}
    assert "no C compiler works here" in capsys.readouterr().err


@pytest.mark.needs("cc")
def test_programs_are_compiled_and_carry_no_path(hatch_build, tmp_path):
    programs = hatch_build.compile_programs(ROOT)

    assert "snaphook-hook" in {program.name for program in programs}
    assert [program for program in programs if str(ROOT).encode() in program.read_bytes()] == []
