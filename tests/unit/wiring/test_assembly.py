"""wiring: which tables switch a provider on, and what is imported for it."""

from collections.abc import Mapping
from pathlib import Path

import pytest
from msgspec import Struct
from tests.unit.config.helpers import approve, put

from snaphook.canon import (
    AnyProvider,
    ErrorOccurred,
    ErrorRecoveryOutput,
    HookContext,
    PermissionRequest,
    PermissionRequestOutput,
    PreToolUse,
    PreToolUseOutput,
    Verdict,
    verdict,
)
from snaphook.config import Environment
from snaphook.providers.guard.provider import GuardProvider
from snaphook.stores.outbox import Outbox
from snaphook.testing import Recorder
from snaphook.wiring import assembly, sections
from snaphook.wiring.assembly import build_engine, choose, read_settings
from snaphook.wiring.sections import Sections, SectionSpec


class LampSettings(Struct, frozen=True, kw_only=True):
    enabled: bool = True
    watts: int = 5


def make(settings: LampSettings, around: Environment) -> AnyProvider:
    lamp = Recorder()
    lamp.name = f"lamp of {settings.watts} at {around.cwd.name}"
    return lamp


ROOMS: Mapping[str, SectionSpec] = {
    **sections.SECTION_SPECS,
    "essentials": SectionSpec(settings=f"{__name__}:LampSettings", provider=f"{__name__}:make"),
}


@pytest.fixture
def around(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Environment:
    monkeypatch.setattr(assembly, "SECTION_SPECS", ROOMS)
    monkeypatch.setattr(assembly, "SECTIONS", Sections(ROOMS))
    (tmp_path / "project").mkdir()
    return Environment(
        cwd=tmp_path / "project", home=tmp_path / "home", env={}, managed=tmp_path / "etc"
    )


def lit(providers: list[AnyProvider]) -> list[str]:
    return [provider.name for provider in providers if isinstance(provider, Recorder)]


def chosen(around: Environment) -> list[AnyProvider]:
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
    around: Environment, text: str, lamps: list[str]
):
    put(around.config_dir / "snaphook.toml", text)

    guard, *others = chosen(around)

    assert isinstance(guard, GuardProvider)
    assert lit(others) == lamps


@pytest.mark.parametrize("text", ["[essentials]\n", "[essentials]\nwatts = 9\n"])
def test_a_table_of_a_project_switches_nothing_on_until_it_is_approved(
    around: Environment, text: str
):
    put(around.cwd / "snaphook.toml", text)
    assert lit(chosen(around)) == []

    approve(around)
    assert len(lit(chosen(around))) == 1


def test_asking_which_tables_there_are_imports_none_of_them():
    sections = Sections({"lamp": SectionSpec(settings="no_such_module:Nothing")})

    assert ("lamp" in sections, list(sections), len(sections)) == (True, ["lamp"], 1)


@pytest.mark.parametrize("name", sections.SECTION_SPECS)
def test_every_room_names_what_is_there(name: str):
    spec = sections.SECTION_SPECS[name]

    assert issubclass(Sections(sections.SECTION_SPECS)[name], Struct)
    assert not spec.provider or callable(sections.imported(spec.provider))


@pytest.mark.req("SQ-3")
async def test_the_ask_user_limit_outlives_a_hooks_process_and_stays_in_its_project(
    around: Environment, tmp_path: Path
):
    policies = '[providers.house]\nuse = "default"\noptions = {max_ask_user = 1}\n'
    put(around.config_dir / "snaphook.toml", policies)
    other = Environment(cwd=tmp_path / "other", home=around.home, env={}, managed=around.managed)
    other.cwd.mkdir()

    async def asked(where: Environment, call: str) -> Verdict | None:
        context = HookContext(session_id="s", cwd=str(where.cwd))
        question = PreToolUse(
            context=context, tool_name="AskUserQuestion", tool_args={}, tool_use_id=call
        )
        return verdict(await build_engine(where).dispatch(question))

    answers = [await asked(around, "1"), await asked(around, "2"), await asked(other, "3")]
    assert answers == [None, Verdict.DENY, None]


@pytest.mark.req("SQ-13")
async def test_an_open_circuit_is_told_through_the_outbox_without_secrets(
    around: Environment, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("snaphook.stores.outbox.workers.wake", lambda _around: None)
    put(around.config_dir / "snaphook.toml", "[resilience]\nthreshold = 1\n")
    token = "ghp_" + "a1B2" * 9
    event = ErrorOccurred(
        context=HookContext(session_id="s"), error=f"500 for {token}", current_model="m"
    )

    answer = await build_engine(around).dispatch(event)

    assert isinstance(answer, ErrorRecoveryOutput)
    assert answer.retry is False
    outbox = Outbox.of(around)
    jobs = outbox.jobs()
    outbox.close()
    assert [(job.kind, job.payload["title"]) for job in jobs] == [("notify", "m keeps failing")]
    assert token not in str(jobs)


PERMISSIONS = '[essentials.permissions]\nallow = ["Bash(git status*)", "Bash(rm *)"]\n'


@pytest.mark.parametrize(
    ("command", "settings", "allowed"),
    [
        ("git status", "", True),
        ("git status; ls", "", False),
        ("rm -rf ~", "", False),
        pytest.param("rm -rf ../x", '[guard]\nallow = ["rm -rf ../x"]\n', True, id="guard's list"),
    ],
)
async def test_permissions_are_answered_with_the_guard_of_the_settings(
    around: Environment,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
    settings: str,
    allowed: bool,
):
    monkeypatch.setattr(assembly, "SECTION_SPECS", sections.SECTION_SPECS)
    monkeypatch.setattr(assembly, "SECTIONS", sections.SECTIONS)
    put(around.config_dir / "snaphook.toml", f"{PERMISSIONS}{settings}")
    context = HookContext(session_id="s", cwd=str(around.cwd), team_root=str(around.cwd))
    asked = PermissionRequest(context=context, tool_name="Bash", tool_args={"command": command})
    answer = await build_engine(around).dispatch(asked)

    assert (
        isinstance(answer, PermissionRequestOutput) and answer.decision is Verdict.ALLOW
    ) is allowed


@pytest.mark.parametrize(
    ("command", "runs"),
    [
        ("git push", True),
        ("sudo git push", True),
        ("G=git; $G push", True),
        ("bash -c 'cd x && git push'", True),
        ("$(cat name) push", True),
        ("FOO=1 make", False),
        ("echo git push", False),
    ],
)
async def test_a_hook_is_asked_about_the_command_it_means_however_it_is_spelled(
    around: Environment, command: str, runs: bool
):
    hook = 'hooks = [{type = "command", command = "echo no >&2; exit 2", if = "Bash(git push*)"}]'
    put(around.config_dir / "snaphook.toml", f'[[hooks.PreToolUse]]\nmatcher = "Bash"\n{hook}\n')
    context = HookContext(session_id="s", cwd=str(around.cwd), team_root=str(around.cwd))
    call = PreToolUse(context=context, tool_name="Bash", tool_args={"command": command})
    answer = await build_engine(around).dispatch(call)

    assert (isinstance(answer, PreToolUseOutput) and answer.reason == "no") is runs
