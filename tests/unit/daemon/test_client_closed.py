"""Whatever keeps an answer from its host, a call that can be blocked is blocked."""

import json
import os
import resource
import signal
import subprocess
import sys
import time

import pytest
from tests.unit.daemon.test_client import Daemon, client, folder  # noqa: F401 - fixtures
from tests.until import until

from snaphook.daemon.frames import ReplyFrame, encode_answer
from snaphook.hosts import host_named
from snaphook.hosts.host import HostCall
from snaphook.hosts.refusal import Refusal, refused
from snaphook.hosts.table import HOSTS
from snaphook.stores.eventlog.read import records
from snaphook.wiring.refused_calls import laid_down, put_back, read, record_all

pytestmark = pytest.mark.needs("cc")
DENY = b'{"hookSpecificOutput":{"permissionDecision":"deny"}}\n'


def run(client, folder, *args, **options):  # noqa: F811
    options.setdefault("stdout", subprocess.PIPE)
    return subprocess.run(
        [client, *(args or ("claude-code", "PreToolUse"))],
        input=b"{}",
        stderr=subprocess.PIPE,
        env={"SNAPHOOK_SOCKET": str(folder / "d.sock"), **options.pop("env", {})},
        timeout=60,
        **options,
    )


def answers_with(answer):
    def serve(_daemon, connection):
        connection.recv(65536)
        connection.sendall(encode_answer(answer))

    return serve


def broken_python(folder, text):  # noqa: F811
    path = folder / "python3"
    path.write_text(text)
    path.chmod(0o755)
    return {"SNAPHOOK_PYTHON": str(path)}


PYTHONS = {
    "leaves with 0 and no answer": "#!/bin/sh\nexit 0\n",
    "leaves with 0 and prints a yes": '#!/bin/sh\necho \'{"permissionDecision":"allow"}\'\n',
    "leaves with 1, as without its standard library": "#!/bin/sh\nexit 1\n",
    "leaves with 127, as without a shared library": "#!/bin/sh\nexit 127\n",
    "is killed": "#!/bin/sh\nkill -9 $$\n",
    "segfaults": "#!/bin/sh\nkill -SEGV $$\n",
    "aborts": "#!/bin/sh\nkill -ABRT $$\n",
    "is not a program": "what is this",
    "has no interpreter": "#!/no/such/interpreter\n",
    "dies in mid-answer": (
        f"#!{sys.executable} -IS\nimport os\n"
        "os.write(int(os.environ['SNAPHOOK_ANSWER_FD']), b'SNAP\\2\\0\\0\\0\\0\\x09')\n"
    ),
    "makes no sense": (
        f"#!{sys.executable} -IS\nimport os\n"
        "os.write(int(os.environ['SNAPHOOK_ANSWER_FD']), b'HTTP/1.1 200 OK, all is well')\n"
    ),
    "announces too much": (
        f"#!{sys.executable} -IS\nimport os\n"
        "os.write(int(os.environ['SNAPHOOK_ANSWER_FD']), b'SNAP\\2\\0' + b'\\xff' * 8)\n"
    ),
    "dies while a child holds the pipe": (
        f"#!{sys.executable} -IS\nimport os, time\n"
        "if os.fork() == 0:\n    os.dup2(os.open('/dev/null', 2), 2); os.dup2(2, 1); time.sleep(5)\n"
        "else:\n    os.kill(os.getpid(), 11)\n"
    ),
}


@pytest.mark.parametrize("python", PYTHONS.values(), ids=PYTHONS)
def test_a_python_that_gives_no_answer_is_closed(python, client, folder):  # noqa: F811
    done = run(client, folder, env=broken_python(folder, python))

    assert done.returncode == 2
    assert done.stdout == b""
    assert b"neither the daemon nor Python gave an answer" in done.stderr


def test_a_python_without_its_standard_library_is_closed(client, folder):  # noqa: F811
    shell = f'#!/bin/sh\nexport PYTHONHOME=/nowhere\nshift\nexec {sys.executable} "$@"\n'

    assert run(client, folder, env=broken_python(folder, shell)).returncode == 2


@pytest.mark.parametrize("megabytes", [8, 16, 30, 60])
def test_too_little_memory_is_closed(megabytes, client, folder):  # noqa: F811
    """Less than Python needs: from what stops the loader to what stops an import."""
    limit = megabytes << 20
    done = run(
        client,
        folder,
        env={"SNAPHOOK_PYTHON": sys.executable, "HOME": str(folder)},
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)),
    )

    assert done.returncode == 2 or b'"deny"' in done.stdout


