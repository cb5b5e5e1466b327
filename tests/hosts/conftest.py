"""The real agents, each in a home of its own, wired by our own ``init``, on a scripted model."""

import importlib.util
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from snaphook.config.environment import Environment
from snaphook.hosts import host_named
from snaphook.hosts.install import InstallLedger, Scope, apply, wire
from snaphook.testing import Asked, ModelServer, Script, Turn, say
from snaphook.testing.agents import AGENTS, AgentProgram, AgentRun, AgentSandbox
from snaphook.testing.script import Answer

ROOT = Path(__file__).parents[2]
SNAPHOOK = Path(sys.executable).with_name("snaphook")

RULES = r"""
[[hooks.SessionStart]]
command = "echo SESSION-MARK: the tree is red"

[[hooks.UserPromptSubmit]]
command = "grep -q SECRET && { echo PROMPT-MARK: no secrets >&2; exit 2; }; echo CONTEXT-MARK: on main"

[[hooks.PostToolUse]]
matcher = "Bash"
command = '''echo \
  '{"hookSpecificOutput": {"hookEventName": "PostToolUse", "additionalContext": "POST-MARK"}}'
'''

[[hooks.Stop]]
command = "grep -q '\"stop_hook_active\": *true' || { echo STOP-MARK: tests fail >&2; exit 2; }"
"""
"""One snaphook.toml for every agent."""


def install_agents():
    """Return the installer's own module, which knows where the programs are."""
    spec = importlib.util.spec_from_file_location(
        "install_agents", ROOT / "scripts" / "install_agents.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


INSTALLED = install_agents()
HERE = [name for name in AGENTS if name in INSTALLED.AGENTS]
"""Agents whose makers have a build for this machine in the registry."""
PROGRAMS: dict[str, Path] = {name: INSTALLED.program(name) for name in HERE}


class Bench(Struct, frozen=True, kw_only=True):
    """An agent with its home, its project, and a model that says what it is told to."""

    agent: AgentProgram
    place: AgentSandbox

    def script(self, *answers: Answer) -> None:
        """Have the model say *answers* from now on."""
        self.place.server.script = turns(*answers, agent=self.agent)

    def wired(
        self,
        command: tuple[str, ...] = (str(SNAPHOOK), "hook"),
        edit: Callable[[str], str] | None = None,
        **options: Any,
    ) -> None:
        """Write us into the agent's settings as ``snaphook init`` does; *edit* the text after."""
        around = Environment(
            cwd=self.place.project, home=self.place.home, env={}, managed=self.place.home / "etc"
        )
        changes = wire(
            host_named(self.agent.host),
            scope=Scope.USER,
            around=around,
            root=self.place.project,
            command=command,
            **options,
        )
        apply(changes, InstallLedger(self.place.home / "ledger"))
        if edit is not None:
            settings = changes[0].path
            settings.write_text(edit(settings.read_text()))

    def ruled(self, rules: str = RULES) -> None:
        """Give the user's own snaphook.toml these *rules*."""
        file = self.place.home / ".config/snaphook/snaphook.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(rules)

    def run(self, prompt: str = "please go", **options) -> AgentRun:
        return self.agent.run(PROGRAMS[self.agent.host], self.place, prompt, **options)

    @property
    def asked(self) -> list[Asked]:
        """Return the requests of the agent proper: titles and summaries come without tools."""
        return [asked for asked in self.place.server.asked if self.agent.shell_tool in asked.tools]

    def made(self) -> set[str]:
        """Return the files that commands made in the project."""
        return {path.name for path in self.place.project.iterdir() if path.suffix == ".txt"}


def turns(*answers: Answer, agent: AgentProgram | None = None) -> Script:
    """Return a script of *answers* to the agent proper; side questions get a shrug."""
    tool = agent.shell_tool if agent else ""
    scripted = [Turn(answer=answer, tools=True, tool=tool) for answer in answers]
    return Script(scripted, otherwise=say("ok"))


@pytest.fixture
def bench(request, tmp_path) -> Iterator[Callable[..., Bench]]:
    """Return a maker of benches: host name and the model's answers in."""
    servers: list[ModelServer] = []

    def make(host: str, *answers: Answer) -> Bench:
        server = ModelServer(turns(*answers, agent=AGENTS[host]))
        servers.append(server)
        return at(tmp_path, host, server)

    yield make
    for server in servers:
        server.close()


def at(folder: Path, host: str, server: ModelServer) -> Bench:
    """Return a bench for *host* under *folder*."""
    project = folder / "project"
    project.mkdir(exist_ok=True)
    (project / "README.md").write_text("# A project\n")
    return Bench(
        agent=AGENTS[host],
        place=AgentSandbox(home=folder / "home", project=project, server=server),
    )


MAIN = ("claude-code", "codex", "gemini-cli", "copilot-cli", "qwen-code", "opencode")
"""The agents most people use: everything is tried on them, on the others what every host must hold."""


def each_agent(among: Iterable[str] = tuple(HERE)) -> list[object]:
    """Return agents as parameters, each skipped where its program is not installed."""
    return [pytest.param(name, marks=pytest.mark.needs(name)) for name in among if name in HERE]


def each_main_agent() -> list[object]:
    """Return the agents on which everything is tried."""
    return each_agent(MAIN)


VARIABLES = (
    "AUGMENT", "CLAUDE", "CLINE", "CODEX", "COPILOT", "FACTORY", "GEMINI", "GROK", "KILO", "KIMI",
    "OPENCODE", "QWEN",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _no_inherited_agent(monkeypatch) -> None:
    """A developer may run the tests from inside an agent; its variables must not leak."""
    for name in list(os.environ):
        if name.startswith(VARIABLES):
            monkeypatch.delenv(name)
