"""The code on a person's phone: whoever has it allows one call, once; an agent cannot come by it.

The phone is a server on loopback, told by the user's own settings. The agent may run anything.
"""

import re
import sys
from collections.abc import Iterator

import pytest
from tests.faults.stage import BIN, STOPPED, Stage
from tests.servers.listener import Listener, listening
from tests.until import until

pytestmark = [
    pytest.mark.needs("cc", "native-client", "script"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.timeout(300),
    pytest.mark.req("BB-PT-8"),
]
CLEAN = "env -u CLAUDECODE"
_SHORT = """
from snaphook.stores.overrides import codes
codes.CODE_SECONDS = 0.5
from snaphook.cli.main import main
main(["daemon", "run"])
"""
_EVERYWHERE = """
import glob, os, re
home = os.environ["HOME"]
seen = b""
for top in (home, os.environ["XDG_RUNTIME_DIR"], os.getcwd()):
    for folder, _, names in os.walk(top):
        for name in names:
            try:
                seen += open(os.path.join(folder, name), "rb").read()
            except OSError:
                pass
for place in glob.glob("/proc/[0-9]*"):
    for name in ("environ", "cmdline", "mem"):
        try:
            seen += open(f"{place}/{name}", "rb").read(1 << 20)
        except OSError:
            pass
print(*set(re.findall(rb"[A-Z2-7]{4}-[A-Z2-7]{4}", seen)))
"""
_CALL = (
    """echo '{"hook_event_name": "PreToolUse", "session_id": "s1", "cwd": "'$PWD'", """
    f""""tool_name": "Bash", "tool_input": {{"command": "{STOPPED}"}}}}' | """
    f"{BIN}/snaphook-hook claude-code PreToolUse"
)


def channel(url: str) -> str:
    return f'[notify.channels.phone]\ntype = "webhook"\nurl = "{url}"\nevents = ["denied"]\n'


@pytest.fixture
def phone() -> Iterator[Listener]:
    with listening() as made:
        yield made


@pytest.fixture
def spy() -> Iterator[Listener]:
    """What an agent listens with."""
    with listening() as made:
        yield made


@pytest.fixture
def stage(phone) -> Iterator[Stage]:
    made = Stage()
    made.settings(channel(phone.url))
    yield made
    made.close()


def code_on(phone: Listener) -> str:
    until(lambda: phone.heard)
    found = re.search(r"--code ([A-Z2-7]{4}-[A-Z2-7]{4})", phone.heard[-1].body.decode())
    assert found
    return found[1]


def test_the_code_lets_exactly_one_call_through_once(stage, phone):
    agent = stage.agent()
    told = agent.hears()
    code = code_on(phone)
    late = stage.person()  # a terminal that proves nothing: it was opened after the agent began

    assert code not in told
    assert "Allowed (p1)" in late.type(f"snaphook allow 1 --once --code {code}")

    other = "git push --force origin master"
    assert [agent.calls(other), agent.calls(), agent.calls()] == ["deny", "silence", "deny"]
    assert "was used already" in late.type(f"snaphook allow 1 --once --code {code}")
    assert agent.calls() == "deny"
    assert stage.events() == ["OverrideGranted", "OverrideUsed", "OverrideRefused"]


def test_wrong_codes_end_it_and_make_the_next_wait(stage, phone):
    agent, late = stage.agent(), stage.person()
    assert agent.calls() == "deny"
    code = code_on(phone)

    for _ in range(5):
        assert "the code is wrong" in late.type("snaphook allow 1 --code AAAA-AAAA")

    assert "too many wrong codes" in late.type(f"snaphook allow 1 --code {code}")
    assert (agent.calls(), stage.overrides()) == ("deny", [])


def test_a_code_runs_out(phone):
    class Hasty(Stage):
        command = (sys.executable, "-I", "-c", _SHORT)

    stage = Hasty()
    try:
        stage.settings(channel(phone.url))
        agent, late = stage.agent(), stage.person()
        assert agent.calls() == "deny"
        code = code_on(phone)
        late.type("sleep 0.6")

        assert "has expired" in late.type(f"snaphook allow 1 --code {code}")
        assert agent.calls() == "deny"
    finally:
        stage.close()


def test_an_agent_finds_the_code_in_no_file_and_in_no_process(stage, phone):
    agent = stage.agent()
    assert agent.calls() == "deny"
    code = code_on(phone)

    seen = agent.runs(f"cd {stage.project}; {sys.executable} {stage.file(_EVERYWHERE)}")
    seen += agent.runs(
        f"{BIN}/snaphook log --json; {BIN}/snaphook daemon logs; {BIN}/snaphook outbox list; "
        f"{BIN}/snaphook allow"
    )

    assert "git push" in seen
    assert code not in seen


_MINE = (
    "mkdir -p $HOME/mine/.config/snaphook; "
    "cp spy.toml $HOME/mine/.config/snaphook/snaphook.toml; export HOME=$HOME/mine"
)


@pytest.mark.parametrize(
    "trick",
    [
        pytest.param(f"{_MINE}; {_CALL}", id="a call with another home"),
        pytest.param(
            f"{_MINE}; export HOME=${{HOME%/mine}} XDG_CONFIG_HOME=$HOME/.config; {_CALL}",
            id="a call with other settings",
        ),
        pytest.param(f"cp spy.toml snaphook.toml; {_CALL}", id="a channel of the project"),
    ],
)
def test_an_agent_cannot_have_the_code_sent_to_itself(stage, phone, spy, trick):
    (stage.project / "spy.toml").write_text(channel(spy.url))
    agent = stage.agent()

    agent.runs(f"cd {stage.project}; {trick}")

    assert code_on(phone), "the person hears of it"
    assert spy.heard == []


def test_an_address_from_the_environment_is_not_told(stage, phone, spy):
    theirs = '[notify.channels.also]\ntype = "webhook"\nurl_env = "HOOK"\nevents = ["denied"]\n'
    stage.settings(theirs + channel(phone.url))
    agent = stage.agent()
    gone = f"while {BIN}/snaphook daemon status; do sleep 0.05; done"
    agent.runs(
        f"cd {stage.project}; {BIN}/snaphook daemon stop; {gone}; "
        f"export HOOK={spy.url}; {BIN}/snaphook daemon start; {_CALL}"
    )

    assert code_on(phone)
    assert spy.heard == []


def test_a_daemon_that_the_agent_started_has_codes_that_count_for_nothing(stage, spy):
    (stage.project / "spy.toml").write_text(channel(spy.url))
    agent = stage.agent()
    gone = f"while {BIN}/snaphook daemon status; do sleep 0.05; done"
    agent.runs(
        f"cd {stage.project}; {BIN}/snaphook daemon stop; {gone}; "
        f"{_MINE}; {BIN}/snaphook daemon start; {_CALL}"
    )

    told = agent.runs(
        f"cd {stage.project}; {CLEAN} {BIN}/snaphook allow 1 --for 1h --code {code_on(spy)}"
    )

    assert "Allowed (p1)" in told, "its own daemon believes it"
    assert agent.calls() == "deny", "and lets nothing through that comes with a person's settings"
