"""``snaphook ui``: the dashboard, in a browser.

options  ->  Desk  ->  create_app  ->  served until Ctrl-C
"""

import contextlib
import ipaddress
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from errno import EADDRINUSE
from typing import Any

import click

from snaphook.errors import MissingExtra, UsageError

from .here import here
from .output import say

PORT = 4765
TRIES = 20


@click.command("ui")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=PORT,
    show_default=True,
    help="Port to listen on; the next free one if it is taken.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--store", default="", help="postgresql://… for a fleet, or another records.sqlite.")
@click.option(
    "--name", "names", multiple=True, help="Additional host name the dashboard is reached by."
)
@click.option(
    "--token", default="", help="Require this token. Default: generated if --host is not loopback."
)
@click.option("--open/--no-open", "opens", default=None, help="Open a browser; default: at a desk.")
def command(
    port: int, host: str, store: str, names: tuple[str, ...], token: str, opens: bool | None
) -> int:
    """Open the dashboard: what agents do, decisions, cost and health.

    \b
    snaphook ui                                  this machine
    snaphook ui --store postgresql://db/hooks    every machine that ships there

    The dashboard is read-only. It listens on this machine only; with another --host it requires a
    token, which is printed once.
    """
    try:
        import uvicorn

        from snaphook.web import create_app, open_desk
    except ModuleNotFoundError as missing:
        raise MissingExtra.named("web", wanted_by="snaphook ui") from missing

    settings, around = here()
    token = token or ("" if _is_loopback(host) else secrets.token_urlsafe(24))
    listener = _listen(host, port)
    dashboard = open_desk(settings, around, store=store, daemon=lambda: _daemon(around.env))
    app = create_app(dashboard, token=token, names=(*names, host))
    address = _address(host, listener.getsockname()[1], token)
    say(f"Snaphook's dashboard is at {address}")
    say(f"It shows {dashboard.records.where}. Ctrl-C ends it.")
    sys.stdout.flush()
    if opens if opens is not None else _at_a_desk():
        click.launch(address)
    config = uvicorn.Config(
        app, log_level="error", access_log=False, lifespan="on", timeout_graceful_shutdown=1
    )
    with contextlib.suppress(KeyboardInterrupt):  # how it is ended
        uvicorn.Server(config).run(sockets=[listener])
    return 0


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens at *port*, or at the next one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for number in [0] if port == 0 else range(port, min(port + TRIES, 65_536)):
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, number))
        except OSError as error:
            listener.close()
            if error.errno != EADDRINUSE:
                raise UsageError(
                    where=f"--host {host} --port {number}",
                    what=f"cannot be listened on ({error.strerror})",
                    fix="Use an address of this machine and a port from 1024 to 65535.",
                ) from error
            continue
        listener.listen()  # whoever opens the address at once waits instead of being refused
        return listener
    raise UsageError(
        where=f"--port {port}",
        what=f"this port and the {TRIES - 1} after it are taken",
        fix="Choose another port, or 0 for any free one.",
    )


def _address(host: str, port: int, token: str) -> str:
    shown = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104 - what people may ask for
    shown = f"[{shown}]" if ":" in shown else shown
    return f"http://{shown}:{port}/" + (f"?token={token}" if token else "")


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _at_a_desk() -> bool:
    """Say whether somebody is there to see a browser open."""
    shown = (
        sys.platform == "darwin" or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    )
    return sys.stdout.isatty() and bool(shown) and not os.environ.get("SSH_CONNECTION")


def _daemon(env: Mapping[str, str]) -> dict[str, Any] | None:
    from snaphook.daemon.control import ask_status

    status = ask_status(env)
    return status.as_dict() if status else None
