"""Harm that no reading of a command can find: with the sandbox it does not happen."""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from tests.sandbox.box import SECRET, Box
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


def furnish(box: Box, form: str, deed: str, *names: str) -> str:
    chosen = FORMS[form]
    if shutil.which(chosen.needs) is None:
        pytest.skip(f"no program '{chosen.needs}' on the path")
    for name, text in chosen.files.items():
        (box.project / name).parent.mkdir(parents=True, exist_ok=True)
        (box.project / name).write_text(text)
    places = {"home": box.home, "outside": box.outside, "project": box.project}
    orders = names or tuple(one.format(**places) for one in DEEDS[deed])
    (box.project / "orders").write_text("\n".join((deed, *orders)) + "\n\n")
    box.own()
    if chosen.build:
        done = box.start(["bash", "-c", chosen.build])
        assert done.returncode == 0, done.stderr
    return chosen.command


@pytest.mark.parametrize(("form", "deed"), CASES)
def test_hidden_harm_does_not_happen(new_box, form, deed):
    box = new_box()
    command = furnish(box, form, deed)
    before = box.state()
    done = box.agent(command, env=_tools())

    assert box.state() == before, done
    loot = box.project / "loot"
    assert not loot.exists() or SECRET not in loot.read_text()
    assert SECRET not in done.stdout + done.stderr


@pytest.mark.parametrize("form", ["Python", "Node", "Perl", "a C program", "a shell script"])
def test_the_same_harm_happens_without_the_sandbox(new_box, form):
    """A corpus that does no harm proves nothing."""
    box = new_box()
    command = furnish(box, form, "delete")
    done = box.start(["bash", "-c", command], env=_tools())

    assert not (box.home / "Documents" / "thesis.txt").exists(), done


@pytest.mark.parametrize("form", [one for one in FORMS if one not in SLOW or thorough(1, 0)])
def test_nothing_is_sent_where_the_network_is_off(new_box, form):
    box = new_box(network="off")
    with listening() as (port, heard):
        command = furnish(box, form, "send", str(port))
        box.agent(command, env=_tools())

    assert heard == []


@pytest.mark.parametrize("form", ["Node", "a C program", "Perl"])
def test_what_is_allowed_is_done(new_box, form):
    box = new_box()
    command = furnish(box, form, "overwrite", str(box.project / "keep.txt"))
    done = box.agent(command, env=_tools())

    assert done.returncode == 0, done
    assert (box.project / "keep.txt").read_text().strip() == "x"


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
