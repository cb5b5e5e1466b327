"""``snaphook top``: the live picture, for people who stay in the terminal.

Pulse, every second  ->  a screen of 80 by 24 or more  <-  keys
"""

import sys

import click
import msgspec
from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from snaphook.errors import SnaphookError
from snaphook.web.ask import Filter
from snaphook.web.catch_up import keeping_fresh
from snaphook.web.dashboard import Dashboard, open_desk
from snaphook.web.pulse import Pulse, pulse

from .console import new_console
from .here import here
from .keyboard import keyboard
from .output import say_json
from .top_picture import FILTERS, SORTS, View, picture

EVERY = 1.0


@click.command("top")
@click.option("--store", default="", help="postgresql://… for a fleet, or another records.sqlite.")
@click.option("--once", is_flag=True, help="Print one frame and exit.")
@click.option("--json", "as_json", is_flag=True, help="Print one frame as JSON and exit.")
def command(store: str, once: bool, as_json: bool) -> int:
    """Show live agent activity: rates, blocks, active agents, latency and cost.

    Keys: q quits, p pauses, f changes which decisions are listed, s changes how agents are sorted.
    In a pipe it prints one frame.
    """
    settings, around = here()
    dashboard = open_desk(settings, around, store=store)
    console = new_console()
    watched = sys.stdin.isatty() and console.is_terminal and not console.is_dumb_terminal
    with keeping_fresh(dashboard):
        if as_json:
            say_json(pulse(dashboard))
        elif once or not watched:
            console.print(picture(pulse(dashboard), View(), height=24, width=console.width))
        else:
            _watch(dashboard, console)
    dashboard.close()
    return 0


def _watch(dashboard: Dashboard, console: Console) -> None:
    """Draw until told to end; a paused picture stays, and obeys the keys all the same."""
    view = View(note="q ends · p pauses · f filters · s sorts")
    shown: Pulse | SnaphookError | None = None
    with keyboard() as key, Live(console=console, screen=True, auto_refresh=False) as live:
        while True:
            if shown is None or not view.paused:
                shown = _look(dashboard, view, console.height)
            live.update(_frame(shown, view, console), refresh=True)
            match key(EVERY):
                case "q" | "esc" | "end":
                    return
                case "p":
                    view = msgspec.structs.replace(view, paused=not view.paused)
                case "f":
                    view = msgspec.structs.replace(view, filter=_after(FILTERS, view.filter))
                    shown = None
                case "s":
                    view = msgspec.structs.replace(view, sort=_after(SORTS, view.sort))


def _look(dashboard: Dashboard, view: View, height: int) -> Pulse | SnaphookError:
    try:
        return pulse(dashboard, Filter(verdict=view.filter), most=height)
    except SnaphookError as away:
        return away


def _frame(shown: Pulse | SnaphookError, view: View, console: Console) -> RenderableType:
    if isinstance(shown, SnaphookError):
        return Text(f"{shown}\n\nq ends; asked again every second.", style="yellow")
    return picture(shown, view, height=console.height, width=console.width)


def _after(choices: tuple[str, ...], chosen: str) -> str:
    return choices[(choices.index(chosen) + 1) % len(choices)]
