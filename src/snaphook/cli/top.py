"""``snaphook top``: the live picture, for people who stay in the terminal.

Pulse, every second  ->  a screen of 80 by 24 or more
"""

import contextlib
import select
import sys
from collections.abc import Callable, Iterator
from datetime import datetime

import click
import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from snaphook.errors import SnaphookError
from snaphook.web.ask import Filter
from snaphook.web.catch_up import CatchUp
from snaphook.web.desk import RECORDS, Desk, open_desk
from snaphook.web.pulse import Pulse, pulse
from snaphook.web.words import count, dollars, milliseconds

from .here import here

EVERY = 1.0
FILTERS = ("said", "stopped", "ask", "")
"""What the key f goes through: any opinion, stops, questions, everything."""
NAMES = {"said": "opinions", "stopped": "blocked", "ask": "asked", "": "everything"}
COLOURS = {"blocked": "red", "sent back": "red", "asked": "yellow", "changed": "cyan"}
FRAME = 12
"""Lines of the screen that are not decisions."""


@click.command("top")
@click.option("--store", default="", help="postgresql://… for a fleet, or another records.sqlite.")
@click.option("--once", is_flag=True, help="Print one picture and end.")
@click.option("--json", "as_json", is_flag=True, help="Print one picture as JSON and end.")
def command(store: str, once: bool, as_json: bool) -> int:
    """Watch what agents do right now: rates, blocks, who is busy, how fast, how dear.

    Keys: q ends, p pauses, f changes which decisions are listed.
    """
    settings, around = here()
    desk = open_desk(settings, around, store=store)
    console = Console(highlight=False)
    with _kept_fresh(desk):
        if as_json:
            click.echo(msgspec.json.encode(pulse(desk)))
        elif once or not (sys.stdin.isatty() and console.is_terminal):
            console.print(picture(pulse(desk), "said", height=24, width=console.width))
        else:
            _watch(desk, console)
    desk.close()
    return 0


def picture(now: Pulse, verdict: str, *, height: int, width: int, note: str = "") -> RenderableType:
    """Return *now* as a screen of so many lines."""
    room = max(3, height - FRAME - min(len(now.busy), 4))
    return Group(_head(now, note), Text(), _busy(now), Text(), _lines(now, verdict, room, width))


def _watch(desk: Desk, console: Console) -> None:
    chosen, paused = 0, False
    with _keys() as key, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            if not paused:
                live.update(_frame(desk, FILTERS[chosen], console), refresh=True)
            match key(EVERY):
                case "q" | "\x03" | "\x1b":
                    return
                case "p":
                    paused = not paused
                case "f":
                    chosen = (chosen + 1) % len(FILTERS)


def _frame(desk: Desk, verdict: str, console: Console) -> RenderableType:
    try:
        now = pulse(desk, Filter(verdict=verdict), most=console.height)
    except SnaphookError as away:
        return Text(f"{away}\n\nq ends; asked again every second.", style="yellow")
    note = "q ends · p pauses · f filters"
    return picture(now, verdict, height=console.height, width=console.width, note=note)


def _head(now: Pulse, note: str) -> RenderableType:
    limit = f" of {dollars(now.cost_limit_micros)}" if now.cost_limit_micros else ""
    pace = now.pace.percentiles
    figures = {
        "events/s": f"{now.events_per_second:g}",
        "blocked, 1 h": f"[red]{count(now.stopped_last_hour)}[/]",
        "asked, 1 h": f"[yellow]{count(now.asked_last_hour)}[/]",
        "sessions": count(now.sessions),
        "p50 · p99": f"{milliseconds(pace.get(50, 0))} · {milliseconds(pace.get(99, 0))}",
        "today": f"{dollars(now.cost_today_micros)}{limit}",
    }
    table = Table.grid(padding=(0, 2))
    table.add_row(*(f"[bold]{value}[/]" for value in figures.values()))
    table.add_row(*(f"[dim]{name}[/]" for name in figures))
    title = Text.from_markup(f"[bold]snaphook top[/]  {_clock(now.time)}  [dim]{note}[/]")
    return Group(title, Text(), table)


def _busy(now: Pulse) -> RenderableType:
    table = Table("host", "agent", "events/min", "blocked", "asked", box=None, pad_edge=False)
    for one in now.busy[:4]:
        table.add_row(
            escape(one.host or "embedded"),
            escape(one.agent),
            str(one.events),
            f"[red]{one.stopped}[/]" if one.stopped else "–",
            str(one.asked or "–"),
        )
    return table if now.busy else Text("Nobody was at work in the last minute.", style="dim")


def _lines(now: Pulse, verdict: str, room: int, width: int) -> RenderableType:
    if not now.lines:
        return Text("Nothing yet. 'snaphook init' wires your agents in.", style="dim")
    shown = [Text(f"latest: {NAMES[verdict]}", style="dim")]
    for line in now.lines[: room - 1]:
        text = Text(f"{_clock(line.time)}  ", no_wrap=True, overflow="ellipsis")
        text.append(f"{line.said:<10} ", style=COLOURS.get(line.said, "dim"))
        text.append(f"{line.tool[:12]:<12} ", style="bold")
        text.append(_printable(line.subject))
        if line.why:
            text.append(f"  {_printable(line.why)}", style="dim")
        text.truncate(width, overflow="ellipsis")
        shown.append(text)
    return Group(*shown)


def _printable(text: str) -> str:
    """Return *text* without what a terminal would obey: agents choose these words."""
    return "".join(each if each.isprintable() else "·" for each in text)


def _clock(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%H:%M:%S")


@contextlib.contextmanager
def _kept_fresh(desk: Desk) -> Iterator[None]:
    """Have this machine's record copied while somebody looks; the first copy is waited for."""
    if desk.folder is None or desk.fleet:
        yield
        return
    behind = CatchUp(desk.folder, desk.folder / RECORDS)
    behind.ship_once()
    behind.start()
    try:
        yield
    finally:
        behind.stop()


@contextlib.contextmanager
def _keys() -> Iterator[Callable[[float], str]]:
    """Return what waits so many seconds for a key and returns it, or nothing."""
    import termios
    import tty

    def key(seconds: float) -> str:
        ready, _, _ = select.select([sys.stdin], [], [], seconds)
        return sys.stdin.read(1) if ready else ""

    before = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield key
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, before)
