"""The native client against a real socket: every way a daemon can fail ends in an answer."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from snaphook.daemon import frames
from snaphook.daemon.frames import ReplyFrame
from snaphook.daemon.socket_path import (
    HUNG_SECONDS,
    LONGEST,
    install,
    note_that_it_hangs,
    socket_name,
    socket_path,
)
from snaphook.errors import MachineError

ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.needs("cc")


FAKE_PYTHON = f"""#!{sys.executable} -IS
import os, sys
said = f"python: {{' '.join(sys.argv[4:])}} {{os.environ['SNAPHOOK_DIRECT']}} {{sys.stdin.read()}}\\n"
lengths = len(said).to_bytes(4, "big") + bytes(4)
os.write(int(os.environ["SNAPHOOK_ANSWER_FD"]), b"SNAP\\2\\7" + lengths + said.encode())
"""
"""Takes Python's place: answers with what it was asked, and status 7."""


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """The client, compiled as the package compiles it, beside a Python that says it was asked."""
    folder = tmp_path_factory.mktemp("bin")
    version = (
        (ROOT / "src/snaphook/__init__.py").read_text().split('__version__ = "')[1].split('"')[0]
    )
    subprocess.run(
        [
            "cc",
            "-std=c11",
            "-Wall",
            "-Wextra",
            "-Werror",
            f'-DSNAPHOOK_VERSION="{version}"',
            str(ROOT / "native/client.c"),
            "-o",
            str(folder / "snaphook-hook"),
        ],
        check=True,
    )
    python = folder / "python3"
    python.write_text(FAKE_PYTHON)
    python.chmod(0o755)
    return folder / "snaphook-hook"


@pytest.fixture
def folder(tmp_path):
    tmp_path.chmod(0o700)
    return tmp_path


def call(client, folder, *, stdin=b"{}", args=("claude-code", "PreToolUse"), env=None, **options):
    return subprocess.run(
        [client, *args],
        input=stdin,
        capture_output=True,
        env={**os.environ, "SNAPHOOK_SOCKET": str(folder / "d.sock"), **(env or {})},
        timeout=20,
        **options,
    )


class Daemon:
    """A socket that does one thing with whoever connects."""

    def __init__(self, folder, behave, name="d.sock"):
        self.heard = bytearray()
        self._socket = socket.socket(socket.AF_UNIX)
        self._socket.bind(str(folder / name))
        self._socket.listen()
        self._thread = threading.Thread(target=self._serve, args=(behave,), daemon=True)
        self._thread.start()

    def _serve(self, behave):
        with contextlib.suppress(OSError):  # a client that never comes or gives up is the point
            peer, _ = self._socket.accept()
            with peer:
                behave(self, peer)

    def close(self):
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        self._thread.join(10)


def reads(self, peer):
    peer.settimeout(5)
    while not self.heard.endswith(b"END"):
        self.heard += peer.recv(65536)


def answers(self, peer):
    reads(self, peer)
    peer.sendall(frames.encode_answer(ReplyFrame(status=2, stdout=b"out", stderr=b"err")))


def thinks_first(self, peer):
    reads(self, peer)
    for _ in range(3):
        peer.sendall(frames.STILL_WORKING)
        time.sleep(0.05)
    peer.sendall(frames.encode_answer(ReplyFrame(stdout=b"late")))


def dies_in_mid_reply(self, peer):
    reads(self, peer)
    peer.sendall(frames.encode_answer(ReplyFrame(stdout=b"half an answer"))[:-5])


def talks_nonsense(self, peer):
    reads(self, peer)
    peer.sendall(b"HTTP/1.1 200 OK\r\n\r\n")


def is_another_version(self, peer):
    reads(self, peer)
    peer.sendall(frames.ASK_ELSEWHERE)


def hangs(self, peer):
    reads(self, peer)
    time.sleep(6)


def hangs_up(self, peer):
    peer.close()


def test_the_daemons_answer_is_passed_on(client, folder):
    daemon = Daemon(folder, answers)
    done = call(client, folder, stdin=b'{"a": 1}END')
    daemon.close()

    assert (done.returncode, done.stdout, done.stderr) == (2, b"out", b"err")
    assert b"claude-code\0PreToolUse\0" in daemon.heard


def test_two_installs_have_two_daemons(client, folder):
    """The folder of their Python tells them apart, for the client as for the daemon."""
    place = folder / "snaphook"
    place.mkdir(mode=0o700)
    other = folder / "other"
    other.mkdir()
    shutil.copy(client, other / "snaphook-hook")
    shutil.copy(client.with_name("python3"), other / "python3")
    env = {"SNAPHOOK_SOCKET": "", "XDG_RUNTIME_DIR": str(folder)}
    daemon = Daemon(place, answers, f"{install(str(client))}.sock")
    ours = call(client, folder, stdin=b"END", env=env)
    theirs = call(other / "snaphook-hook", folder, stdin=b"END", env=env)
    daemon.close()

    assert (ours.returncode, ours.stdout) == (2, b"out")
    assert theirs.returncode == 7


