"""A project that nobody approved loosens nothing, whatever table it writes."""

from pathlib import Path

import pytest
from msgspec import structs

from snaphook.config import Environment, load
from snaphook.wiring.sections import SECTION_SPECS, every_section

from .helpers import approve, put

SECTIONS = every_section()
OTHERS = [name for name in SECTION_SPECS if name != "guard"]


def values(around: Environment, name: str) -> dict[str, object]:
    table = load(around, sections=SECTIONS).sections.get(name)
    return dict(table.values) if table else {}


def opposite(value: object) -> object:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case _:
            return "other"


def toml(value: object) -> str:
    match value:
        case bool():
            return str(value).lower()
        case int() | float():
            return str(value)
        case _:
            return f'"{value}"'


@pytest.mark.parametrize("name", OTHERS)
def test_no_table_of_an_unapproved_project_switches_anything_on(around: Environment, name: str):
    for key in structs.fields(SECTIONS[name]):
        put(around.cwd / "snaphook.toml", f"[{name}]\n{key.encode_name} = true\n")
        try:
            found = load(around, sections=SECTIONS).sections
        except Exception:  # noqa: BLE001 - a value of the wrong type stops the loading
            continue
        assert name not in found, key.encode_name


def test_every_plain_value_of_the_user_survives_an_unapproved_project(around: Environment):
    """Each key with a plain default, in each table: the user's value against its opposite."""
    changed = []
    for name in OTHERS:
        for key in structs.fields(SECTIONS[name]):
            own = key.default
            if not isinstance(own, bool | int | float | str):
                continue
            other = opposite(own)
            put(around.config_dir / "snaphook.toml", f"[{name}]\n{key.encode_name} = {toml(own)}\n")
            put(around.cwd / "snaphook.toml", f"[{name}]\n{key.encode_name} = {toml(other)}\n")
            try:
                found = values(around, name).get(key.encode_name)
            except Exception:  # noqa: BLE001 - a choice that the table does not know
                continue
            if found != own:
                changed.append((name, key.encode_name, found))

    stricter = [("memory", "retain", False), ("memory", "transcripts", False)]
    assert changed == [*stricter, ("sandbox", "allow_registries", False)]


def test_an_unapproved_project_does_not_have_more_kept(around: Environment):
    put(around.config_dir / "snaphook.toml", "[memory]\nretain = false\n")
    put(around.cwd / "snaphook.toml", "[memory]\nretain = true\n")

    assert values(around, "memory") == {"retain": False}


def guard(around: Environment, cwd: Path) -> list[str]:
    here = structs.replace(around, cwd=cwd)
    table = load(here, sections=SECTIONS).sections.get("guard")
    return [rule["id"] for rule in table.values.get("rule", [])] if table else []


RULE = '[[guard.rule]]\nid = "{0}"\nverdict = "deny"\nprogram = "{0}"\n'


@pytest.mark.parametrize(
    "marker", [".git/HEAD", "snaphook.toml", "snaphook.local.toml", ".claude/settings.json"]
)
@pytest.mark.parametrize("inside", ["sub", "a/b/c", "/".join("abcdefghijklmnopqrst")])
def test_a_project_inside_does_not_end_the_rules_around_it(around, marker, inside):
    put(around.cwd / "snaphook.toml", RULE.format("outer"))
    put(around.cwd / inside / marker, "{}" if marker.endswith("json") else "")

    assert guard(around, around.cwd / inside) == ["outer"]


def test_rules_of_all_projects_around_add_up_and_an_approved_one_inside_may_loosen(around):
    put(around.cwd / "snaphook.toml", RULE.format("outer") + '[guard]\nmode = "enforce"\n')
    put(around.cwd / "a/snaphook.toml", RULE.format("middle"))
    inner = around.cwd / "a/b"
    put(inner / "snaphook.toml", '[guard]\nallow = ["make x"]\n' + RULE.format("inner"))
    here = structs.replace(around, cwd=inner)

    assert guard(around, inner) == ["outer", "middle", "inner"]
    assert "allow" not in values(here, "guard")
    approve(here)
    assert values(here, "guard")["allow"] == ["make x"]
    assert guard(around, around.cwd) == ["outer"], "and nothing goes outwards"


def test_what_another_user_wrote_above_a_project_is_not_obeyed(around, monkeypatch):
    put(around.cwd / "snaphook.toml", RULE.format("outer"))
    put(around.cwd / "sub/.git/HEAD", "")
    monkeypatch.setattr("snaphook.config.settings_files._is_ours", lambda _path: False)

    assert guard(around, around.cwd / "sub") == []
