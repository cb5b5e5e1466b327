"""Figures as people read them.

0.0421  ->  "42 µs"        1731660000  ->  "3 min ago"

Pure: the time is handed in.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath

from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.refused import refused_rules

SAID: Mapping[str | None, tuple[str, str]] = {
    "deny": ("stopped", "blocked"),
    "block": ("stopped", "blocked"),
    "ask": ("ask", "asked"),
    "modify": ("modify", "changed"),
    "allow": ("allow", "allowed"),
    None: ("silent", "no opinion"),
}
"""By verdict, the class that colours it and the word that says it."""


def said(record: Record) -> tuple[str, str]:
    """Return the class and the word for what came of *record*."""
    if record.verdict is None:
        would = next((one.would for one in record.answers if one.would), None)
        if would:
            return "would", f"would {'ask' if would == 'ask' else 'block'}"
        if refused_rules(record):
            return "ask", "refused in part"
    return SAID.get(record.verdict, ("silent", record.verdict or ""))


def count(number: float) -> str:
    """Return *number* in few characters."""
    for limit, unit in ((1e9, "G"), (1e6, "M"), (1e4, "k")):
        if abs(number) >= limit:
            size = {"G": 1e9, "M": 1e6, "k": 1e3}[unit]
            return f"{number / size:.1f}".removesuffix(".0") + unit
    return f"{number:,.0f}" if number == int(number) else f"{number:,.1f}"


def milliseconds(value: float) -> str:
    """Return a time span that was measured."""
    if value < 0.1:
        return f"{value * 1000:.0f} µs"
    if value < 10:
        return f"{value:.2g} ms" if value >= 1 else f"{value:.2f} ms"
    return f"{value:.0f} ms" if value < 10_000 else f"{value / 1000:.0f} s"


def span(seconds: float) -> str:
    """Return a time span between events."""
    if seconds < 1:
        return f"{max(seconds, 0) * 1000:.0f} ms"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5_400:
        return f"{seconds / 60:.0f} min"
    if seconds < 36 * 3600:
        return f"{seconds / 3600:.0f} h"
    return f"{seconds / 86_400:.0f} d"


def offset(seconds: float) -> str:
    """Return how far into something a moment was: ``2:04``, ``1:02:04``."""
    minutes, rest = divmod(int(max(seconds, 0)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def ago(moment: float | None, now: float) -> str:
    """Return how long ago *moment* was."""
    if moment is None:
        return "never"
    return "just now" if now - moment < 5 else f"{span(now - moment)} ago"


def dollars(micros: float) -> str:
    """Return an amount of money."""
    value = micros / 1e6
    if value == 0:
        return "$0"
    if value < 0.01:
        return "<$0.01"
    return f"${value:,.2f}" if value < 1000 else f"${value:,.0f}"


def size(number: int) -> str:
    """Return a number of bytes."""
    value = float(number)
    for unit in ("B", "KB", "MB", "GB"):
        if value < 1000 or unit == "GB":
            return f"{value:.0f} {unit}" if unit == "B" else f"{value:.1f} {unit}"
        value /= 1000
    return ""


def clock(moment: float) -> str:
    """Return the time of day; the browser shows it in its own zone."""
    return datetime.fromtimestamp(moment, UTC).strftime("%H:%M:%S")


def moment(value: float) -> str:
    """Return date and time."""
    return datetime.fromtimestamp(value, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")


def iso(value: float) -> str:
    """Return date and time as a machine reads them."""
    return datetime.fromtimestamp(value, UTC).isoformat()


def machine(name: str) -> str:
    """Return what people call a machine: without the mark that tells its records apart."""
    return name.rpartition("/")[0] or name


def folder(path: str) -> str:
    """Return the last part of *path*: what people call the project."""
    return PurePosixPath(path).name or path


def short(text: str, most: int = 12) -> str:
    """Return the beginning of *text*."""
    return text if len(text) <= most else f"{text[: most - 1]}…"
