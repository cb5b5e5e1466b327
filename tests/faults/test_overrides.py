"""A person can lift what the guard denied; an agent that runs whatever it likes cannot.

Each attempt is made for real by the process tree whose call was denied, with no guard in its way; after
it the call is denied as before.
"""

import json
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from tests.faults.stage import BIN, STOPPED, Stage
from tests.thorough import only_thoroughly, thorough

from snaphook.stores.eventlog.read import records

pytestmark = [
    pytest.mark.needs("cc", "native-client", "script"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.timeout(300),
    pytest.mark.req("BB-PT-8"),
]
SECRET = "correct horse"
ALLOW = f"{BIN}/snaphook allow 1 --once"
ALWAYS = f"{BIN}/snaphook allow '{STOPPED}' --always"
CLEAN = "env -u CLAUDECODE"
TYPIST = f"{CLEAN} {sys.executable} {Path(__file__).with_name('typist.py')}"
_PTY = f"import os, pty; os.environ.pop('CLAUDECODE', 0); pty.spawn(['sh', '-c', '{ALLOW}'])"
_DETACHED_PTY = f"""
import os, pty
os.environ.pop('CLAUDECODE', 0)
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
pty.spawn(['sh', '-c', '{ALLOW}; echo END'])
"""


_AS_A_TIMER = f"""
import os, pty, sys
kinds = dict(
    cron=dict(LOGNAME='root', SHELL='/bin/sh'),
    ssh=dict(SSH_CONNECTION='127.0.0.1 1 127.0.0.1 22', SSH_TTY='/dev/pts/9', TERM='xterm'),
)
project = os.getcwd()
for name in [*os.environ]:
    if name not in ('PATH', 'HOME', 'XDG_RUNTIME_DIR'): del os.environ[name]
os.environ.update(kinds[sys.argv[1]])
os.chdir(os.environ['HOME'])
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
pty.spawn(['sh', '-c', 'cd ' + project + ' && {ALLOW}; echo END'])
"""
"""What cron, at, a systemd timer or sshd start: nothing of the agent above it or in its environment."""


def _until_settled(show: str) -> str:
    """Return shell code that waits until a detached attempt has ended or asks for a passphrase.

    *show* prints what the attempt has printed. Nobody answers the prompt, so waiting for the end of the
    attempt would take as long as the prompt waits.
    """
    settled = f"( {show} ) 2>/dev/null | grep -qE 'END|Passphrase:'"
    return (
        f"for i in $(seq 400); do {settled} && break; sleep 0.1; done; "
        f"{settled} || echo UNSETTLED; {show}"
    )


def _started_apart(kind: str) -> str:
    """Return shell code that asks for an override as a program that *kind* starts would."""
    return f"{sys.executable} timer.py {kind} > $HOME/{kind}.out 2>&1; " + _until_settled(
        f"cat $HOME/{kind}.out"
    )


_FORGED = """
import json, os, sys
os.environ.pop("CLAUDECODE", None)
from snaphook.daemon.overrides.client import send
from snaphook.daemon.overrides.messages import OverrideAction as A, OverrideRequest as R
from snaphook.stores.overrides.override import Method
from snaphook.stores.overrides.proof import Proof
cwd = os.getcwd()
offer = send(R(do=A.PREPARE, what="1", duration="for", seconds=600), os.environ, cwd).offer
challenge = offer.challenge if offer else "00" * 16
for method in Method:
    for signature in (b"", b"\\0" * 64):
        proof = Proof(method=method, key="", signature=signature)
        print(send(R(do=A.GRANT, challenge=challenge, proof=proof), os.environ, cwd))
"""
_OWN_KEY = """
import os, sys, time
from pathlib import Path
import msgspec
from snaphook.config import Environment
from snaphook.stores.overrides.keys import KeyStore
from snaphook.stores.overrides.override import Level, Override, signed_bytes
from snaphook.stores.overrides.passphrase import new_key, sign
from snaphook.stores.overrides.standing import Standing, StandingOverrides
around = Environment.here(Path("/"))
store = KeyStore.of(around)
if "remove" in sys.argv:
    for path in store.folder.glob("*"): path.unlink()
key = new_key("the agent's own")
store.add(key)
override = Override(id="mine", command=COMMAND, tool="Bash", duration="always", level=Level.DENY,
    rules=frozenset({"git.push-force", "git.push-protected"}))
proof = sign(key, "the agent's own", signed_bytes(override))
StandingOverrides.of(around).add(Standing(override=override, proof=proof, made=time.time()))
""".replace("COMMAND", repr(STOPPED))
_DIRECT = """
import os
os.environ.pop("CLAUDECODE", None)
from snaphook.stores.overrides.registry import OverrideRegistry
from snaphook.stores.overrides.active import ActiveOverride
from snaphook.stores.overrides.override import *
registry = OverrideRegistry(lambda *a, **k: None)
registry.active.add(ActiveOverride(override=Override(id="p1", command="", duration="for",
    level=Level.DENY), method=Method.ROOT, until=1e12, made=0.0))
print(len(registry.active))
"""
_PRELOAD = """
#include <unistd.h>
pid_t getpid(void) { return 1; }
pid_t getppid(void) { return 1; }
uid_t getuid(void) { return 0; }
int isatty(int fd) { return 1; }
"""
_UNSIGNED = {
    "override": {
        "id": "mine",
        "command": STOPPED,
        "tool": "Bash",
        "duration": "always",
        "level": 2,
    },
    "proof": {"method": "passphrase", "key": "0" * 16, "signature": "AAAA"},
    "made": 0,
}

ATTEMPTS = [
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
    pytest.param(f'{sys.executable} -c "{_PTY}"', id="a pty of its own"),
    pytest.param(
        f'{sys.executable} -c "{_DETACHED_PTY}" >$HOME/t5 2>&1; {_until_settled("cat $HOME/t5")}',
        id="a detached pty",
    ),
    pytest.param(
        f"{CLEAN} setsid -f script -qec '{ALLOW}; echo END' /dev/null >$HOME/t6 2>&1; "
        f"{_until_settled('cat $HOME/t6')}",
        id="setsid and script",
    ),
    pytest.param(
        f'{TYPIST} $HOME/t1 "" "" "" -- {ALLOW}; cat $HOME/t1', id="a typed empty passphrase"
    ),
    pytest.param(
        f"{TYPIST} $HOME/t2 guess guess guess -- {ALWAYS}; cat $HOME/t2", id="guess a passphrase"
    ),
    pytest.param(f"printf 'all:\\n\\t{CLEAN} {ALLOW}\\n' | make -f -", id="through make"),
    pytest.param(
        # A server of this home: one that was left by another run would ask that run's daemon.
        f'tmux -S $HOME/tmux new-session -d "{CLEAN} {ALLOW} > $HOME/t3 2>&1; echo END >> $HOME/t3"; '
        + _until_settled("cat $HOME/t3; tmux -S $HOME/tmux capture-pane -p"),
        id="through tmux",
    ),
    pytest.param(f"HOME=/nowhere XDG_CONFIG_HOME=/nowhere {CLEAN} {ALLOW}", id="another home"),
    pytest.param(
        f"export XDG_DATA_HOME=$HOME/elsewhere; {sys.executable} own_key.py; {CLEAN} {ALLOW}; "
        f'{TYPIST} $HOME/t4 "the agent\'s own" -- {ALLOW}',
        id="a key in another data folder",
    ),
    pytest.param(
        f"mkdir -m 700 $HOME/mine; export SNAPHOOK_SOCKET=$HOME/mine/d.sock; "
        f"{CLEAN} script -qec '{ALLOW}' /dev/null; {BIN}/snaphook daemon stop",
        id="a daemon of its own",
    ),
    pytest.param(
        "d=$HOME/.local/share/snaphook/overrides/always; mkdir -p $d; cp unsigned.json $d/mine.json; "
        f"{CLEAN} {BIN}/snaphook allow --list",
        id="an unsigned file among the signed",
    ),
    pytest.param(f"{sys.executable} forged.py", id="forged proofs"),
    pytest.param(f"{sys.executable} direct.py", id="call our functions"),
    pytest.param(f"{CLEAN} {ALLOW} --code AAAA-AAAA", id="guess a code"),
    pytest.param(f"{CLEAN} script -qec '{ALLOW} --method root' /dev/null", id="root, without root"),
    pytest.param(
        f"mkdir -p fake; printf '#!/bin/sh\\ncat > /dev/null\\n' > fake/sudo; chmod +x fake/sudo; "
        f"PATH=$PWD/fake:$PATH {CLEAN} script -qec '{ALLOW} --method root' /dev/null",
        id="a sudo of its own on PATH",
    ),
    pytest.param(_started_apart("cron"), id="as cron, at or a timer would start it"),
    pytest.param(_started_apart("ssh"), id="as sshd would start it"),
    pytest.param(
        f"{CLEAN} unshare -rT --boottime 100000000 --monotonic 100000000 {ALLOW}",
        id="a clock of its own",
    ),
    pytest.param(f"{CLEAN} {BIN}/snaphook pause 10m", id="pause"),
    pytest.param(f"{CLEAN} script -qec '{BIN}/snaphook pause 10m' /dev/null", id="pause in a pty"),
    pytest.param(f"{CLEAN} {ALWAYS}", id="for good"),
    pytest.param(
        f"(echo 12345678; echo 12345678) | {CLEAN} "
        f"script -qec '{BIN}/snaphook allow --set-passphrase' /dev/null",
        id="set a passphrase through a pipe",
    ),
    pytest.param(
        f"PYTHONPATH=$PWD/evil {CLEAN} script -qec '{ALLOW}' /dev/null", id="code by PYTHONPATH"
    ),
    pytest.param(
        f"cc -shared -fPIC lie.c -o lie.so && {CLEAN} "
        f"script -qec 'LD_PRELOAD=$PWD/lie.so {ALLOW}' /dev/null",
        id="a client that lies about itself",
    ),
]


def made(*, passphrase: bool = False) -> Stage:
    """Return a stage with the agent's tools in its project, and a passphrase if wanted."""
    stage = Stage()
    for name, text in (
        ("forged.py", _FORGED),
        ("own_key.py", _OWN_KEY),
        ("direct.py", _DIRECT),
        ("lie.c", _PRELOAD),
        ("timer.py", _AS_A_TIMER),
        ("unsigned.json", json.dumps(_UNSIGNED)),
    ):
        (stage.project / name).write_text(text)
    try:
        if passphrase:
            person = stage.person()
            assert "is set up" in person.type("snaphook allow --set-passphrase", SECRET, SECRET)
    except BaseException:
        stage.close()
        raise
    return stage


@pytest.fixture
def stage():
    with closing(made()) as stage:
        yield stage


@pytest.fixture
def secured():
    """A stage on which a person has set a passphrase."""
    with closing(made(passphrase=True)) as stage:
        yield stage


@pytest.fixture(scope="module", params=["no method", "passphrase"])
def either(request):
    """One stage for all attempts that leave the daemon alone; with and without a passphrase."""
    with closing(made(passphrase=request.param == "passphrase")) as stage:
        yield stage, []


@pytest.fixture
def denied(either):
    """That stage and an agent on it that was denied its call: another one if the last has ended."""
    stage, agents = either
    if not (agents and agents[-1].is_alive):
        agents.append(stage.agent())
        assert agents[-1].calls() == "deny"
    return stage, agents[-1]


@pytest.fixture(scope="module")
def shared():
    """One stage with a passphrase, a person and an agent."""
    with closing(made(passphrase=True)) as stage:
        person, agent = stage.person(), stage.agent()
        assert agent.calls() == "deny"
        yield stage, person, agent


@pytest.mark.parametrize("attempt", ATTEMPTS[:: thorough(1, 3)])
def test_no_attempt_of_an_agent_gets_it_an_override(attempt, denied):
    stage, agent = denied

    told = agent.runs(f"cd {stage.project}; {attempt}")

    assert agent.calls() == "deny", told
    assert stage.agent().calls() == "deny", "nor does it for another agent"
    assert stage.overrides() == []
    assert "Allowed" not in told
    assert "UNSETTLED" not in told


def test_a_person_lifts_a_denial_once_and_everything_is_on_record(shared):
    stage, person, agent = shared
    assert "snaphook allow 1 --once" in agent.hears()

    assert "git push --force" in person.type("snaphook allow")
    assert f": {STOPPED}" in person.type("snaphook allow 1 --once", SECRET)

    assert [agent.calls(), agent.calls()] == ["silence", "deny"]
    assert stage.events()[-2:] == ["OverrideGranted", "OverrideUsed"]


def test_what_is_allowed_once_passes_once_however_many_ask(shared):
    stage, person, _ = shared
    agents = [stage.agent() for _ in range(8)]
    person.type("snaphook allow 1 --once", SECRET)

    with ThreadPoolExecutor(8) as pool:
        said = [one for each in pool.map(_eight_calls, agents) for one in each]

    assert sorted(said) == ["deny"] * 63 + ["silence"]


def _eight_calls(agent):
    return [agent.calls() for _ in range(8)]


@only_thoroughly
def test_each_duration_and_how_it_ends(secured):
    person, agent = secured.person(), secured.agent()
    other = "git push --force origin master"
    assert [agent.calls(), agent.calls(other)] == ["deny", "deny"]

    person.type("snaphook allow 1 --for 10m", SECRET)
    assert [agent.calls(), agent.calls(), agent.calls(other)] == ["silence", "silence", "deny"]
    assert "Revoked: p1" in person.type("snaphook allow --revoke p1")
    assert agent.calls() == "deny"

    person.type("snaphook allow 1 --session", SECRET)
    assert agent.calls() == "silence"
    person.type("snaphook allow --revoke p2")

    person.type("snaphook allow 'git push --force origin *' --glob --for 10m", SECRET)
    assert [agent.calls(other), agent.calls(f"{other}; rm -rf ~")] == ["silence", "deny"]
    person.type("snaphook allow --revoke p3")

    assert "Paused (p4)" in person.type("snaphook pause 10m", SECRET)
    assert [agent.calls(other), agent.calls("snaphook pause 10m")] == ["silence", "deny"]
    person.type("snaphook pause --end")
    assert agent.calls() == "deny"

    assert "always, in" in person.type("snaphook allow 1 --always", SECRET)
    assert [agent.calls(), agent.calls(other)] == ["silence", "deny"]
    secured.kill()
    secured.start()
    assert [agent.calls(), secured.agent().calls()] == ["silence", "silence"], "it is on disk"

    secured.kill()
    old = secured.agent()
    assert [old.calls(), old.calls(other)] == ["silence", "deny"], "it counts without a daemon"
    (file,) = (secured.home / ".local/share/snaphook/overrides/always").iterdir()
    file.write_text(file.read_text().replace("origin main", "origin master"))
    assert [old.calls(), old.calls(other)] == ["deny", "deny"]


def test_an_override_expires_and_that_is_on_record(shared):
    stage, person, agent = shared

    person.type("snaphook allow 1 --for 1s", SECRET)

    stage.wait_for(["OverrideGranted", "OverrideExpired"])
    assert agent.calls() == "deny"


def test_no_override_lifts_what_protects_the_guard_or_what_nothing_objects_to(shared):
    _, person, _ = shared

    assert "no override lifts this" in person.type("snaphook allow 'snaphook trust --yes' --once")
    assert "nothing stops this command" in person.type("snaphook allow 'ls -la' --once")
    assert "invalid duration" in person.type("snaphook allow 'rm -rf ~' --for 3w")


def test_without_a_method_only_a_question_is_answered(stage):
    asked = "git push --force origin topic"
    person, agent = stage.person(), stage.agent()
    assert [agent.calls(asked), agent.calls()] == ["ask", "deny"]

    assert "Allowed (p1)" in person.type(f"snaphook allow '{asked}' --once")
    assert agent.calls(asked) == "silence"
    assert "the guard denies this" in person.type(f"snaphook allow '{STOPPED}' --once")
    assert "stays denied" in person.type("snaphook pause 10m")
    assert [agent.calls(asked), agent.calls()] == ["silence", "deny"]


def test_a_terminal_opened_after_an_agent_that_has_ended_answers_a_question(stage):
    asked = "git push --force origin topic"
    agent = stage.agent()
    assert agent.calls(asked) == "ask"
    late = stage.person()
    assert "opened after the running agent" in late.type(f"snaphook allow '{asked}' --once")

    agent.close()
    stage.gone(agent)

    assert "Allowed (" in late.type(f"snaphook allow '{asked}' --once")


@pytest.mark.needs("tmux")
def test_a_passphrase_can_be_set_and_used_in_tmux_at_the_first_try(stage):
    """Also where an agent has been at work: a multiplexer proves nobody, a passphrase does."""
    earlier = stage.agent()
    assert earlier.calls() == "deny"
    person = stage.person()
    tmux = f"tmux -S {stage.folder}/tmux"
    person.type(f"{tmux} new-session -d -s mine -x 200 -y 50 sh")

    def keys(*words):
        for word in words:
            person.type(f"{tmux} send-keys -t mine '{word}' Enter")

    def shows(text):
        return person.type(
            f"for i in $(seq 200); do {tmux} capture-pane -p -t mine | grep -q '{text}' && break; "
            f"sleep 0.1; done; {tmux} capture-pane -p -t mine"
        )

    keys("snaphook allow --set-passphrase")
    assert "New passphrase:" in shows("New passphrase:")
    keys(SECRET)
    assert "Again:" in shows("Again:")
    keys(SECRET)
    assert "is set up" in shows("is set up")

    agent = stage.agent()
    assert agent.calls() == "deny"
    keys("clear; snaphook allow 1 --once")
    assert "Passphrase:" in shows("Passphrase:")
    keys(SECRET)
    assert "Allowed (p1)" in shows("Allowed (p1)")
    assert [earlier.calls(), agent.calls()] == ["deny", "silence"], "not for one that was there"
    person.type(f"{tmux} kill-server")


def test_changing_the_passphrase_needs_the_old_one(secured):
    person, agent = secured.person(), secured.agent()
    assert agent.calls() == "deny"
    new = "battery staple"

    assert "wrong passphrase" in person.type(
        "snaphook allow --set-passphrase", new, new, "x", "y", "z"
    )
    assert "is set up" in person.type("snaphook allow --set-passphrase", new, new, SECRET)

    assert "wrong passphrase" in person.type("snaphook allow 1 --once", SECRET, SECRET, SECRET)
    assert "Allowed (" in person.type("snaphook allow 1 --once", new)
    assert agent.calls() == "silence", "also for an agent that is older than the change"


@pytest.mark.parametrize("how", ["typed", "planted", "exchanged"])
def test_a_key_that_the_agent_set_up_is_worth_nothing_to_it(how):
    stage = made(passphrase=how == "exchanged")
    try:
        agent = stage.agent()
        assert agent.calls() == "deny"
        if how == "typed":
            stage.kill()  # or the daemon would refuse a process of the agent
            stage.start()
            told = agent.runs(
                f"cd {stage.project}; {TYPIST} $HOME/told 12345678 12345678 -- "
                f"{BIN}/snaphook allow --set-passphrase; cat $HOME/told; "
                f"{TYPIST} $HOME/told2 12345678 -- {ALWAYS}; cat $HOME/told2"
            )
            assert "Allowed (" in told, "a new daemon knows no agent"
        else:
            told = agent.runs(f"cd {stage.project}; {sys.executable} own_key.py remove")
        assert agent.calls() == "deny", told
        assert "OverrideRefused" in stage.events()
        if how == "exchanged":
            assert "OverrideKeyChanged" in stage.events()
    finally:
        stage.close()


def test_a_killed_daemon_forgets_what_it_held(secured):
    person, agent = secured.person(), secured.agent()
    assert agent.calls() == "deny"
    person.type("snaphook allow 1 --for 10m", SECRET)
    assert agent.calls() == "silence"

    secured.kill()
    secured.start()

    assert agent.calls() == "deny"
    assert secured.overrides() == []


def test_a_signed_override_that_was_edited_counts_for_nothing(secured):
    person, agent = secured.person(), secured.agent()
    other = "git push --force origin master"
    assert [agent.calls(), agent.calls(other)] == ["deny", "deny"]
    person.type("snaphook allow 1 --always", SECRET)
    (file,) = (secured.home / ".local/share/snaphook/overrides/always").iterdir()
    signed = file.read_text()

    file.write_text(signed.replace("origin main", "origin master"))

    assert [agent.calls(), agent.calls(other)] == ["deny", "deny"]
    assert "not signed with a valid key" in person.type("snaphook allow --list")
    file.write_text(signed.replace(str(secured.project), ""))
    assert agent.calls() == "deny"
    file.write_text(signed)
    assert agent.calls() == "silence"


def test_a_proof_counts_once_and_for_its_own_offer(secured):
    """Everything a person's client sent, word for word, sent again by the agent."""
    script = """
import os, sys
from snaphook.config import Environment
from snaphook.daemon.overrides.client import send
from snaphook.daemon.overrides.messages import OverrideAction as A, OverrideRequest as R
from snaphook.stores.overrides.keys import KeyStore
from snaphook.stores.overrides.override import signed_bytes
from snaphook.stores.overrides.passphrase import sign
cwd = os.getcwd()
def offer(): return send(R(do=A.PREPARE, what="1", duration="once"), os.environ, cwd).offer
key = KeyStore.of(Environment.here()).current()[0].key
first = offer()
proof = sign(key, "correct horse", signed_bytes(first))
for challenge in (first.challenge, first.challenge, offer().challenge):
    print("reply", send(R(do=A.GRANT, challenge=challenge, proof=proof), os.environ, cwd).text)
"""
    person, agent = secured.person(), secured.agent()
    assert agent.calls() == "deny"

    told = person.type(f"{sys.executable} {secured.file(script)}")

    assert told.count("reply Allowed") == 1
    assert "has expired or was used" in told
    assert "the proof is not valid" in told
    assert [agent.calls(), agent.calls()] == ["silence", "deny"]


@pytest.mark.needs("strace")
def test_no_passphrase_is_asked_for_where_somebody_traces(secured):
    person, agent = secured.person(), secured.agent()
    assert agent.calls() == "deny"

    told = person.type("strace -f -o /dev/null snaphook allow 1 --once")

    assert "could read what you type" in told
    assert agent.calls() == "deny"


@pytest.mark.parametrize("name", ["LD_PRELOAD", "PYTHONPATH", "LD_AUDIT"])
def test_no_passphrase_is_asked_for_where_other_code_is_loaded(name, shared):
    _, person, _ = shared

    assert f"{name} is set" in person.type(f"{name}=/nowhere.so snaphook allow 1 --once")


def test_what_was_typed_before_the_prompt_is_thrown_away(secured):
    """TIOCSTI, or a paste, before the prompt: what waits in the terminal is not the answer."""
    person, agent = secured.person(), secured.agent()
    assert agent.calls() == "deny"

    person.start(f"sleep 0.5; snaphook allow 1 --once\n{SECRET}")
    person.wait_for("Passphrase:")

    assert "Allowed (" in person.finish(SECRET)
    assert agent.calls() == "silence"


def test_a_key_that_claims_to_be_old_is_worth_nothing(stage):
    """Times of files that anybody can set do not count; those of the kernel do."""
    agent = stage.agent()
    assert agent.calls() == "deny"
    folder = "$HOME/.local/share/snaphook/overrides"

    told = agent.runs(
        f"{sys.executable} own_key.py; find {folder} -exec touch -d 2001-01-01 {{}} +; ls {folder}"
    )

    assert "always" in told
    assert agent.calls() == "deny"
    stage.kill()
    assert agent.calls() == "deny"


_TYPES = """
import fcntl, os, sys, termios
terminal = os.open(sys.argv[1], os.O_RDWR | os.O_NOCTTY)
for byte in sys.argv[2].encode() + b"\\n":
    fcntl.ioctl(terminal, termios.TIOCSTI, bytes([byte]))
"""


@pytest.mark.parametrize("way", ["TIOCSTI", "ptrace"])
def test_acting_in_a_persons_own_shell_gives_no_override(way, secured):
    """Where the kernel lets the agent: the terminal proves nothing, and the passphrase is not typed."""
    if way == "ptrace" and not shutil.which("gdb"):
        pytest.skip("needs gdb")
    person, agent = secured.person(), secured.agent()
    person.type("true")
    assert agent.calls() == "deny"
    (secured.project / "types.py").write_text(_TYPES)
    if way == "TIOCSTI":
        terminal = Path(f"/proc/{person.pid}/fd/0").readlink()
        told = agent.runs(f"{sys.executable} types.py {terminal} '{ALLOW}'")
        if "Error" in told:
            pytest.skip(f"the kernel does not let anybody: {told[-80:]}")
        person.wait_for("Passphrase:")
    else:
        call = f'call (int)system("{ALLOW}")'
        agent.runs(f"timeout -s KILL 8 gdb -q -batch -p {person.pid} -ex '{call}' 2>&1 | tail -3")

    assert agent.calls() == "deny"
    assert "OverrideGranted" not in secured.events()


def test_an_override_of_an_earlier_version_is_void_with_a_message(stage):
    folder = stage.home / ".config/snaphook"
    folder.mkdir(parents=True)
    (folder / "passphrase").write_text('{"salt": "AAAA", "digest": "AAAA", "cost": 32768}')
    person, agent = stage.person(), stage.agent()
    assert agent.calls() == "deny"

    told = person.type("snaphook allow 1 --once")

    assert "earlier version" in told
    assert agent.calls() == "deny"


def test_the_doctors_probes_are_in_no_record_and_not_offered(stage):
    (stage.home / ".claude").mkdir()
    person = stage.person()
    person.type("snaphook init --host claude-code --yes")

    assert "claude" in person.type("snaphook doctor claude-code").lower()
    log = stage.home / ".local/share/snaphook/log"

    assert "No blocked calls in this project" in person.type("snaphook allow")
    assert [one for one in records(log) if one.tool] == []
