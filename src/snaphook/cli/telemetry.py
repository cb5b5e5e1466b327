"""``snaphook telemetry``: what is told of agents, to whom; and proof that their hooks fire.

the record  ->  a report, metrics, a collector that is up to date
"""

import threading
import time
from pathlib import Path

import click
import msgspec
from rich.table import Table

from snaphook.config import Environment
from snaphook.errors import ConfigError, UsageError
from snaphook.hosts import host_named
from snaphook.providers.telemetry.pipeline import TelemetryPipeline, numbers_of, wanted
from snaphook.providers.telemetry.settings import TelemetrySettings, address_of
from snaphook.wiring.assembly import log_settings, section

from .console import cell, new_console
from .daemon import own_settings
from .hook_activity import HookActivity, ago, fired, wired_here
from .init import NAMES
from .log import moment, record_folder
from .output import say, say_generated, say_json, say_lines

DASHBOARD = Path(__file__).parents[1] / "providers" / "telemetry" / "grafana.json"


@click.group("telemetry")
def command() -> None:
    """Tell a collector or Prometheus what agents do; prove that their hooks fire.

    With a [telemetry] table in your settings the daemon does this by itself.
    """


@command.command("fired")
@click.option("--since", default="30d", show_default=True, help="10m, 2h, 3d, 2026-05-01T12:00.")
@click.option("--json", "as_json", is_flag=True, help="Print each row as a line of JSON.")
def fired_command(since: str, as_json: bool) -> int:
    """Show which hooks fired, in which agent, when last; 1 if one is wired and never did."""
    now = time.time()
    folder, _ = record_folder()
    rows = fired(folder, wired_here(Environment.here()), since=moment(since, now))
    if as_json:
        for row in rows:
            say_json({**msgspec.structs.asdict(row), "dead": row.dead})
    elif rows:
        _show(rows, now)
    else:
        say("No agent is wired, and none was heard of. Run: snaphook init")
    return 1 if any(row.dead for row in rows) else 0


@command.command()
def metrics() -> None:
    """Print every number as Prometheus reads it."""
    around = Environment.here(Path("/"))
    folder = log_settings(own_settings()).place(around.data_dir)
    say_lines(numbers_of(folder, around.data_dir), nl=False)


@command.command()
@click.option("--address", default="127.0.0.1:9464", show_default=True, help="Where to listen.")
def serve(address: str) -> None:
    """Serve metrics to Prometheus, and tell the collector, until interrupted."""
    if address_of(address) is None:
        raise UsageError(where="--address", what=f"'{address}' has no port", fix="127.0.0.1:9464")
    settings = msgspec.structs.replace(_settings(), prometheus=address)
    pipeline = _pipeline(settings)
    assert pipeline.endpoint is not None, "an address was given"
    say(f"Metrics at {pipeline.endpoint.url} (Ctrl-C ends)")
    waiting = threading.Event()
    try:
        while not waiting.wait(settings.interval):
            pipeline.once()
    finally:
        pipeline.close()


@command.command()
@click.option("--since", help="Also what came before: 10m, 2h, 3d, 2026-05-01T12:00.")
def export(since: str | None) -> int:
    """Tell the collector what it has not heard yet, once, and say whether it listened.

    Telling begins when telemetry is first switched on. With --since the collector hears what was
    recorded before that, too, and again what it has heard: spans come with the same ids as before,
    and numbers that have begun to count are not counted anew.
    """
    settings = _settings()
    around = Environment.here(Path("/"))
    if not wanted(settings, around.env):
        raise ConfigError(
            where="[telemetry]",
            what="names no collector",
            fix="Set endpoint = 'http://127.0.0.1:4318', or OTEL_EXPORTER_OTLP_ENDPOINT.",
        )
    begin = moment(since, time.time()) if since else None
    pipeline = _pipeline(msgspec.structs.replace(settings, prometheus=""), begin)
    took = pipeline.once(all_of_it=True)
    pipeline.close()
    say("Told." if took else "The collector did not take it. Nothing is lost; try again.")
    return 0 if took else 1


@command.command()
def grafana() -> None:
    """Print a dashboard for Grafana; import it, or put it into a provisioned folder."""
    say_generated(DASHBOARD.read_text(encoding="utf-8"))


def _settings() -> TelemetrySettings:
    return section(own_settings(), "telemetry", TelemetrySettings)


def _pipeline(settings: TelemetrySettings, since: float | None = None) -> TelemetryPipeline:
    around = Environment.here(Path("/"))
    folder = log_settings(own_settings()).place(around.data_dir)
    return TelemetryPipeline(settings, folder, around.data_dir, env=around.env, since=since)


def _show(rows: list[HookActivity], now: float) -> None:
    console = new_console(soft_wrap=True)
    table = Table("agent", "event", "fired", "stopped", "last", box=None, pad_edge=False)
    for row in rows:
        last = ago(row.last, now)
        title = host_named(row.host).TITLE if row.host in NAMES else row.host or "embedded"
        table.add_row(
            cell(title),
            cell(row.event),
            str(row.count),
            str(row.stopped or ""),
            f"[yellow]{last}[/yellow]" if row.dead else last,
        )
    console.print(table)
    if dead := [row for row in rows if row.dead]:
        events = ", ".join(cell(f"{row.host} {row.event}") for row in dead)
        console.print(
            f"\n[yellow]![/yellow] Wired and never seen: {events}.\n"
            "Let the agent do something that fires them; 'snaphook doctor --live' does it for you."
        )
