"""A cable between a client and a server on this machine, which a test can pull and plug in again."""

import contextlib
import socket
import threading
from urllib.parse import urlsplit


class Cable:
    """Listens at ``port`` and passes bytes to the server at *url*, while it is plugged in."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        assert parts.hostname
        assert parts.port
        self._far = (parts.hostname, parts.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.url = url.replace(f":{parts.port}", f":{self.port}")
        """What the client uses instead of the server's own."""
        self._open: set[socket.socket] = set()
        self._plugged = True
        self._flowing = threading.Event()
        self._flowing.set()
        threading.Thread(target=self._accept, daemon=True).start()

    def pull(self) -> None:
        """End every connection and refuse new ones."""
        self._plugged = False
        self._flowing.set()
        for end in list(self._open):
            self._drop(end)

    def squeeze(self) -> None:
        """Leave every connection as it is and let nothing through: a server that fell silent."""
        self._flowing.clear()

    def plug_in(self) -> None:
        """Let connections, and what waits in them, through again."""
        self._plugged = True
        self._flowing.set()

    def close(self) -> None:
        """Be gone."""
        self.pull()
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                if not self._plugged:
                    near.close()
                    continue
                far = socket.create_connection(self._far)
                self._open |= {near, far}
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65_536):
                self._flowing.wait()
                target.sendall(data)
        self._drop(source)
        self._drop(target)

    def _drop(self, end: socket.socket) -> None:
        self._open.discard(end)
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
        end.close()
