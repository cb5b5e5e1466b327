"""The same gates inside an agent that a person drives: Stop is the place."""

import json

import pytest

from snaphook.canon import HookContext, Stop, StopOutput, UserPromptSubmit, Verdict
from snaphook.config import Environment
from snaphook.providers.gates import FILE, GatesProvider
from snaphook.wiring.assembly import build_engine


@pytest.fixture
def project(tmp_path):
    (tmp_path / FILE).parent.mkdir()
    (tmp_path / FILE).write_text(json.dumps(["test -e done || { echo not yet; exit 1; }"]))
    return tmp_path


def context(project, session: str = "s1") -> HookContext:
    return HookContext(session_id=session, team_root=str(project), cwd=str(project))


async def stop(project, session: str = "s1", **options) -> StopOutput | None:
    """Ask a provider made for this one call, as a hook process without a daemon does."""
    here = context(project, session)
    return await GatesProvider(**options).on_stop(Stop(context=here), here)


@pytest.mark.req("SA-7")
async def test_a_closed_gate_sends_the_agent_back_with_its_output(project):
    said = await stop(project)

    assert said is not None
    assert said.decision is Verdict.BLOCK
    assert said.reason == (
        "Hook failed: `test -e done || { echo not yet; exit 1; }` (exit code 1)\n\n"
        "Output:\nnot yet\n\nPlease fix the issue and try again."
    )


async def test_open_gates_let_the_agent_stop(project):
    (project / "done").touch()

    assert await stop(project) is None


async def test_a_project_without_gates_has_no_opinion_and_gets_no_files(tmp_path):
    assert await stop(tmp_path) is None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.req("SA-9")
async def test_attempts_are_counted_over_processes_then_the_person_is_told(project):
    blocked = [await stop(project, max_retries=2) for _ in range(3)]

    assert [said and said.decision for said in blocked] == [Verdict.BLOCK, Verdict.BLOCK, None]
    assert blocked[-1] is not None
    assert "still fails after 2 fix attempts" in blocked[-1].messages[0].text
    assert "not yet" in blocked[-1].messages[0].text


@pytest.mark.req("SA-9")
async def test_a_new_prompt_starts_the_count_over(project):
    here = context(project)
    await stop(project, max_retries=1)
    await GatesProvider().on_user_prompt_submitted(
        UserPromptSubmit(context=here, prompt="go"), here
    )

    said = await stop(project, max_retries=1)

    assert said is not None
    assert said.decision is Verdict.BLOCK


async def test_sessions_are_counted_apart(project):
    await stop(project, "s1", max_retries=1)

    said = await stop(project, "s2", max_retries=1)

    assert said is not None
    assert said.decision is Verdict.BLOCK


async def test_a_malformed_file_does_not_let_the_agent_stop_unseen(project):
    (project / FILE).write_text("[")
    engine = build_engine(
        Environment(cwd=project, home=project, env={}, managed=project),
        providers=[GatesProvider()],
    )

    output = await engine.dispatch(Stop(context=context(project)))

    assert isinstance(output, StopOutput)
    assert output.decision is Verdict.BLOCK
    assert "is not JSON" in (output.reason or "")


async def test_it_is_opt_in_by_name(project):
    home = project / "home"
    (home / ".config/snaphook").mkdir(parents=True)
    (home / ".config/snaphook/snaphook.toml").write_text(
        '[providers.gates]\nuse = "gates"\nmax_retries = 1\n'
    )
    around = Environment(cwd=project, home=home, env={}, managed=home / "etc")

    output = await build_engine(around).dispatch(Stop(context=context(project)))

    assert isinstance(output, StopOutput)
    assert output.decision is Verdict.BLOCK
