"""A person can lift what the guard stopped; an agent that runs whatever it likes cannot.

Each trick is played for real by the process tree that was stopped, without any guard in its way; and
after it the call is stopped as before.
"""

import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from tests.faults.stage import BIN, STOPPED, Stage
from tests.thorough import only_thoroughly, thorough

pytestmark = [
    pytest.mark.needs("cc", "native-client", "script"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.timeout(300),
]
ALLOW = f"{BIN}/snaphook allow 1 --once"
CLEAN = "env -u CLAUDECODE"
_PTY = f"import os, pty; os.environ.pop('CLAUDECODE', 0); pty.spawn(['sh', '-c', '{ALLOW}'])"
_DETACHED_PTY = f"""
import os, pty
os.environ.pop('CLAUDECODE', 0)
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
pty.spawn(['sh', '-c', '{ALLOW}; true'])
"""
_GUESSES = """
import os
from snaphook.daemon.wayout.ask import plead
from snaphook.daemon.wayout.words import Deed, Plea
for said in [*"abcde", "correct horse"]:
    plea = Plea(do=Deed.ALLOW, what="1", passphrase=said)
    print(plead(plea, os.environ, os.getcwd()).says)
"""
_PRELOAD = """
#include <unistd.h>
pid_t getpid(void) { return 1; }
pid_t getppid(void) { return 1; }
int isatty(int fd) { return 1; }
"""

TRICKS = [
    pytest.param(ALLOW, id="just ask"),
    pytest.param(f"{CLEAN} {ALLOW}", id="take the agent's mark out of the environment"),
    pytest.param(
        f"env -i PATH=$PATH HOME=$HOME XDG_RUNTIME_DIR=$XDG_RUNTIME_DIR {ALLOW}",
        id="no environment",
    ),
    pytest.param(f"{CLEAN} setsid -w {ALLOW}", id="setsid"),
    pytest.param(f"{CLEAN} nohup {ALLOW} </dev/null", id="nohup"),
    pytest.param(f"( {CLEAN} {ALLOW} & ) ; sleep 1", id="double fork"),
    pytest.param(f"{CLEAN} script -qec '{ALLOW}' /dev/null", id="script"),
    pytest.param(f'{sys.executable} -c "{_PTY}"', id="a pty of one's own"),
    pytest.param(f'{sys.executable} -c "{_DETACHED_PTY}"; sleep 1.5', id="a detached pty"),
    pytest.param(
        f"{CLEAN} setsid -f script -qec '{ALLOW}' /dev/null >/dev/null 2>&1; sleep 1.5",
        id="setsid and script",
    ),
    pytest.param(f"HOME=/nowhere XDG_CONFIG_HOME=/nowhere {CLEAN} {ALLOW}", id="another home"),
    pytest.param(
        f"mkdir -m 700 $HOME/mine; export SNAPHOOK_SOCKET=$HOME/mine/d.sock; "
        f"{CLEAN} script -qec '{ALLOW}' /dev/null; {BIN}/snaphook daemon stop",
        id="a daemon of one's own",
    ),
    pytest.param(
        "for d in .config .local/share; do mkdir -p $HOME/$d/snaphook; "
        "for f in permits permits.json allow passphrase; do "
        f"""echo '{{"command": "{STOPPED}"}}' > $HOME/$d/snaphook/$f; done; done;"""
        f" {CLEAN} script -qec '{ALLOW}' /dev/null; rm $HOME/.config/snaphook/passphrase",
        id="write files where we keep ours",
    ),
    pytest.param(f"{CLEAN} {ALLOW} --code AAAA-AAAA", id="guess a code"),
    pytest.param(f"{CLEAN} {BIN}/snaphook pause 10m", id="pause"),
    pytest.param(f"{CLEAN} {BIN}/snaphook allow '{STOPPED}' --always", id="for good"),
    pytest.param(
        f"(echo 12345678; echo 12345678) | {CLEAN} "
        f"script -qec '{BIN}/snaphook allow --set-passphrase' /dev/null",
        id="set a passphrase",
    ),
]


@pytest.fixture
def stage():
    made = Stage()
    yield made
    made.close()


@pytest.fixture(scope="module")
def shared():
    """One stage for all tricks that leave the daemon alone."""
    made = Stage()
    person, agent = made.person(), made.agent()
    assert agent.calls() == "deny"
    yield made, person, agent
    made.close()


@pytest.mark.req("BB-PT-8")
@pytest.mark.parametrize("trick", TRICKS[:: thorough(1, 3)])
def test_no_trick_of_an_agent_gets_it_a_permit(trick, shared):
    stage, _, agent = shared

    told = agent.runs(trick)

    assert agent.calls() == "deny", told
    assert stage.permits() == []
    assert "Allowed" not in told


@pytest.mark.req("BB-PT-8", "BB-F")
def test_a_person_lifts_a_denial_once_and_everything_is_on_record(shared):
    stage, person, agent = shared
    assert "snaphook allow 1 --once" in agent.hears()

    assert STOPPED in person.type("snaphook allow")
    assert f": {STOPPED}" in person.type("snaphook allow 1 --once")

    assert [agent.calls(), agent.calls()] == ["silence", "deny"]
    assert stage.events()[-2:] == ["PermitGiven", "PermitUsed"]


@pytest.mark.req("BB-PT-8")
def test_what_is_allowed_once_passes_once_however_many_ask(shared):
    stage, person, _ = shared
    agents = [stage.agent() for _ in range(8)]
    person.type("snaphook allow 1 --once")

    with ThreadPoolExecutor(8) as pool:
        said = [one for each in pool.map(_eight_calls, agents) for one in each]

    assert sorted(said) == ["deny"] * 63 + ["silence"]


def _eight_calls(agent):
    return [agent.calls() for _ in range(8)]


@only_thoroughly
@pytest.mark.req("BB-PT-8")
def test_each_span_and_how_it_ends(stage):
    person, agent = stage.person(), stage.agent()
    other = "git push --force origin master"
    assert [agent.calls(), agent.calls(other)] == ["deny", "deny"]

    person.type("snaphook allow 1 --for 10m")
    assert [agent.calls(), agent.calls(), agent.calls(other)] == ["silence", "silence", "deny"]
    agent.runs(f"{CLEAN} script -qec '{BIN}/snaphook allow 1 --for 12h' /dev/null")
    assert stage.permits() == [STOPPED], "what is given is not extended"
    assert "Taken back: p1" in person.type("snaphook allow --revoke p1")
    assert agent.calls() == "deny"

    person.type("snaphook allow 1 --session")
    assert agent.calls() == "silence"
    person.type("snaphook allow --revoke p2")

    person.type("snaphook allow 'git push --force origin *' --glob --for 10m")
    assert [agent.calls(other), agent.calls(f"{other}; rm -rf ~")] == ["silence", "deny"]
    person.type("snaphook allow --revoke p3")

    assert "Paused (p4)" in person.type("snaphook pause 10m")
    assert [agent.calls(other), agent.calls("snaphook pause 10m")] == ["silence", "deny"]
    person.type("snaphook pause --end")
    assert agent.calls() == "deny"

    assert "Allowed for good" in person.type("snaphook allow 1 --always")
    assert [agent.calls(), agent.calls(other)] == ["silence", "deny"]


@pytest.mark.req("BB-PT-8")
def test_a_permit_runs_out_and_that_is_on_record(shared):
    stage, person, agent = shared

    person.type("snaphook allow 1 --for 1s")

    stage.wait_for(["PermitGiven", "PermitExpired"])
    assert agent.calls() == "deny"


@pytest.mark.req("BB-PT-8")
def test_no_permit_lifts_what_protects_the_guard_or_what_nothing_objects_to(shared):
    _, person, _ = shared

    assert "nobody lifts this" in person.type("snaphook allow 'snaphook trust --yes' --once")
    assert "nothing stops this command" in person.type("snaphook allow 'ls -la' --once")
    assert "no span" in person.type("snaphook allow 'rm -rf ~' --for 3w")


@pytest.mark.req("BB-PT-8")
def test_a_daemon_killed_or_begun_by_the_agent_forgets_and_learns_nothing(stage):
    """A new daemon has met no agent when it is asked; it has when the permit is used."""
    person, agent = stage.person(), stage.agent()
    assert agent.calls() == "deny"
    person.type("snaphook allow 1 --for 10m")
    stage.kill()

    told = agent.runs(
        f"{BIN}/snaphook daemon start; cd {stage.project}; {CLEAN} setsid -f script -qec "
        f"\"{BIN}/snaphook allow '{STOPPED}' --for 10m\" $HOME/told >/dev/null 2>&1; "
        "for i in $(seq 100); do grep -q COMMAND_EXIT_CODE $HOME/told && break; sleep 0.1; done; "
        "cat $HOME/told"
    )

    assert "Allowed (p1)" in told, "the new daemon knows no agent yet"
    assert agent.calls() == "deny", "and now it does"
    assert "PermitRefused" in stage.events()


@pytest.mark.req("BB-PT-8")
@pytest.mark.needs("tmux")
def test_a_multiplexer_proves_nobody_without_a_passphrase(stage):
    tmux = f"tmux -S {stage.folder}/tmux"
    asks = f'sh -c "{ALLOW} > $HOME/told 2>&1; echo done >> $HOME/told"'
    person = stage.person()
    person.type(f"{tmux} new-session -d -s mine sh")
    agent = stage.agent()
    assert agent.calls() == "deny"

    for trick in (
        f'{tmux} send-keys -t mine "{ALLOW} > $HOME/told 2>&1; echo done >> $HOME/told" Enter',
        f"{tmux} new-session -d '{asks}'",
        f"tmux -S {stage.folder}/mine new-session -d 'env -u CLAUDECODE -u TMUX {asks}'",
    ):
        told = agent.runs(
            f"rm -f $HOME/told; {trick}; for i in $(seq 100); do grep -q done $HOME/told 2>/dev/null "
            "&& break; sleep 0.1; done; cat $HOME/told"
        )
        assert agent.calls() == "deny", told
        assert "snaphook: snaphook allow: " in told

    person.type(f"{tmux} kill-server")
    agent.runs(f"tmux -S {stage.folder}/mine kill-server")


@only_thoroughly
@pytest.mark.req("BB-PT-8")
def test_a_passphrase_is_asked_for_and_cannot_be_guessed_or_replaced(stage):
    person = stage.person()
    assert "is set" in person.type(
        "snaphook allow --set-passphrase", "correct horse", "correct horse"
    )
    agent = stage.agent()
    assert agent.calls() == "deny"

    assert "not the passphrase" in person.type("snaphook allow 1 --once", "wrong horse")
    assert "Allowed (p1)" in person.type("snaphook allow 1 --once", "correct horse")
    assert agent.calls() == "silence"
    late = stage.person()
    assert "Allowed (p2)" in late.type("snaphook allow 1 --once", "correct horse"), "any terminal"
    assert agent.calls() == "silence"

    assert "too many wrong guesses" in late.type(f"{sys.executable} {stage.file(_GUESSES)}")

    agent.runs("rm $HOME/.config/snaphook/passphrase")
    assert "somebody changed its file" in person.type("snaphook allow 1 --once")
    assert agent.calls() == "deny"


@pytest.mark.req("BB-PT-8")
def test_a_passphrase_that_the_agent_set_is_worth_nothing_to_it(stage):
    agent = stage.agent()
    agent.calls("ls")
    told = agent.runs(
        f"cd {stage.project}; {CLEAN} {sys.executable} {Path(__file__).with_name('typist.py')} "
        f"$HOME/told 12345678 12345678 -- {BIN}/snaphook allow --set-passphrase; cat $HOME/told"
    )
    assert "is set" in told
    assert agent.calls() == "deny"
    stage.kill()
    stage.start()

    told = agent.runs(
        f"cd {stage.project}; {CLEAN} {sys.executable} {Path(__file__).with_name('typist.py')} "
        f"$HOME/later 12345678 -- {BIN}/snaphook allow '{STOPPED}' --for 10m; cat $HOME/later"
    )

    assert "Allowed (p1)" in told, "a new daemon knows no agent"
    assert agent.calls() == "deny"


@pytest.mark.req("BB-PT-8")
def test_captured_frames_are_worth_nothing_when_sent_again(shared):
    """What a person's client said over the socket, word for word, said by the agent."""
    from snaphook import __version__
    from snaphook.daemon.ask import request_bytes

    stage, person, agent = shared
    frame = request_bytes(
        __version__,
        str(stage.project),
        (":allow",),
        stage.env,
        b'{"do": "allow", "what": "1", "how": "for", "seconds": 600}',
    )
    (stage.folder / "frame").write_bytes(frame)
    person.type("snaphook allow 1 --once")
    assert [agent.calls(), agent.calls()] == ["silence", "deny"]

    told = agent.runs(
        f'{CLEAN} {sys.executable} -c "import socket, glob, os; s = socket.socket(socket.AF_UNIX); '
        "s.connect(glob.glob(os.environ['XDG_RUNTIME_DIR'] + '/snaphook/*.sock')[0]); "
        f"s.sendall(open('{stage.folder}/frame', 'rb').read()); print(s.recv(9999))\""
    )

    assert '"says":' in told
    assert '"done":' not in told
    assert agent.calls() == "deny"


@only_thoroughly
@pytest.mark.req("BB-PT-8")
def test_a_client_that_lies_about_itself_is_seen_through(shared):
    """The daemon looks at the kernel's word for who asks, not at the client's."""
    stage, _, agent = shared
    (stage.folder / "lie.c").write_text(_PRELOAD)

    told = agent.runs(
        f"cd {stage.folder} && cc -shared -fPIC lie.c -o lie.so && cd {stage.project} && "
        f"{CLEAN} script -qec 'LD_PRELOAD={stage.folder}/lie.so {ALLOW}' /dev/null"
    )

    assert "an agent started the process that asks" in told
    assert agent.calls() == "deny"
