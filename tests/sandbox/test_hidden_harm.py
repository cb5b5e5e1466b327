"""Harm that no reading of a command can find: with the sandbox it does not happen."""

import os
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.sandbox.box import SECRET, Box, missing
from tests.sandbox.harm import FORMS
from tests.thorough import thorough

DEEDS = {
    "delete": ("{home}/Documents/thesis.txt", ""),
    "remove tree": ("{outside}", ""),
    "overwrite": ("{outside}/data.txt", ""),
    "append": ("{home}/.bashrc", ""),
    "permit": ("{home}/.ssh", ""),
    "rename": ("{home}/Documents", "{project}/mine"),
    "link": ("{home}/.bashrc", ""),
    "create": ("{home}/new", ""),
    "date": ("{outside}/data.txt", ""),
    "steal": ("{home}/.ssh/id_ed25519", ""),
}
HARD = ("steal", "delete", "append", "permit")
"""Forms that start slowly are tried with these alone; at a desk with the first."""
SLOW = (
    "Cargo's build.rs",
    "Go",
    "Java",
    "an npm script",
    "an installer's script",
    "a test's set-up",
)
CASES = [
    pytest.param(form, deed, id=f"{form}: {deed}")
    for form in FORMS
    for deed in DEEDS
    if form not in SLOW or deed in HARD[: thorough(len(HARD), 1)]
]


class Form:
    """A box in which one form of program is ready to run; built once for all its deeds."""

    def __init__(self, form: str, **more: Any) -> None:
        chosen = FORMS[form]
        if shutil.which(chosen.needs) is None:
            pytest.skip(f"no program '{chosen.needs}' on the path")
        self.box = Box(**more)
        if chosen.needs == "go":  # compiling the standard library anew takes minutes
            shared = Path.home() / ".cache" / "snaphook-tests" / "go-build"
            shared.mkdir(parents=True, exist_ok=True)
            self.box.more_env = {"GOCACHE": str(shared)}
        for name, text in chosen.files.items():
            (self.box.project / name).parent.mkdir(parents=True, exist_ok=True)
            (self.box.project / name).write_text(text)
        self.order("nothing")
        if chosen.build:
            done = self.box.start(["bash", "-c", chosen.build], env=_tools())
            assert done.returncode == 0, done.stderr
        self.command = chosen.command
        self.confined = self.box.rewritten(chosen.command)

    def order(self, deed: str, *names: str) -> None:
        """Write down what the program is to do."""
        box = self.box
        places = {"home": box.home, "outside": box.outside, "project": box.project}
        orders = names or tuple(one.format(**places) for one in DEEDS.get(deed, ()))
        (box.project / "orders").write_text("\n".join((deed, *orders)) + "\n\n")
        box.own()

    def run(self) -> "subprocess.CompletedProcess[str]":
        """Run the command as the guard rewrote it."""
        if self.confined is None:
            return subprocess.CompletedProcess([], 2, "", "denied")
        return self.box.start(["bash", "-c", self.confined], env=_tools())


@pytest.fixture(scope="module")
def form(request, give_up):
    """Return a form that is ready, one for all its deeds."""
    if (why := missing()) is not None:
        give_up(f"cannot confine here: {why}")
    made = Form(request.param)
    yield made
    made.box.close()


@pytest.mark.parametrize(("form", "deed"), CASES, indirect=["form"])
def test_hidden_harm_does_not_happen(form, deed):
    form.order(deed)
    before = form.box.state()
    done = form.run()
    loot = form.box.project / "loot"
    stolen = loot.exists() and SECRET in loot.read_text()
    loot.unlink(missing_ok=True)

    assert form.box.state() == before, done
    assert not stolen
    assert SECRET not in done.stdout + done.stderr


ALIKE = ["Python", "Node", "Perl", "a C program", "a shell script"]


@pytest.mark.parametrize("form", ALIKE, indirect=True)
def test_the_same_harm_happens_without_the_sandbox(form):
    """A corpus that does no harm proves nothing."""
    form.order("delete")
    done = form.box.start(["bash", "-c", form.command], env=_tools())
    thesis = form.box.home / "Documents" / "thesis.txt"
    gone = not thesis.exists()
    thesis.write_text("precious\n")

    assert gone, done


@pytest.mark.parametrize("form", ["Node", "a C program", "Perl"], indirect=True)
def test_what_is_allowed_is_done(form):
    form.order("overwrite", str(form.box.project / "keep.txt"))
    done = form.run()

    assert done.returncode == 0, done
    assert (form.box.project / "keep.txt").read_text().strip() == "x"


@pytest.mark.parametrize("name", [one for one in FORMS if one not in SLOW or thorough(1, 0)])
def test_nothing_is_sent_where_the_network_is_off(name, give_up):
    if (why := missing()) is not None:
        give_up(f"cannot confine here: {why}")
    form = Form(name, network="off")
    with listening() as (port, heard):
        form.order("send", str(port))
        form.run()
    form.box.close()

    assert heard == []


@contextmanager
def listening() -> Iterator[tuple[int, list[bytes]]]:
    """Yield a port on this machine, and what comes in on it."""
    heard: list[bytes] = []
    server = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                heard.append(b"connected" + connection.recv(100))

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1], heard
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(5)


def _tools() -> dict[str, str]:
    """Return what compilers of this machine need to be found from another home."""
    home = os.environ.get("HOME", "/root")
    return {
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", f"{home}/.rustup"),
        "GOFLAGS": "-mod=mod",
        "GOTOOLCHAIN": "local",
        "PYENV_ROOT": os.environ.get("PYENV_ROOT", f"{home}/.pyenv"),
    }
