"""Charts, drawn by hand: figures to SVG, nothing to load.

Bars, lines  ->  <svg>

Colours are classes, so that they follow the theme. Every chart stands beside a table with the same
figures; to those who cannot see it, it is a picture with one sentence.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from math import ceil, floor, log10

from markupsafe import Markup, escape
from msgspec import Struct

WIDTH, HEIGHT = 720, 200
LEFT, RIGHT, TOP, BOTTOM = 60, 18, 12, 26
LINES = 4
MOST_LABELS = 6
LEAST = 2.0
"""What is there can be seen."""


class Column(Struct, frozen=True, kw_only=True):
    """One stack of a bar chart."""

    label: str
    parts: Mapping[str, float]
    """By class, from the bottom up."""
    tip: str = ""
    href: str = ""


def bars(
    columns: Sequence[Column],
    *,
    title: str,
    show: Callable[[float], str],
    limit: float | None = None,
    limit_words: str = "",
) -> Markup:
    """Return a chart of stacked bars, with a line at *limit* where there is one."""
    most = max([sum(each.parts.values()) for each in columns] + [limit or 0.0] + [0.0])
    top = nice(most)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(columns))
    drawn = [_grid(top, show)]
    for number, column in enumerate(columns):
        drawn.append(_stack(column, LEFT + number * step, step, top))
    drawn.append(_labels([column.label for column in columns], step))
    if limit:
        drawn.append(_limit_line(limit, top, limit_words))
    return _svg(title, Markup("").join(drawn))


def lines(
    series: Mapping[str, Sequence[float | None]],
    labels: Sequence[str],
    *,
    title: str,
    show: Callable[[float], str],
) -> Markup:
    """Return a chart of lines by class, each step of the axis ten times the one before.

    Where there is no figure, a line has a gap.
    """
    values = [value for line in series.values() for value in line if value]
    least = floor(log10(min(values, default=1.0)))
    decades = max(1, ceil(log10(max(values, default=1.0))) - least)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(labels))
    drawn = [_gridline(n / decades, show(10.0 ** (least + n))) for n in range(decades + 1)]
    for name, line in series.items():
        heights = [None if not value else (log10(value) - least) / decades for value in line]
        drawn += [_path(name, run, step) for run in _runs(heights)]
    drawn.append(_labels(labels, step))
    return _svg(title, Markup("").join(drawn))


def spark(values: Sequence[float], *, title: str, kind: str) -> Markup:
    """Return a small chart of bars without axes."""
    most = max([*values, 0.0]) or 1.0
    step = 100 / max(1, len(values))
    drawn = Markup("").join(
        _rect(kind, number * step, 24 - 24 * value / most, step * 0.7, 24 * value / most)
        for number, value in enumerate(values)
        if value
    )
    return Markup(
        '<svg class="spark" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" '
        'aria-label="{}">{}</svg>'
    ).format(title, drawn)


def meter(share: float, *, title: str, kind: str) -> Markup:
    """Return a bar that is filled by *share*; all of it is 1."""
    width = round(100 * min(max(share, 0.0), 1.0), 2)
    return Markup(
        '<svg class="meter" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" '
        'aria-label="{}"><rect class="meter-back" width="100" height="6" rx="3"/>'
        '<rect class="{}" width="{}" height="6" rx="3"/></svg>'
    ).format(title, kind, width)


def nice(most: float) -> float:
    """Return a round number that is not less than *most*; 1 for nothing."""
    if most <= 0:
        return 1.0
    unit = 10.0 ** floor(log10(most))
    return next(round(unit * by, 10) for by in (1, 2, 4, 5, 8, 10) if unit * by >= most * 0.999)


def moment_label(start: int, step: int) -> str:
    """Return how a bar that begins at *start* is labelled: by time of day, or by day."""
    when = datetime.fromtimestamp(start, UTC)
    return when.strftime("%H:%M") if step < 10_800 else when.strftime("%-d %b")


def _stack(column: Column, x: float, step: float, top: float) -> Markup:
    drawn, base = [], float(HEIGHT - BOTTOM)
    for kind, value in column.parts.items():
        height = max(LEAST, (HEIGHT - TOP - BOTTOM) * value / top) if value else 0.0
        if height > 0:
            base -= height
            drawn.append(_rect(kind, x + step * 0.14, base, step * 0.72, height))
    hit = Markup('<rect class="hit" x="{:.1f}" y="{}" width="{:.1f}" height="{}"/>').format(
        x, TOP, step, HEIGHT - TOP - BOTTOM
    )
    inside = Markup("").join([hit, *drawn, Markup("<title>{}</title>").format(column.tip)])
    return Markup('<g class="column">{}</g>').format(inside)


def _grid(top: float, show: Callable[[float], str]) -> Markup:
    shares = [number / LINES for number in range(LINES + 1)]
    return Markup("").join(_gridline(share, show(top * share)) for share in shares)


def _gridline(share: float, label: str) -> Markup:
    y = _y(share)
    return Markup(
        '<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>'
        '<text class="axis" x="{}" y="{:.1f}" text-anchor="end">{}</text>'
    ).format(LEFT, WIDTH - RIGHT, y, y, LEFT - 6, y + 3.5, label)


def _labels(labels: Sequence[str], step: float) -> Markup:
    every = max(1, ceil(len(labels) / MOST_LABELS))
    return Markup("").join(
        Markup('<text class="axis" x="{:.1f}" y="{}" text-anchor="middle">{}</text>').format(
            LEFT + (number + 0.5) * step, HEIGHT - 7, label
        )
        for number, label in enumerate(labels)
        if number % every == every // 2
    )


def _limit_line(limit: float, top: float, words: str) -> Markup:
    y = _y(limit / top)
    return Markup(
        '<line class="limit" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"><title>{}</title></line>'
    ).format(LEFT, WIDTH - RIGHT, y, y, words)


def _path(kind: str, run: Sequence[tuple[int, float]], step: float) -> Markup:
    points = [(LEFT + (number + 0.5) * step, _y(share)) for number, share in run]
    if len(points) == 1:
        [(x, y)] = points
        return Markup('<circle class="dot {}" cx="{:.1f}" cy="{:.1f}" r="2"/>').format(kind, x, y)
    drawn = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    return Markup('<polyline class="line {}" points="{}"/>').format(kind, drawn)


def _runs(line: Sequence[float | None]) -> list[list[tuple[int, float]]]:
    """Return the stretches of *line* that have figures."""
    runs: list[list[tuple[int, float]]] = []
    for number, value in enumerate(line):
        if value is None:
            continue
        if not runs or runs[-1][-1][0] != number - 1:
            runs.append([])
        runs[-1].append((number, value))
    return runs


def _rect(kind: str, x: float, y: float, width: float, height: float) -> Markup:
    return Markup('<rect class="{}" x="{:.1f}" y="{:.2f}" width="{:.1f}" height="{:.2f}"/>').format(
        kind, x, y, width, height
    )


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share


def _svg(title: str, inside: Markup) -> Markup:
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, escape(title), inside)
