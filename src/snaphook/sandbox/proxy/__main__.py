"""``python -m snaphook.sandbox.proxy COUNT POLICY TAG``: how the helper starts the proxy.

descriptors 3 (lifeline), 4 (names), 5 (proxy), 6 and on (ports)  ->  served until the lifeline ends
"""

import asyncio
import contextlib
import socket
import sys
from pathlib import Path

from snaphook.sandbox.proxy.hosts import HostList
from snaphook.sandbox.proxy.server import Proxy, Report
from snaphook.sandbox.reports import FOLDER
from snaphook.storage.appending import AppendOnly

_LIFELINE = 3
_MOST_REPORTS = 200


def main() -> int:
    """Serve until nobody is confined any more."""
    count, policy, tag = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
    sockets = [socket.socket(fileno=fd) for fd in range(_LIFELINE + 1, _LIFELINE + 1 + count)]
    for one in sockets:
        one.setblocking(False)
    proxy = Proxy(HostList(allowed_hosts(policy)), reporter(policy.parent / FOLDER, tag))
    asyncio.run(_serve(proxy, sockets))
    return 0


def allowed_hosts(policy: Path) -> list[str]:
    """Return the hosts that a compiled policy lets be reached."""
    records = policy.read_bytes().split(b"\0")
    return [one[1:].decode("utf-8", "surrogateescape") for one in records if one[:1] == b"H"]


def reporter(folder: Path, tag: str) -> Report:
    """Return what notes a refused host where the helper notes its refusals, each once."""
    seen: set[str] = set()

    def report(host: str, port: int) -> None:
        said = "".join(char if char.isprintable() else "?" for char in host)
        text = f"{said}:{port}" if port else said
        if not tag or text in seen or len(seen) >= _MOST_REPORTS:
            return
        seen.add(text)
        with contextlib.suppress(OSError):
            file = AppendOnly(folder / tag)  # opened for each line, as the helper does
            file.append(f"nN {text}\n".encode("utf-8", "replace"))
            file.close()

    return report


async def _serve(proxy: Proxy, sockets: list[socket.socket]) -> None:
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(_LIFELINE, over.set)
    await proxy.serve(sockets[0], sockets[1], sockets[2:])
    await over.wait()


if __name__ == "__main__":
    sys.exit(main())