def test_a_daemon_that_hung_is_passed_by_until_the_note_is_old(client, folder):
    note_that_it_hangs(str(folder / "d.sock"))
    daemon = Daemon(folder, answers)
    passed = call(client, folder, stdin=b"END")
    long_ago = time.time() - 2 * HUNG_SECONDS
    os.utime(folder / "d.sock.hung", (long_ago, long_ago))
    asked = call(client, folder, stdin=b"END")
    daemon.close()

    assert (passed.returncode, asked.returncode) == (7, 2)


def test_a_daemon_that_thinks_is_waited_for(client, folder):
    daemon = Daemon(folder, thinks_first)
    done = call(client, folder, stdin=b"END")
    daemon.close()

    assert (done.returncode, done.stdout) == (0, b"late")


@pytest.mark.parametrize(
    "behave", [dies_in_mid_reply, talks_nonsense, is_another_version, hangs, hangs_up]
)
def test_a_daemon_that_fails_is_passed_by_and_python_answers(behave, client, folder):
    daemon = Daemon(folder, behave)
    done = call(client, folder, stdin=b'{"a": 1}END')
    daemon.close()

    assert (done.returncode, done.stdout) == (
        7,
        b'python: claude-code PreToolUse 1 {"a": 1}END\n',
    )
    assert (folder / "d.sock.hung").exists() == (behave is hangs)


def test_without_a_daemon_python_answers(client, folder):
    assert call(client, folder).returncode == 7


def test_a_socket_nobody_listens_at_is_passed_by(client, folder):
    left = socket.socket(socket.AF_UNIX)
    left.bind(str(folder / "d.sock"))
    left.close()

    assert call(client, folder).returncode == 7


def test_a_folder_that_others_may_enter_is_not_trusted(client, folder):
    daemon = Daemon(folder, answers)
    folder.chmod(0o755)
    done = call(client, folder, stdin=b"END")
    daemon.close()

    assert done.returncode == 7


@pytest.mark.parametrize(("event", "status"), [("PreToolUse", 2), ("SessionStart", 1), ("", 2)])
def test_where_nobody_can_be_asked_it_answers_closed_and_says_why(event, status, client, folder):
    alone = folder / "alone"
    alone.mkdir()
    shutil.copy(client, alone / "snaphook-hook")
    done = call(alone / "snaphook-hook", folder, args=("claude-code", *([event] if event else [])))

    assert done.returncode == status
    assert b"neither the daemon nor Python could be reached" in done.stderr


def test_a_python_that_cannot_load_the_package_is_closed_too(client, folder):
    bare = folder / "python3"
    bare.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
    bare.chmod(0o755)
    done = call(client, folder, env={"SNAPHOOK_PYTHON": str(bare)})

    assert done.returncode == 2
    assert b"cannot load snaphook" in done.stderr


def test_fifty_megabytes_pass_through(client, folder):
    body = b"x" * (50 << 20) + b"END"
    daemon = Daemon(folder, answers)
    done = call(client, folder, stdin=body)
    daemon.close()

    assert done.returncode == 2
    assert daemon.heard.endswith(body)


def test_a_host_that_does_not_read_the_answer_is_no_reason_to_die(client, folder):
    daemon = Daemon(folder, answers)
    reader, writer = os.pipe()
    os.close(reader)
    process = subprocess.Popen(
        [client, "claude-code"],
        stdin=subprocess.PIPE,
        stdout=writer,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "SNAPHOOK_SOCKET": str(folder / "d.sock")},
    )
    os.close(writer)
    process.communicate(b"END", timeout=10)
    daemon.close()

    assert process.returncode == 2


def test_a_runtime_folder_with_a_long_path_has_its_socket_elsewhere(client, folder):
    long = folder / ("x" * 90)
    name = socket_name({"XDG_RUNTIME_DIR": str(long)})

    assert len(os.fsencode(name)) <= LONGEST < len(os.fsencode(f"{long}/snaphook/01234567.sock"))
    assert name.startswith(f"/tmp/snaphook-{os.getuid()}/")


def test_a_path_that_no_socket_can_have_is_told(folder):
    with pytest.raises(
        MachineError, match=r"may have 10[37] bytes, and this one has .* Set SNAPHOOK_SOCKET"
    ):
        socket_path({"SNAPHOOK_SOCKET": f"/{'x' * 120}"})