@pytest.mark.parametrize("way", ["full", "closed", "read-only", "nobody reads"])
def test_a_refusal_that_cannot_be_written_is_still_one(way, client, folder):  # noqa: F811
    daemon = Daemon(folder, answers_with(ReplyFrame(stdout=DENY)))
    options: dict[str, object] = {}
    if way == "full":
        options["stdout"] = os.open("/dev/full", os.O_WRONLY)
    elif way == "read-only":
        options["stdout"] = os.open("/dev/null", os.O_RDONLY)
    elif way == "nobody reads":
        reading, options["stdout"] = os.pipe()
        os.close(reading)
    else:
        options |= {"stdout": None, "preexec_fn": lambda: os.close(1)}
    done = run(client, folder, **options)
    daemon.close()

    assert done.returncode == 2
    assert b"cannot be written to stdout" in done.stderr


@pytest.mark.parametrize("fd", [0, 1, 2])
def test_a_closed_stream_does_not_become_the_socket(fd, client, folder):  # noqa: F811
    heard = []

    def serve(_daemon, connection):
        heard.append(connection.recv(65536))
        connection.sendall(encode_answer(ReplyFrame(status=2, stderr=b"no\n")))
        connection.settimeout(2)
        heard.append(connection.recv(100))

    daemon = Daemon(folder, serve)
    done = run(client, folder, preexec_fn=lambda: os.close(fd))
    daemon.close()

    assert done.returncode == 2
    assert heard[1:] in ([], [b""])


def test_silence_needs_no_stdout(client, folder):  # noqa: F811
    daemon = Daemon(folder, answers_with(ReplyFrame()))
    done = run(client, folder, stdout=os.open("/dev/full", os.O_WRONLY))
    daemon.close()

    assert (done.returncode, done.stderr) == (0, b"")


EVENTS = [(name, event) for name in HOSTS for event in host_named(name).CAN]


@pytest.mark.parametrize(("host", "event"), EVENTS, ids=lambda each: str(each))
def test_each_host_is_told_in_its_own_terms(host, event, client, folder):  # noqa: F811
    """Exit 2 with a reason on stderr, or the document that the host obeys; notices are not stopped."""
    done = run(client, folder, host, event, env={"SNAPHOOK_PYTHON": "/nowhere"})
    refusal = refused(host_named(host), HostCall(event=event, env={}, cwd="", now=0.0), "x")

    assert b"Run 'snaphook doctor'" in done.stderr
    if not refusal.stops:
        assert (done.returncode, done.stdout) == (1, b"")
    elif done.stdout:
        ours = json.loads(done.stdout)
        assert done.returncode == 0
        assert ours.keys() == json.loads(refusal.reply.stdout).keys()
    else:
        assert done.returncode == 2


def test_direct_means_without_the_daemon(client, folder):  # noqa: F811
    daemon = Daemon(folder, answers_with(ReplyFrame(status=9)))
    done = run(client, folder, env={"SNAPHOOK_DIRECT": "1"})
    daemon.close()

    assert done.returncode == 7


def test_an_upgrade_in_place_is_waited_for(client, folder):  # noqa: F811
    """The package is missing at first; the call is answered when it is there."""
    mark = folder / "upgraded"
    path = client.with_name("python3")
    shell = (
        f'#!/bin/sh\n[ -e {mark} ] && exec {path} "$@"\n'
        f'[ -n "$SNAPHOOK_ATTEMPT" ] || exit 1\n: > {mark}\nexit 75\n'
    )

    assert run(client, folder, env=broken_python(folder, shell)).returncode == 7


PROVIDERS = {
    "segfaults": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "leaves with 0": "import os; os._exit(0)",
    "exits": "raise SystemExit(0)",
    "is killed": "import os, signal; os.kill(os.getpid(), signal.SIGKILL)",
    "prints a yes and leaves": (
        'import os; os.write(1, b\'{"hookSpecificOutput":{"permissionDecision":"allow"}}\'); os._exit(0)'
    ),
}


@pytest.mark.parametrize("deed", PROVIDERS.values(), ids=PROVIDERS)
def test_a_provider_that_takes_python_with_it_is_closed(deed, client, folder):  # noqa: F811
    home = folder / "home"
    (home / ".config/snaphook").mkdir(parents=True)
    (home / "evil.py").write_text(
        "from snaphook import HooksProvider\n\n"
        "class Evil(HooksProvider):\n"
        "    async def on_pre_tool_use(self, event):\n"
        f"        {deed}\n"
    )
    (home / ".config/snaphook/snaphook.toml").write_text(
        f'[providers.evil]\nuse = "{home}/evil.py:Evil"\n'
    )
    wire = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(home),
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }
    done = subprocess.run(
        [client, "claude-code", "PreToolUse"],
        input=json.dumps(wire).encode(),
        capture_output=True,
        cwd=home,
        env={
            "HOME": str(home),
            "PATH": os.environ["PATH"],
            "SNAPHOOK_SOCKET": str(folder / "d.sock"),
            "SNAPHOOK_NO_DAEMON": "1",
            "SNAPHOOK_PYTHON": sys.executable,
        },
        timeout=60,
    )

    assert b"allow" not in done.stdout
    assert done.returncode == 2 or b'"deny"' in done.stdout, (done, signal.SIGSEGV)


SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"


@pytest.fixture
def refused_call(client, folder):  # noqa: F811
    """A call that the client had to answer by itself; the home that it is laid down in."""
    wire = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(folder),
        "tool_name": "Bash",
        "tool_input": {"command": f"curl -H 'Authorization: Bearer {SECRET}' x.example"},
    }
    env = {
        "HOME": str(folder),
        "SNAPHOOK_SOCKET": str(folder / "d.sock"),
        **broken_python(folder, PYTHONS["segfaults"]),
    }
    done = subprocess.run(
        [client, "claude-code", "PreToolUse"],
        input=json.dumps(wire).encode(),
        capture_output=True,
        env=env,
        cwd=folder,
        timeout=60,
    )
    assert done.returncode == 2
    return folder / ".local/share/snaphook"


def test_a_denial_of_the_clients_own_is_laid_down_for_the_record(refused_call, folder):  # noqa: F811
    (file,) = laid_down(refused_call)
    kept: list[Refusal] = []

    assert [file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777] == [0o600, 0o700]
    assert record_all(refused_call, kept.append) == 1
    assert laid_down(refused_call) == list(file.parent.iterdir()) == []
    (refusal,) = kept
    assert (refusal.host, refusal.call.event, refusal.stops) == ("claude-code", "PreToolUse", True)
    assert refusal.call.cwd == str(folder)
    assert refusal.why.startswith("neither the daemon nor Python gave an answer (")
    assert json.loads(refusal.wire)["session_id"] == "s"
    assert abs(refusal.call.now - time.time()) < 60


def test_an_event_that_only_informs_is_laid_down_as_no_denial(client, folder):  # noqa: F811
    env = {"XDG_DATA_HOME": str(folder / "data"), **broken_python(folder, PYTHONS["is killed"])}
    run(client, folder, "claude-code", "PostToolUse", env=env)
    kept: list[Refusal] = []

    record_all(folder / "data/snaphook", kept.append)

    assert [(one.call.event, one.stops) for one in kept] == [("PostToolUse", False)]


def test_the_next_call_through_python_records_it_scrubbed(refused_call, folder):  # noqa: F811
    env = {
        "HOME": str(folder),
        "PATH": os.environ["PATH"],
        "SNAPHOOK_DIRECT": "1",
        "SNAPHOOK_NO_DAEMON": "1",
    }
    wire = {"hook_event_name": "SessionStart", "session_id": "t", "cwd": str(folder)}
    subprocess.run(
        [sys.executable, "-I", "-m", "snaphook", "hook", "claude-code", "SessionStart"],
        input=json.dumps(wire).encode(),
        env=env,
        cwd=folder,
        timeout=60,
        check=True,
    )

    (denial,) = until(
        lambda: [one for one in records(refused_call / "log") if one.verdict == "deny"]
    )
    assert (denial.event, denial.host, denial.by) == ("PreToolUse", "claude-code", "snaphook")
    assert "neither the daemon nor Python gave an answer" in (denial.reason or "")
    assert SECRET not in str(denial)
    until(lambda: not list((refused_call / "refused").iterdir()))


def test_what_a_taker_that_died_had_claimed_waits_again(refused_call):
    (file,) = laid_down(refused_call)
    dead = subprocess.Popen(["true"])
    dead.wait()
    file.rename(file.with_suffix(f".taken-{dead.pid}"))
    assert laid_down(refused_call) == []

    put_back(refused_call)

    assert laid_down(refused_call) == [file]


@pytest.mark.parametrize("raw", [b"", b"2\0" * 20, b"1\0soon" + b"\0" * 20, b"\xff" * 100])
def test_what_is_no_call_is_passed_over(raw):
    assert read(raw) is None


def test_a_broken_install_does_not_fill_the_disk(client, folder):  # noqa: F811
    place = folder / "data/snaphook/refused"
    place.mkdir(parents=True)
    for number in range(1000):
        (place / f"{number}.call").touch()
    env = {"XDG_DATA_HOME": str(folder / "data"), **broken_python(folder, PYTHONS["is killed"])}

    assert run(client, folder, env=env).returncode == 2

    assert len(list(place.iterdir())) == 1000
