"""Our plugins, installed by each agent's own command, block as ``snaphook init`` would."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from snaphook.testing import say

from .conftest import PROGRAMS, Bench

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

ROOT = Path(__file__).parents[2]
WITH_PLUGIN = [
    pytest.param(host, marks=pytest.mark.needs(host))
    for host in ("claude-code", "codex", "copilot-cli", "gemini-cli", "opencode")
]
INSTALLS = {
    "claude-code": (
        ("plugin", "marketplace", "add", str(ROOT)),
        ("plugin", "install", "snaphook@snaphook"),
    ),
    "codex": (
        ("plugin", "marketplace", "add", str(ROOT)),
        ("plugin", "add", "snaphook@snaphook"),
    ),
    "copilot-cli": (
        ("plugin", "marketplace", "add", str(ROOT)),
        ("plugin", "install", "snaphook@snaphook"),
    ),
    "gemini-cli": (("extensions", "install", str(ROOT / "plugins/gemini-cli"), "--consent"),),
}


def install(bench: Bench) -> None:
    """Install our plugin into the agent of *bench* with its own command."""
    place = bench.place
    place.home.mkdir(parents=True, exist_ok=True)
    env = {"HOME": str(place.home), "PATH": os.environ["PATH"], **bench.agent.prepare(place)}
    for words in INSTALLS.get(bench.agent.host, ()):
        done = subprocess.run(
            [str(PROGRAMS[bench.agent.host]), *words],
            cwd=place.project,
            env=env,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    if bench.agent.host == "opencode":
        settings = place.home / ".config/opencode/opencode.json"
        there = json.loads(settings.read_text())
        there["plugin"] = [f"file://{ROOT / 'plugins/opencode/index.js'}"]
        settings.write_text(json.dumps(there))


def path_with(*folders: Path | str) -> dict[str, str]:
    return {"PATH": os.pathsep.join([*map(str, folders), "/usr/bin", "/bin"])}


def run(bench: Bench, command: str, path: dict[str, str]) -> None:
    """Have the agent run *command*, with its programs and ours found on *path*."""
    bench.script(say("", bench.agent.runs(command)), say("done"), say("done"))
    agent = bench.agent
    if agent.host == "codex":  # a person would answer its question about the plugin's hooks
        argv = agent.argv
        trusted = "--dangerously-bypass-hook-trust"
        agent = replace(agent, argv=lambda *words: [trusted, *argv(*words)])
    node = Path(subprocess.check_output(["node", "-p", "process.execPath"], text=True).strip())
    path["PATH"] += os.pathsep + str(node.parent)
    agent.run(PROGRAMS[agent.host], bench.place, "please go", env=path)


@pytest.mark.parametrize("host", WITH_PLUGIN)
def test_a_plugin_blocks_a_forced_push(host, bench):
    here = bench(host)
    install(here)

    run(here, "git push --force origin main", path_with(Path(sys.executable).parent))

    told = [line.text for line in here.asked[1].lines if line.kind == "result"][-1]
    assert "Snaphook Guard" in told


@pytest.mark.parametrize("host", WITH_PLUGIN)
def test_a_plugin_without_its_program_lets_nothing_run(host, bench):
    here = bench(host)
    install(here)

    run(here, "echo ran > ran.txt", path_with())

    assert here.made() == set()


@pytest.mark.parametrize("host", WITH_PLUGIN)
def test_the_same_command_runs_where_the_program_is_installed(host, bench):
    """Or the test above would prove nothing."""
    here = bench(host)
    install(here)

    run(here, "echo ran > ran.txt", path_with(Path(sys.executable).parent))

    assert here.made() == {"ran.txt"}
