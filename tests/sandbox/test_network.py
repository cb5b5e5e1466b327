"""With an allowlist, a confined command reaches what is on it and nothing else."""

import socket
import threading
from contextlib import contextmanager

import pytest

from snaphook.sandbox.reports import take_reports

TAG = "session-call"


@contextmanager
def web():
    """Yield a port of this machine at which something answers."""
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            with connection:
                connection.recv(4096)
                connection.sendall(b"HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi")

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield server.getsockname()[1]
    finally:
        server.shutdown(socket.SHUT_RDWR)
        server.close()
        thread.join(5)


SCRIPT = """
import socket, sys, urllib.request, http.server, threading
allowed, other = sys.argv[1:]
def get(where):
    try:
        return urllib.request.urlopen(where, timeout=60).read().decode()
    except OSError as error:
        return "refused"
print(get(f"http://localhost:{allowed}/"), get(f"http://127.0.0.1:{other}/"), get("http://evil.test/"))
print(get("http://203.0.113.9/"))
own = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
threading.Thread(target=own.serve_forever, daemon=True).start()
print("keep.txt" in get(f"http://127.0.0.1:{own.server_port}/"))
proxy = urllib.request.ProxyHandler({"http": "http://127.0.0.1:3128"})
try:
    urllib.request.build_opener(proxy).open("http://evil.test:8080/x", timeout=60)
except urllib.error.HTTPError as error:
    print(error.code, error.read().decode().strip())
"""


@pytest.mark.timeout(120)
def test_only_what_is_on_the_list_is_reached(new_box):
    with web() as allowed, web() as other:
        box = new_box(
            network="allowlist", allow_hosts=(f"localhost:{allowed}",), allow_registries=False
        )
        (box.project / "net.py").write_text(SCRIPT)
        policy, prefix = box.confiner().policy(box.world(), tag=TAG)
        done = box.start([*prefix.words, "python3", "net.py", str(allowed), str(other)])

    assert done.stdout.splitlines() == [
        "hi refused refused",
        "refused",
        "True",
        (
            "403 snaphook sandbox: evil.test:8080 is not allowed. A person can add 'evil.test:8080' to "
            "[sandbox] allow_hosts in snaphook.toml."
        ),
    ], done.stderr
    reported = take_reports(box.base / "data" / "sandbox" / "refused", TAG)
    hosts = [one.host for one in reported if one.rule == "sandbox.network"]
    assert hosts == ["evil.test", "203.0.113.9:80", "evil.test:8080"]
    assert policy.ports == (allowed,)


def test_without_namespaces_an_allowlist_is_closed(new_box):
    with web() as allowed:
        box = new_box(network="allowlist", allow_hosts=(f"localhost:{allowed}",))
        reach = f"exec 3<>/dev/tcp/127.0.0.1/{allowed} && echo reached"
        done = box.run(reach, without=("namespaces",))

    assert "reached" not in done.stdout
