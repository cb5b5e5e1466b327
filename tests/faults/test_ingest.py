"""The endpoint of the audit trail: away, slow to believe, killed in between; every record arrives."""

import json
import signal
import ssl
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest

from snaphook.errors import StoreError
from snaphook.stores.eventlog import EventLog, LogSettings, Record
from snaphook.stores.eventlog.trail.settings import AuditSettings
from snaphook.stores.eventlog.trail.trail import Trail


class Endpoint:
    """A server that keeps what it is sent, or answers as it is told to."""

    def __init__(self):
        self.batches: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.statuses: list[int] = []
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                raw = self.rfile.read(int(self.headers["Content-Length"]))
                status = owner.statuses.pop(0) if owner.statuses else 202
                owner.headers.append(dict(self.headers))
                if status == 202:
                    owner.batches.append(json.loads(raw))
                self.send_response(status)
                if status == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            def log_message(self, *_):
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/ingest"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def ids(self):
        return [record["id"] for batch in self.batches for record in batch["records"]]


@pytest.fixture
def endpoint():
    made = Endpoint()
    yield made
    made.server.shutdown()
    made.server.server_close()


def write(folder, numbers):
    log = EventLog(folder)
    log.append([Record(id=f"r{n}", time=n, event="Stop", session="s") for n in numbers])
    log.close()


def trail_to(url, tmp_path, env=None, tenant="", **settings):
    return Trail(
        tmp_path / "log",
        LogSettings(),
        AuditSettings(endpoint=url, batch=4, **settings),
        key_folder=tmp_path / "audit",
        tenant=tenant,
        env=env or {},
    )


@pytest.mark.req("SQ-9")
def test_records_arrive_in_batches_with_a_token_and_only_once(endpoint, tmp_path):
    write(tmp_path / "log", range(10))
    trail = trail_to(endpoint.url, tmp_path, {"SNAPHOOK_AUDIT_TOKEN": "tok"}, tenant="acme")

    assert (trail.send(), trail.send()) == (10, 0)
    write(tmp_path / "log", range(10, 12))
    assert trail_to(endpoint.url, tmp_path).send() == 2

    assert endpoint.ids == [f"r{n}" for n in range(12)]
    assert [len(batch["records"]) for batch in endpoint.batches] == [4, 4, 2, 2]
    assert endpoint.batches[0]["tenant"] == "acme"
    assert endpoint.headers[0]["Authorization"] == "Bearer tok"
    assert "Authorization" not in endpoint.headers[-1]
    assert len({h["Idempotency-Key"] for h in endpoint.headers}) == 4


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize("status", [500, 503, 401, 302])
def test_what_is_not_accepted_is_sent_again(endpoint, tmp_path, status):
    """A redirect is no acceptance either: a token goes nowhere it was not meant to."""
    write(tmp_path / "log", range(6))
    endpoint.statuses = [202, status]
    trail = trail_to(endpoint.url, tmp_path)

    with pytest.raises(StoreError, match=f"answered {status}.*Nothing is lost"):
        trail.send()
    trail.send()

    assert sorted(set(endpoint.ids)) == [f"r{n}" for n in range(6)]


@pytest.mark.req("SQ-9")
def test_an_endpoint_that_is_away_costs_nothing_but_delay(tmp_path):
    write(tmp_path / "log", range(6))
    with pytest.raises(StoreError, match="cannot be reached"):
        trail_to("http://127.0.0.1:1/none", tmp_path).send()
    back = Endpoint()

    assert trail_to(back.url, tmp_path).send() == 6
    back.server.shutdown()
    back.server.server_close()


@pytest.mark.req("SQ-9")
def test_a_sender_that_is_killed_goes_on_where_it_was_believed(endpoint, tmp_path):
    """Killed while it waits for the endpoint's answer: what it sent then is sent again."""
    write(tmp_path / "log", range(6))
    held = threading.Event()
    asked = threading.Event()
    real = endpoint.server.RequestHandlerClass.do_POST

    def slow(handler):
        asked.set()
        held.wait(20)
        real(handler)

    endpoint.server.RequestHandlerClass.do_POST = slow
    script = (
        "import sys; from pathlib import Path; "
        "from snaphook.stores.eventlog import LogSettings; "
        "from snaphook.stores.eventlog.trail.settings import AuditSettings; "
        "from snaphook.stores.eventlog.trail.trail import Trail; "
        "Trail(Path(sys.argv[1]), LogSettings(), AuditSettings(endpoint=sys.argv[2]), "
        "key_folder=Path('/nowhere')).send()"
    )
    sender = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "log"), endpoint.url],
        stderr=subprocess.DEVNULL,
    )
    assert asked.wait(20)
    sender.send_signal(signal.SIGKILL)
    sender.wait(10)
    endpoint.server.RequestHandlerClass.do_POST = real
    held.set()

    assert trail_to(endpoint.url, tmp_path).send() == 6
    assert set(endpoint.ids) == {f"r{n}" for n in range(6)}


@pytest.mark.req("SQ-9")
@pytest.mark.needs("openssl")
def test_a_certificate_that_nobody_vouches_for_is_not_believed(tmp_path):
    subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "ec", "-nodes", "-days", "1"),
            *(
                "-pkeyopt",
                "ec_paramgen_curve:prime256v1",
                "-subj",
                "/CN=here",
                "-addext",
                "subjectAltName=IP:127.0.0.1",
            ),
            *("-keyout", str(tmp_path / "key"), "-out", str(tmp_path / "cert")),
        ],
        check=True,
        capture_output=True,
    )
    made = Endpoint()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert", tmp_path / "key")
    made.server.socket = context.wrap_socket(made.server.socket, server_side=True)
    url = f"https://127.0.0.1:{made.server.server_port}/"
    write(tmp_path / "log", range(2))

    with pytest.raises(StoreError, match="CERTIFICATE_VERIFY_FAILED"):
        trail_to(url, tmp_path).send()
    assert made.batches == []
    assert trail_to(url, tmp_path, ca_file=str(tmp_path / "cert")).send() == 2
    made.server.shutdown()
    made.server.server_close()


def test_a_token_comes_from_a_file_where_one_is_named(endpoint, tmp_path):
    write(tmp_path / "log", [1])
    (tmp_path / "token").write_text("from-file\n")
    trail_to(endpoint.url, tmp_path, token_file=str(tmp_path / "token")).send()

    assert endpoint.headers[0]["Authorization"] == "Bearer from-file"
    write(tmp_path / "log", [2])
    with pytest.raises(StoreError, match="has no token"):
        trail_to(endpoint.url, tmp_path, token_file=str(tmp_path / "none")).send()


@pytest.mark.parametrize(
    ("endpoint", "flawed"),
    [
        ("https://audit.example.com/in", False),
        ("http://127.0.0.1:8080/in", False),
        ("http://audit.example.com/in", True),
        ("ftp://x", True),
    ],
)
def test_no_address_may_send_the_record_in_the_clear(endpoint, flawed):
    assert bool(list(AuditSettings.find_errors({"endpoint": endpoint}))) is flawed
