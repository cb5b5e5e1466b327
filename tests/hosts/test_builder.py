"""The real Claude Code, Codex and Gemini CLI as builders, and as hosts whose gates hold."""

import json
import os
import subprocess

import pytest

from snaphook.testing import say

from .conftest import PROGRAMS, SNAPHOOK, Bench, turns

pytestmark = pytest.mark.timeout(300)  # whole agents start, on a busy machine too

BUILDERS = {"claude-code": "claude", "codex": "codex", "gemini-cli": "gemini"}
TASKS = ".sauna/jobs/demo/tasks.md"
TICK = f"awk '!d && sub(/- .[ ]./, \"- [x]\") {{d=1}} 1' {TASKS} > t && cp t {TASKS}"


def each_builder() -> list[object]:
    return [pytest.param(name, marks=pytest.mark.needs(name)) for name in BUILDERS]


def job(here: Bench) -> None:
    folder = here.place.project / ".sauna" / "jobs" / "demo"
    folder.mkdir(parents=True)
    (folder / "tasks.md").write_text("- [ ] write alpha.txt\n- [ ] write beta.txt\n")
    gate = {"command": "test -s mended.txt || { echo GATE-MARK: nothing mended; exit 5; }"}
    (here.place.project / ".sauna" / "hooks.json").write_text(json.dumps([gate]))


def built(here: Bench) -> subprocess.CompletedProcess[str]:
    """Run ``snaphook build`` with the real agent on the path, in the bench's home."""
    home = here.place.home
    home.mkdir(parents=True, exist_ok=True)
    tools = home / "bin"
    tools.mkdir(exist_ok=True)
    name = BUILDERS[here.agent.host]
    (tools / name).symlink_to(PROGRAMS[here.agent.host])
    env = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": str(home)}
    env |= here.agent.prepare(here.place)
    words = ["build", "--job", "demo", "--builder", name, "--output", "json"]
    if name == "gemini":  # without a name it asks one model which model to ask
        words += ["--model", "gemini-2.5-flash"]
    return subprocess.run(
        [str(SNAPHOOK), *words], cwd=here.place.project, env=env, capture_output=True, text=True
    )


@pytest.mark.req("SA-4", "SA-7", "SA-8")
@pytest.mark.parametrize("host", each_builder())
def test_feedback_reaches_the_same_session_and_the_next_task_a_fresh_one(host, bench):
    here = bench(host)
    runs = here.agent.runs
    here.place.server.script = turns(
        say("", runs(f"echo a > alpha.txt; {TICK}")),
        say("ALPHA-WORD written"),
        say("", runs("echo ok > mended.txt")),
        say("mended"),
        say("", runs(f"echo b > beta.txt; {TICK}")),
        say("beta written"),
    )
    job(here)

    done = built(here)

    assert done.returncode == 0, done.stdout + done.stderr
    assert here.made() == {"alpha.txt", "mended.txt", "beta.txt"}
    first, _, fix, _, fresh, _ = here.asked
    assert first.heard("write alpha.txt")
    assert "GATE-MARK: nothing mended" in fix.news
    assert "(exit code 5)" in fix.news
    assert fix.heard("ALPHA-WORD written")  # the same conversation
    assert fresh.heard("write beta.txt")
    assert not fresh.heard("ALPHA-WORD written")  # a new one
    steps = [json.loads(line) for line in done.stdout.splitlines()]
    sessions = [step["session"] for step in steps if step["type"] == "built"]
    assert sessions[0] == sessions[1] != sessions[2]


@pytest.mark.req("SA-11")
@pytest.mark.parametrize("host", each_builder()[:2])
def test_an_agent_that_fails_halts_the_build_without_gates(host, bench):
    here = bench(host)
    job(here)  # and a model that has nothing to say
    here.place.server.script = "turn\n  fail 400 the model is on strike"

    done = built(here)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "gate_started" not in done.stdout
    assert '"type":"halted"' in done.stdout


@pytest.mark.req("SA-7", "SA-9")
@pytest.mark.parametrize("host", each_builder()[:2])
def test_a_person_s_agent_cannot_say_done_while_a_gate_is_closed(host, bench):
    here = bench(host)
    here.ruled('[providers.gates]\nuse = "gates"\nmax_retries = 2\n')
    here.wired()
    job(here)
    here.place.server.script = turns(
        say("I am done."),
        say("Mending.", here.agent.runs("echo ok > mended.txt")),
        say("Now I am done."),
    )

    ran = here.run("write alpha")

    assert ran.exit_code == 0, ran.stderr
    assert "GATE-MARK: nothing mended" in here.asked[1].news
    assert here.made() == {"mended.txt"}
