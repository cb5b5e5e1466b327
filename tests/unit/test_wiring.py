"""wiring: which tables switch a provider on, and what is imported for it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec import Struct
from tests.unit.config.helpers import approve, put

from snaphook import wiring
from snaphook.canon import AnyProvider
from snaphook.config import Surroundings
from snaphook.providers.guard.provider import GuardProvider
from snaphook.testing import Recorder
from snaphook.wiring import Room, Sections, choose, read_settings


class LampSettings(Struct, frozen=True, kw_only=True):
    enabled: bool = True
    watts: int = 5


def make(settings: LampSettings, around: Surroundings) -> AnyProvider:
    lamp = Recorder()
    lamp.name = f"lamp of {settings.watts} at {around.cwd.name}"
    return lamp


ROOMS: Mapping[str, Room] = {
    **wiring.ROOMS,
    "essentials": Room(settings=f"{__name__}:LampSettings", provider=f"{__name__}:make"),
}


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Surroundings:
    monkeypatch.setattr(wiring, "ROOMS", ROOMS)
    monkeypatch.setattr(wiring, "SECTIONS", Sections(ROOMS))
    (tmp_path / "project").mkdir()
    return Surroundings(
        cwd=tmp_path / "project", home=tmp_path / "home", env={}, managed=tmp_path / "etc"
    )


def chosen(around: Surroundings) -> list[AnyProvider]:
    return choose(read_settings(around), around)


@pytest.mark.parametrize(
    ("text", "lamps"),
    [
        pytest.param("", [], id="no table"),
        pytest.param("[essentials]\n", ["lamp of 5 at project"], id="an empty table"),
        pytest.param("[essentials]\nwatts = 9\n", ["lamp of 9 at project"], id="with a value"),
        pytest.param("[essentials]\nenabled = false\n", [], id="switched off"),
    ],
)
def test_a_table_of_the_users_switches_its_provider_on(
    around: Surroundings, text: str, lamps: list[str]
):
    put(around.config_dir / "snaphook.toml", text)

    guard, *others = chosen(around)

    assert isinstance(guard, GuardProvider)
    assert [provider.name for provider in others if isinstance(provider, Recorder)] == lamps


@pytest.mark.parametrize("text", ["[essentials]\n", "[essentials]\nwatts = 9\n"])
def test_a_table_of_a_project_switches_nothing_on_until_it_is_approved(
    around: Surroundings, text: str
):
    put(around.cwd / "snaphook.toml", text)
    assert len(chosen(around)) == 1

    approve(around)
    assert len(chosen(around)) == 2


def test_asking_which_tables_there_are_imports_none_of_them():
    sections = Sections({"lamp": Room(settings="no_such_module:Nothing")})

    assert ("lamp" in sections, list(sections), len(sections)) == (True, ["lamp"], 1)


@pytest.mark.parametrize("name", wiring.ROOMS)
def test_every_room_names_what_is_there(name: str):
    room = wiring.ROOMS[name]

    assert issubclass(Sections(wiring.ROOMS)[name], Struct)
    assert not room.provider or callable(wiring._imported(room.provider))
