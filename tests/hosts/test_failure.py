"""What becomes of a call when our program crashes, hangs or is gone.

The hosts differ, and not everywhere can we change that. The tables in ``CAN`` say what each does, the
docs repeat it, and here it is held against the real programs.
"""

import json
import re

import pytest

from snaphook.canon import PreToolUse, Stance
from snaphook.hosts import Can, host_named
from snaphook.hosts.install import trust
from snaphook.testing import say
from snaphook.testing.agents import AGENTS

from .conftest import Bench, each_agent

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

COMMAND = "echo ran > ran.txt"


def before_tools(host: str) -> Can:
    """Return what the table promises about the event that is wired before a tool runs."""
    placement = host_named(host).PLACEMENT
    assert placement is not None
    rows = [host_named(host).CAN[wired.event] for wired in placement.wired]
    return next(can for can in rows if can.event is PreToolUse)


def in_two_seconds(settings: str) -> str:
    """Return *settings* with every time limit cut to two seconds, in whatever unit it has."""
    settings = re.sub(r'("timeout(?:Sec)?": )\d+000\b', r"\g<1>2000", settings)
    settings = re.sub(r'("timeout(?:Sec)?": )\d{1,3}\b', r"\g<1>2", settings)
    return settings.replace("?? 60", "?? 2")


def ran(bench: Bench) -> bool:
    return "ran.txt" in bench.made()


def program(bench: Bench, script: str) -> tuple[str, ...]:
    """Return a program in the place of ours; only the event before a tool is its business."""
    file = bench.place.project / "client.sh"
    before = "PreToolUse|BeforeTool|tool.execute.before"
    file.write_text(
        f'#!/bin/sh\ncase "$*" in *{before.replace("|", "|*")}) {script};; esac\necho "{{}}"\n'
    )
    file.chmod(0o755)
    return str(file), "snaphook", "hook"


@pytest.mark.parametrize("host", each_agent())
def test_a_crashing_client_is_what_the_table_says(host, bench):
    here = bench(host, *_call_and_end(host))
    here.wired(program(here, "exit 1"))

    here.run()

    assert ran(here) is (before_tools(host).crash is Stance.OPEN)


@pytest.mark.parametrize("host", each_agent())
def test_a_hanging_client_is_what_the_table_says(host, bench):
    here = bench(host, *_call_and_end(host))
    here.wired(program(here, "sleep 20"), edit=in_two_seconds)
    if host == "codex":
        _trust_anew(here)

    here.run()

    assert ran(here) is (before_tools(host).timeout is Stance.OPEN)


@pytest.mark.parametrize("host", each_agent())
def test_a_missing_client_is_what_the_docs_say(host, bench):
    here = bench(host, *_call_and_end(host))
    here.wired(("/nowhere/snaphook", "hook"))

    here.run()

    closed = host in ("claude-code", "copilot-cli", "gemini-cli", "opencode")
    assert ran(here) is not closed


def _call_and_end(host: str):
    return say("", AGENTS[host].runs(COMMAND)), say("done"), say("done")


def _trust_anew(here: Bench) -> None:
    """Codex trusts the very words of a hook: another time limit is another hook."""
    hooks = here.place.home / ".codex/hooks.json"
    config = here.place.home / ".codex/config.toml"
    wanted = trust.hashes(json.loads(hooks.read_text()), str(hooks))
    config.write_text(trust.trusting(config.read_text(), wanted))
