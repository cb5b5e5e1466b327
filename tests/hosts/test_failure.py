"""What becomes of a call when our program crashes, hangs or is gone.

The hosts differ, and not everywhere can we change that. The tables in ``CAN`` say what each does, the
docs repeat it, and here it is held against the real programs.
"""

import json
import re

import pytest
from tests.hosts import observed

from snaphook.canon import PreToolUse, Stance
from snaphook.hosts import Can, host_named
from snaphook.hosts.install import trust
from snaphook.testing import say
from snaphook.testing.agents import AGENTS

from .conftest import Bench, each_agent

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too


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
    settings = re.sub(r"^timeout = \d+", "timeout = 2", settings, flags=re.MULTILINE)
    return settings.replace("?? 60", "?? 2")


def program(bench: Bench) -> tuple[str, ...]:
    """Return a program in the place of ours that fails in another way for each call before a tool."""
    file = bench.place.project / "client.sh"
    before = "PreToolUse|*BeforeTool|*tool.execute.before"
    file.write_text(
        f"""#!/bin/sh
case "$*" in
*{before})
    wire=$(cat)
    case "$wire" in
    *crash.txt*) exit 1 ;;
    *hang.txt*) sleep 20 ;;
    *last.txt*) rm "$0" ;;
    esac ;;
esac
echo "{{}}"
"""
    )
    file.chmod(0o755)
    return str(file), "snaphook", "hook"


@pytest.mark.parametrize("host", each_agent())
def test_a_failing_client_is_what_the_table_says(host, bench):
    """One run: the client crashes, hangs, answers and removes itself, and is gone."""
    agent = AGENTS[host]
    files = ("crash.txt", "hang.txt", "last.txt", "gone.txt")
    calls = [agent.runs(f"echo ran > {file}") for file in files]
    here = bench(host)
    here.wired(program(here), edit=in_two_seconds)
    if host == "codex":
        _trust_anew(here)
    for plan in [[call] for call in calls] if agent.denial_ends_run else [calls]:
        here.script(*(say("", call) for call in plan), say("done"), say("done"))
        here.run()

    ran = {file: "runs" if file in here.made() else "refused" for file in files}
    can = before_tools(host)
    assert ran["last.txt"] == "runs", "the client answered"
    assert ran["crash.txt"] == ("runs" if can.crash is Stance.OPEN else "refused")
    assert ran["hang.txt"] == ("runs" if can.timeout is Stance.OPEN else "refused")
    observed.check(host, crash=ran["crash.txt"], hang=ran["hang.txt"], missing=ran["gone.txt"])


def _trust_anew(here: Bench) -> None:
    """Codex trusts the very words of a hook: another time limit is another hook."""
    hooks = here.place.home / ".codex/hooks.json"
    config = here.place.home / ".codex/config.toml"
    wanted = trust.hashes(json.loads(hooks.read_text()), str(hooks))
    config.write_text(trust.trusting(config.read_text(), wanted))
