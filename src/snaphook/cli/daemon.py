"""``snaphook daemon``: the resident process that answers hooks without a Python start."""

import math
import os
import sys
import time
from pathlib import Path

import click

from snaphook.config import Environment, Settings, load
from snaphook.daemon.control import DaemonStatus, ask_status, ask_stop
from snaphook.daemon.run import NO_HTTP, holder, run, runs, spawn
from snaphook.daemon.settings import DaemonSettings
from snaphook.daemon.socket_path import socket_path
from snaphook.errors import ConfigError, MachineError
from snaphook.hosts.http import Address, token
from snaphook.process import ancestry
from snaphook.process.ancestry import Process
from snaphook.providers.telemetry.settings import TelemetrySettings
from snaphook.wiring.assembly import NATIVE, section
from snaphook.wiring.sections import every_section

from .output import say, say_json, say_lines

STOPS_WITHIN = 60.0
"""Seconds for the hooks under way, whose own limit is that by default, to be answered."""

__all__ = ["NO_HTTP", "command", "daemon_settings", "http_address"]


@click.group()
def command() -> None:
    """Start, stop and inspect the background daemon that evaluates hooks.

    It starts automatically with the first hook call, and stops after 30 minutes without a call.
    """


@command.command()
def start() -> None:
    """Start the daemon if it is not running."""
    say_lines(_told(_wait_for_one()))


@command.command()
def stop() -> int:
    """Stop the daemon after the calls in progress."""
    if not ask_stop(os.environ):
        say("The daemon is not running.")
        return 0
    say("Daemon stopped.")
    return 0


@command.command()
def restart() -> None:
    """Restart the daemon."""
    old = ancestry.find(holder(os.environ) or 0)
    if ask_stop(os.environ):
        _wait_for_its_end(old)
    say_lines(_told(_wait_for_one()))


@command.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(as_json: bool) -> int:
    """Show whether the daemon is running, its uptime and the number of calls."""
    found = ask_status(os.environ)
    if as_json:
        say_json(found and found.as_dict())
    elif found is None:
        say("The daemon is not running. The next hook call starts it.")
    else:
        say_lines(_told(found))
    return 0 if found else 1


@command.command()
@click.option("--lines", default=50, show_default=True, help="Number of lines to show.")
def logs(lines: int) -> None:
    """Show the last lines of the daemon's log."""
    path = log_file()
    if not path.exists():
        say(f"Nothing logged yet ({path}).")
        return
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:]:
        say(line)


@command.command("run", hidden=True)
@click.option("--idle", type=float, help="Stop after this many seconds without a call.")
@click.option("--starting", default=-1, help="File descriptor of a lock to release.")
def run_here(idle: float | None, starting: int) -> None:
    """Run the daemon in the foreground."""
    from snaphook.daemon.handle import Handler
    from snaphook.process.private import make_private

    make_private()
    settings = daemon_settings()
    stays = math.inf if settings.http or serves_metrics() else settings.idle_minutes * 60
    run(
        Handler,
        env=os.environ,
        logs=log_file(),
        idle_seconds=stays if idle is None else idle,
        http=http_address(settings) if settings.http else None,
        starting=starting,
    )


@command.command("keep", hidden=True)
def keep_here() -> None:
    """Run the daemon's log maintenance worker in the foreground."""
    from snaphook.daemon.worker import serve

    serve(sys.stdin.buffer, logs=log_file())


@command.command("tell", hidden=True)
@click.option("--begun", type=float, help="Export records since this time.")
def tell_here(begun: float | None) -> None:
    """Run the daemon's telemetry exporter in the foreground."""
    from snaphook.daemon.exporter import serve

    serve(sys.stdin.buffer, sys.stdout.buffer, logs=log_file(), begun=begun)


@command.command()
def unit() -> None:
    """Print a systemd unit (launchd on macOS) that keeps the daemon running."""
    from snaphook.daemon.units import launchd, systemd

    say_lines(launchd(sys.executable) if sys.platform == "darwin" else systemd(sys.executable))


def daemon_settings() -> DaemonSettings:
    """Return what the user's own files say of the daemon; no project has a say in it."""
    try:
        return section(own_settings(), "daemon", DaemonSettings)
    except ConfigError as problem:
        say(f"snaphook: {problem}", err=True)
        return DaemonSettings()


def serves_metrics() -> bool:
    """Say whether somebody comes to read metrics, so that the daemon must be there."""
    try:
        wanted = section(own_settings(), "telemetry", TelemetrySettings)
    except ConfigError:
        return False
    return wanted.enabled and bool(wanted.prometheus)


def own_settings() -> Settings:
    """Return what the user's and the administrator's files say, and no project's."""
    return load(Environment.here(Path("/")), dialects=NATIVE, sections=every_section())


def http_address(settings: DaemonSettings) -> Address:
    """Return where hosts call by HTTP, and with which token."""
    return Address(port=settings.port, token=token(Environment.here().data_dir))


def log_file() -> Path:
    """Return where the daemon logs."""
    return Environment.here().cache_dir / "daemon.log"


def _wait_for_its_end(old: Process | None) -> None:
    """Return once the daemon *old*, which was told to stop, has ended.

    Its socket goes first, while it still answers what was asked and makes the record durable. One that is
    started in that time finds the lock taken and leaves. The lock goes next, before the interpreter has
    joined its threads and left: so both the lock and the process are waited for.
    """
    until = time.monotonic() + STOPS_WITHIN
    while runs(os.environ) or not _has_ended(old):
        if time.monotonic() >= until:
            raise MachineError(
                where=f"daemon {old.pid if old else ''}".rstrip(),
                what=f"did not stop within {STOPS_WITHIN:g} s",
                fix="Wait for the hooks it is answering, then try again; 'snaphook daemon logs' shows them.",
            )
        time.sleep(0.02)


def _has_ended(old: Process | None) -> bool:
    """Say whether *old* is gone, be it that nobody has collected it: not every init does so soon."""
    found = ancestry.find(old.pid) if old else None
    return old is None or found is None or found.key != old.key or found.is_zombie


def _wait_for_one() -> DaemonStatus:
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if found := ask_status(os.environ):
            return found
        if not runs(os.environ):
            spawn(os.environ)  # does nothing while one is being started; that one may have given up
        time.sleep(0.02)
    raise MachineError(
        where=str(socket_path(os.environ)),
        what="the daemon did not start within 10 s",
        fix="'snaphook daemon logs' shows why. Hooks work without it, more slowly.",
    )


def _told(found: DaemonStatus) -> str:
    by_http = f" Hooks by HTTP at {found.http}." if found.http else ""
    return (
        f"Daemon {found.version}, pid {found.pid}, up {found.up_seconds:.0f} s, "
        f"{found.served} calls answered, {found.projects} projects, {found.rss_mb:.0f} MB.{by_http}"
    )
