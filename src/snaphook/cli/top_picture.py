"""The screen of ``snaphook top``.

Pulse + View  ->  lines that fit

Agents choose many of these words, so nothing in them is obeyed by the terminal.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Literal

from msgspec import Struct
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from snaphook.printable import printable_line
from snaphook.web.pulse import Busy, Pulse
from snaphook.web.words import count, dollars, machine, milliseconds

NAMES: Mapping[str, str] = {
    "said": "opinions",
    "stopped": "blocked",
    "ask": "asked",
    "": "everything",
}
FILTERS = tuple(NAMES)
"""What the key f goes through: any opinion, stops, questions, everything."""
_BY: Mapping[str, Callable[[Busy], tuple[object, ...]]] = {
    "events": lambda one: (-one.events,),
    "blocked": lambda one: (-one.stopped, -one.events),
    "asked": lambda one: (-one.asked, -one.events),
    "name": lambda one: (one.machine, one.host, one.agent),
}
SORTS = tuple(_BY)
"""What the key s goes through."""
COLOURS = {"blocked": "red", "sent back": "red", "asked": "yellow", "changed": "cyan"}
FRAME = 9
"""Lines of the screen that are neither agents nor decisions."""
MOST_AGENTS = 6
NARROW = 60
"""Columns below which figures stand in two rows."""


class View(Struct, frozen=True, kw_only=True):
    """What somebody wants to see."""

    filter: str = FILTERS[0]
    sort: str = SORTS[0]
    paused: bool = False
    note: str = ""


def picture(now: Pulse, view: View, *, height: int, width: int) -> RenderableType:
    """Return *now* as a screen of at most so many lines, each of at most so many columns."""
    agents = max(1, min(len(now.busy), MOST_AGENTS, height - FRAME - 3))
    room = max(2, height - FRAME - agents)
    return Group(
        _title(now, view, width),
        Text(),
        _figures(now, width),
        Text(),
        _busy(now, view, agents),
        Text(),
        _lines(now, view, room, width),
    )


def _title(now: Pulse, view: View, width: int) -> Text:
    title = Text("snaphook top", style="bold", no_wrap=True, overflow="ellipsis")
    title.append(f"  {_clock(now.time)}  ", style="default")
    if view.paused:
        title.append("PAUSED", style="black on yellow").append("  ")
    title.append(view.note, style="dim")
    title.truncate(width, overflow="ellipsis")
    return title


def _figures(now: Pulse, width: int) -> Table:
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
    if width < NARROW:
        figures = {name: figures[name] for name in ("events/s", "blocked, 1 h", "today")}
    table = Table.grid(padding=(0, 2))
    table.add_row(*(f"[bold]{value}[/]" for value in figures.values()))
    table.add_row(*(f"[dim]{name}[/]" for name in figures))
    return table


def _busy(now: Pulse, view: View, most: int) -> RenderableType:
    if not now.busy:
        return Text("No active agents in the last minute.", style="dim")
    fleet = any(one.machine for one in now.busy)
    first = "machine" if fleet else "host"
    columns = dict.fromkeys(["machine"] if fleet else [], "") | {"host": "", "agent": ""}
    columns |= {"events/min": "events", "blocked": "blocked", "asked": "asked", first: "name"}
    table = Table(box=None, pad_edge=False)
    for name, sort in columns.items():
        side: Literal["left", "right"] = (
            "right" if sort in ("events", "blocked", "asked") else "left"
        )
        mark = "↓" if sort == view.sort else ""
        table.add_column(f"{name}{mark}", justify=side, no_wrap=True)
    for one in sorted(now.busy, key=_BY[view.sort])[:most]:
        table.add_row(
            *([Text(_printable(machine(one.machine)))] if fleet else []),
            Text(_printable(one.host or "embedded")),
            Text(_printable(one.agent)),
            str(one.events),
            Text(str(one.stopped), style="red") if one.stopped else "–",
            Text(str(one.asked), style="yellow") if one.asked else "–",
        )
    return table


def _lines(now: Pulse, view: View, room: int, width: int) -> RenderableType:
    heading = Text(f"latest: {NAMES[view.filter]}", style="dim")
    if not now.lines:
        nothing = "No events yet. 'snaphook init' installs the hooks."
        return Group(heading, Text(nothing, style="dim", no_wrap=True, overflow="ellipsis"))
    shown = [heading]
    for line in now.lines[: room - 1]:
        text = Text(f"{_clock(line.time)}  ", no_wrap=True, overflow="ellipsis")
        text.append(f"{line.said:<10} ", style=COLOURS.get(line.said, "dim"))
        text.append(f"{_printable(line.tool)[:12]:<12} ", style="bold")
        text.append(_printable(line.subject))
        if line.why:
            text.append(f"  {_printable(line.why)}", style="dim")
        text.truncate(width, overflow="ellipsis")
        shown.append(text)
    return Group(*shown)


def _printable(text: str) -> str:
    """Return *text* without what a terminal would obey."""
    return printable_line(text)


def _clock(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%H:%M:%S")
