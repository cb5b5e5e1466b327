"""The real Claude Code, Codex and Gemini CLI as builders, and as hosts whose gates hold."""

import json
import os
import re
import subprocess

import pytest

from snaphook.testing import Failure, Script, say
from snaphook.testing.agents import AGENTS

from .conftest import PROGRAMS, ROOT, SNAPHOOK, Bench, turns

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


def surroundings(here: Bench, *hosts: str) -> dict[str, str]:
    """Return the environment of the bench's home, with the real *hosts* and us on the path."""
    tools = here.place.home / "bin"
    tools.mkdir(parents=True)
    env = {"HOME": str(here.place.home)}
    for host in hosts:
        (tools / BUILDERS[host]).symlink_to(PROGRAMS[host])
        env |= AGENTS[host].prepare(here.place)
    return env | {"PATH": f"{tools}:{SNAPHOOK.parent}:{os.environ['PATH']}"}


def built(here: Bench) -> subprocess.CompletedProcess[str]:
    """Run ``snaphook build`` with the real agent."""
    name = BUILDERS[here.agent.host]
    env = surroundings(here, here.agent.host)
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


@pytest.mark.needs("claude-code", "codex")
@pytest.mark.req("SA-13")
def test_the_readme_s_job_is_planned_by_one_agent_and_built_by_another(bench):
    readme = (ROOT / "README.md").read_text()
    commands = re.search(r"```sh\n(mkdir -p .sauna/jobs/greet\n.*?)```", readme, re.DOTALL)
    assert commands is not None
    here = bench("claude-code")
    tasks = ".sauna/jobs/greet/tasks.md"
    greet = 'case "$1" in (fr) echo Bon%s;; (*) echo Hello;; esac'
    writes = f"cat > hello.sh <<'END'\n{greet}\nEND\n"
    here.place.server.script = turns(
        say("", here.agent.runs(f"echo '- [ ] write hello.sh' > {tasks}")),
        say("planned"),
        say("", AGENTS["codex"].runs(writes % "soir" + f"echo '- [x] write hello.sh' > {tasks}")),
        say("built"),
        say("", AGENTS["codex"].runs(writes % "jour")),
        say("mended"),
    )

    done = subprocess.run(
        ["sh", "-ec", commands[1]],
        cwd=here.place.project,
        env=surroundings(here, "claude-code", "codex"),
        capture_output=True,
        text=True,
    )

    assert done.returncode == 0, done.stdout + done.stderr
    assert "gate french: failed (exit code 1)" in done.stdout
    assert 'Job "greet" complete. All tasks done.' in done.stdout
    asked = [one for one in here.place.server.asked if one.tools]  # of both agents
    assert "Begin planning." in asked[0].news
    assert "Hook failed: `sh hello.sh fr | grep Bonjour`" in asked[4].news


@pytest.mark.req("SA-11")
@pytest.mark.parametrize("host", each_builder()[:2])
def test_an_agent_that_fails_halts_the_build_without_gates(host, bench):
    here = bench(host)
    job(here)
    here.place.server.script = Script([], otherwise=Failure(status=400, message="ON-STRIKE"))

    done = built(here)

    assert done.returncode == 3, done.stdout + done.stderr
    assert "ON-STRIKE" in done.stderr
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
