"""merge: who may set what, and who may only tighten."""

from typing import ClassVar

import pytest
from msgspec import Struct

from snaphook.config import Environment, Settings, load

from .helpers import approve, hooks, put


class GuardTable(Struct, kw_only=True):
    tightens: ClassVar = ("protect", "strict")
    protect: list[str] = []
    strict: bool = False
    allow: list[str] = []


SECTIONS = {"guard": GuardTable}


def user(around: Environment, text: str) -> None:
    put(around.config_dir / "snaphook.toml", text)


def project(around: Environment, text: str) -> None:
    put(around.cwd / "snaphook.toml", text)


def managed(around: Environment, text: str) -> None:
    put(around.managed / "snaphook/snaphook.toml", text)


@pytest.mark.req("SQ-6")
def test_nothing_configured_is_the_default(around: Environment):
    assert load(around) == Settings(root=str(around.cwd))


@pytest.mark.parametrize(
    ("lower", "upper", "effective"),
    [
        pytest.param('"strictest"', '"first"', "strictest", id="may not loosen"),
        pytest.param('"first"', '"strictest"', "strictest", id="may tighten"),
    ],
)
def test_an_unapproved_project_may_tighten_the_strategy_not_loosen_it(
    around: Environment, lower: str, upper: str, effective: str
):
    user(around, f"strategy = {lower}")
    project(around, f"strategy = {upper}")

    assert load(around).strategy == effective


def test_an_approved_project_may_loosen(around: Environment):
    user(around, 'strategy = "strictest"')
    project(around, 'strategy = "first"\nstop_block_cap = 1')
    approve(around)

    settings = load(around)

    assert (settings.strategy, settings.stop_block_cap) == ("first", 1)


def test_an_administrator_can_forbid_even_an_approved_project_to_loosen(around: Environment):
    managed(around, 'allow_loosening = false\n[providers.audit]\nuse = "audit"\n')
    project(around, 'strategy = "first"\n[providers.audit]\nenabled = false\n')
    approve(around)

    settings = load(around)

    assert settings.strategy == "strictest"
    assert [entry.enabled for entry in settings.providers] == [True]
    assert [origin.pointer for origin in settings.refused] == [
        ("strategy",),
        ("providers", "audit"),
    ]


@pytest.mark.req("SQ-6")
def test_a_provider_is_swapped_in_the_projects_file(around: Environment):
    user(around, '[providers.rules]\nuse = "ours:Rules"\n[providers.audit]\n')
    project(
        around,
        '[providers.rules]\nuse = "theirs:Rules"\nstance = "closed"\noptions = {level = 3}\n',
    )
    approve(around)

    assert [(entry.name, entry.use, entry.options) for entry in load(around).providers] == [
        ("rules", "theirs:Rules", {"level": 3}),
        ("audit", "audit", {}),
    ]


def test_an_unapproved_project_adds_to_what_tightens_in_another_rooms_table(
    around: Environment,
):
    user(around, '[guard]\nprotect = ["a"]\nallow = ["x"]\n')
    project(around, '[guard]\nprotect = ["a", "b"]\nallow = ["y"]\nstrict = true\n')

    settings = load(around, sections=SECTIONS)

    assert settings.sections["guard"].values == {
        "protect": ["a", "b"],
        "allow": ["x"],
        "strict": True,
    }
    assert [origin.pointer for origin in settings.refused] == [("guard", "allow")]


@pytest.mark.parametrize(
    ("place", "kept"),
    [
        pytest.param("user", ["managed"], id="the user switches all but managed hooks off"),
        pytest.param("project", ["managed", "user"], id="a stranger's project cannot"),
    ],
)
def test_all_hooks_can_be_switched_off_by_those_who_may(
    around: Environment, place: str, kept: list[str]
):
    put(around.managed / "claude-code/managed-settings.json", hooks("managed"))
    off = {"disableAllHooks": True}
    put(
        around.home / ".claude/settings.json",
        {**(off if place == "user" else {}), **hooks("user")},
    )
    put(around.cwd / ".claude/settings.json", off if place == "project" else {})

    assert [hook.command for hook in load(around).hooks] == kept


def test_managed_hooks_only_leaves_no_other_command(around: Environment):
    managed(around, 'managed_hooks_only = true\n[[hooks.Stop]]\ncommand = "kept"\n')
    put(around.home / ".wave/settings.json", hooks("gone"))

    assert [hook.command for hook in load(around).hooks] == ["kept"]
