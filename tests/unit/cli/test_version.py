"""``snaphook version`` goes over the network only when asked to."""

import http.server
import json
import threading
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

import snaphook
from snaphook.cli.version import command, later
from snaphook.errors import MachineError


@pytest.fixture
def index(request) -> Iterator[str]:
    """A package index on loopback that calls *request.param* the newest."""
    body = request.param

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_words):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/json"
        server.shutdown()


def newest(version: str) -> bytes:
    return json.dumps({"info": {"version": version}}).encode()


def run(*words: str):
    return CliRunner().invoke(command, [*words], standalone_mode=True)


def test_without_check_nothing_is_asked(monkeypatch):
    monkeypatch.setattr("snaphook.cli.version.newest", lambda _index: pytest.fail("asked"))

    done = run("--json")

    assert json.loads(done.stdout)["version"] == snaphook.__version__


@pytest.mark.parametrize("index", [newest("99.0")], indirect=True)
def test_a_newer_release_is_shown_with_the_commands_that_install_it(index):
    done = run("--check", "--index", index)

    assert done.exit_code == 1
    assert "99.0 is available. Run: uv tool upgrade snaphook" in done.stdout


@pytest.mark.parametrize("index", [newest("0.0.1")], indirect=True)
def test_an_older_release_is_no_upgrade(index):
    done = run("--check", "--index", index)

    assert done.exit_code == 0
    assert "This is the newest release." in done.stdout


@pytest.mark.parametrize("index", [b"<html>", b'{"info": 3}', newest("latest")], indirect=True)
def test_an_index_that_answers_nonsense_is_a_clear_error(index):
    done = run("--check", "--index", index)

    assert isinstance(done.exception, MachineError)


def test_an_index_that_is_away_is_a_clear_error():
    done = run("--check", "--index", "http://127.0.0.1:9/json")

    assert isinstance(done.exception, MachineError)
    assert "could not be read" in str(done.exception)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        pytest.param("0.10.0", "0.9.9", True, id="numbers, not letters"),
        pytest.param("1.0", "1.0rc1", True, id="a release after its candidate"),
        pytest.param("1.0rc1", "1.0", False, id="a candidate before its release"),
        pytest.param("1.0", "1.0", False, id="the same"),
    ],
)
def test_which_release_is_later(one, other, expected):
    assert later(one, other) is expected
