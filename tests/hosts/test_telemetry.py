"""Real agents, a real daemon, a real receiver of OTLP: what happened is one tree of spans."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from shlex import quote
from typing import Any

import pytest
from tests.servers.otlp import Receiver, attributes, receiver

from snaphook.testing import Script, Turn, say
from snaphook.testing.script import Call

from .conftest import SNAPHOOK

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("cc", "native-client")]

CLIENT = Path(sys.executable).with_name("snaphook-hook")
DANGEROUS = "git push --force origin main; echo gone > ran.txt"
HARMLESS = "echo fine > fine.txt"
CONTENT = "the-words-of-nobody"


@pytest.fixture
def collector() -> Iterator[Receiver]:
    with receiver() as made:
        yield made


@pytest.fixture
def socket() -> Iterator[dict[str, str]]:
    folder = tempfile.mkdtemp(prefix="snh-", dir="/tmp")  # a socket's path must be short
    yield {"SNAPHOOK_SOCKET": f"{folder}/daemon.sock"}
    shutil.rmtree(folder, ignore_errors=True)


def run(here, collector, socket, more=""):
    """Have the agent run once with a daemon that tells *collector*; return once the daemon has left."""
    here.ruled(f'[telemetry]\nendpoint = "{collector.url}"\ninterval = 0.1\n{more}')
    here.wired((quote(str(CLIENT)),))
    around = {**os.environ, **socket, "HOME": str(here.place.home)}
    daemon = subprocess.Popen(
        [SNAPHOOK, "daemon", "run"], env=around, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )
    try:
        while subprocess.run(
            [SNAPHOOK, "daemon", "status"], env=around, capture_output=True, check=False
        ).returncode:
            assert daemon.poll() is None, "the daemon did not start"
        ran = here.run(f"please go, {CONTENT}", env=socket)
    finally:
        daemon.terminate()
        daemon.communicate(timeout=60)
    assert ran.exit_code == 0, ran.stderr


SUBAGENT = Call(
    "Agent",
    {"description": "look", "prompt": f"LOOK {CONTENT}", "subagent_type": "general-purpose"},
)


@pytest.mark.req("SQ-14")
@pytest.mark.needs("claude-code")
def test_claude_code_with_a_subagent_is_told_as_one_tree(bench, collector, socket):
    here = bench("claude-code")
    runs = here.agent.runs
    here.place.server.script = Script(
        [
            Turn(answer=say("", runs(DANGEROUS)), when="please go", tools=True),
            Turn(answer=say("", SUBAGENT), when="protected branch", tools=True),
            Turn(answer=say("", runs(HARMLESS)), when=f"LOOK {CONTENT}", tools=True),
        ],
        otherwise=say("done"),
    )

    run(here, collector, socket)

    tree = Tree(collector)
    assert here.made() == {"fine.txt"}
    assert len({span.trace_id for span in collector.spans}) == 1
    assert tree.path(verdict="deny") == [
        "invoke_agent main",
        "turn",
        "execute_tool Bash",
        "hook PreToolUse",
    ]
    assert tree.path(event="SubagentStop") == [
        "invoke_agent main",
        "turn",
        "execute_tool Agent",
        "invoke_agent general-purpose",
        "hook SubagentStop",
    ]
    assert tree.path(event="PostToolUse", below="invoke_agent general-purpose") == [
        "invoke_agent main",
        "turn",
        "execute_tool Agent",
        "invoke_agent general-purpose",
        "execute_tool Bash",
        "hook PostToolUse",
    ]
    assert "lost" not in tree.statuses
    assert_no_content(collector)


@pytest.mark.req("SQ-14")
@pytest.mark.needs("codex")
def test_codex_is_told_as_one_tree(bench, collector, socket):
    here = bench("codex")
    runs = here.agent.runs
    here.script(say("", runs(DANGEROUS)), say("", runs(HARMLESS)), say("done"))

    run(here, collector, socket)

    assert collector.tree() == [
        "invoke_agent main",
        "  hook SessionStart",
        "  turn",
        "    hook UserPromptSubmit",
        "    execute_tool Bash",
        "      hook PreToolUse",
        "    execute_tool Bash",
        "      hook PreToolUse",
        "      hook PostToolUse",
        "    hook Stop",
        "  hook SessionEnd",
    ]
    assert Tree(collector).statuses == {"stopped", "ok", "completed"}
    assert_no_content(collector)


@pytest.mark.req("SQ-14")
@pytest.mark.needs("codex")
def test_content_is_told_where_the_settings_allow_it(bench, collector, socket):
    here = bench("codex")
    here.script(say("", here.agent.runs(HARMLESS)), say("done"))

    run(here, collector, socket, "content = true\n")

    told = {span.name: attributes(span) for span in collector.spans}
    assert CONTENT in told["turn"]["snaphook.prompt"]
    assert HARMLESS in told["execute_tool Bash"]["gen_ai.tool.call.arguments"]


class Tree:
    """The spans that came, each with those above it."""

    def __init__(self, collector: Receiver) -> None:
        self._spans = {span.span_id: span for span in collector.spans}
        assert len(self._spans) == len(collector.spans), "each came once"
        self.statuses = {
            attributes(span).get("snaphook.status", "") for span in collector.spans
        } - {""}

    def path(self, *, below: str = "", **about: str) -> list[str]:
        """Return the names from the root to the one span that *about* is true of."""
        found = [self._names(span) for span in self._spans.values() if _is(span, about)]
        [path] = [names for names in found if not below or below in names]
        return path

    def _names(self, span: Any) -> list[str]:
        above = self._spans.get(span.parent_span_id)
        return [*(self._names(above) if above else []), span.name]


def _is(span: Any, about: dict[str, str]) -> bool:
    told = attributes(span)
    return all(told.get(f"snaphook.{name}") == value for name, value in about.items())


def assert_no_content(collector: Receiver) -> None:
    everything = repr(collector.came)
    assert "gen_ai.conversation.id" in everything
    for word in (CONTENT, "push", "fine.txt"):
        assert word not in everything.replace("git.push-protected", "")
