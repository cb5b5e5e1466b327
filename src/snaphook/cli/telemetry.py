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
    """Export metrics and traces to a collector or Prometheus; show which hooks have run.

    With [telemetry] in your settings, the daemon does this automatically.
    """


@command.command("fired")
@click.option("--since", default="30d", show_default=True, help="10m, 2h, 3d, 2026-05-01T12:00.")
@click.option("--json", "as_json", is_flag=True, help="Print each row as a line of JSON.")
def fired_command(since: str, as_json: bool) -> int:
    """Show which hooks ran in which agent, and when last. Exits with 1 if an installed hook never ran."""
    now = time.time()
    folder, _ = record_folder()
    rows = fired(folder, wired_here(Environment.here()), since=moment(since, now))
    if as_json:
        for row in rows:
            say_json({**msgspec.structs.asdict(row), "dead": row.dead})
    elif rows:
        _show(rows, now)
    else:
        say("No hooks installed and no events received. Run: snaphook init")
    return 1 if any(row.dead for row in rows) else 0


@command.command()
def metrics() -> None:
    """Print all metrics in the Prometheus text format."""
    around = Environment.here(Path("/"))
    folder = log_settings(own_settings()).place(around.data_dir)
    say_lines(numbers_of(folder, around.data_dir), nl=False)


@command.command()
@click.option(
    "--address", default="127.0.0.1:9464", show_default=True, help="Address to listen on."
)
def serve(address: str) -> None:
    """Serve metrics to Prometheus and export to the collector until interrupted."""
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
@click.option("--since", help="Also export earlier records: 10m, 2h, 3d, 2026-05-01T12:00.")
def export(since: str | None) -> int:
    """Export pending records to the collector once, and report whether it accepted them.

    Export starts with the records made after telemetry was first enabled. With --since, earlier
    records are exported too, and exported ones again: spans keep their ids, and counters are not
    incremented twice.
    """
    settings = _settings()
    around = Environment.here(Path("/"))
    if not wanted(settings, around.env):
        raise ConfigError(
            where="[telemetry]",
            what="no collector configured",
            fix="Set endpoint = 'http://127.0.0.1:4318', or OTEL_EXPORTER_OTLP_ENDPOINT.",
        )
    begin = moment(since, time.time()) if since else None
    pipeline = _pipeline(msgspec.structs.replace(settings, prometheus=""), begin)
    took = pipeline.once(all_of_it=True)
    pipeline.close()
    say("Told." if took else "The collector rejected the data. Nothing is lost; try again.")
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
            f"\n[yellow]![/yellow] Installed but never received: {events}.\n"
            "Use the agent so that they run, or run 'snaphook doctor --live'."
        )
