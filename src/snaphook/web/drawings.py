"""The charts of the pages: which figures, which colours, which words.

figures  ->  charts  ->  SVG
"""

from collections.abc import Sequence

from markupsafe import Markup

from . import charts, words
from .figures import PERCENTILES, STACK, Bar, Pace
from .period import Period
from .sessions import Lane, SessionRow
from .spending import Spending

DAY = 86_400
COLOURS = 6
"""Models that have a colour of their own."""
LANE = 22
LANES = 30


def verdict_chart(bars: Sequence[Bar], period: Period) -> Markup:
    """Return what was said over time."""
    columns = [
        charts.Column(
            label=charts.moment_label(bar.start, period.step),
            parts={f"v-{part}": bar.parts[part] for part in STACK},
            tip=_tip(bar),
        )
        for bar in bars
    ]
    return charts.bars(columns, title=f"Decisions over the {period.words}", show=words.count)


def pace_chart(paces: Sequence[Pace], period: Period) -> Markup:
    """Return how long answers took over time."""
    series = {
        f"p{percent}": [one.percentiles.get(percent) for one in paces]
        for percent in reversed(PERCENTILES)
    }
    labels = [charts.moment_label(one.start, period.step) for one in paces]
    title = f"Hook latency percentiles over the {period.words}"
    return charts.lines(series, labels, title=title, show=words.milliseconds)


def cost_chart(money: Spending) -> Markup:
    """Return what each day cost, by model, with the line that a day may not pass."""
    colours = model_colours(money)
    order = {one.name: number for number, one in enumerate(money.models)}
    columns = [
        charts.Column(
            label=charts.moment_label(day.start, DAY),
            parts={
                colours.get(model, "m-other"): micros
                for model, micros in sorted(
                    day.models.items(), key=lambda one: order.get(one[0], 99)
                )
            },
            tip=f"{charts.moment_label(day.start, DAY)}: {words.dollars(day.micros)}",
        )
        for day in money.days
    ]
    return charts.bars(
        columns,
        title="Cost by day",
        show=lambda micros: words.dollars(micros).removesuffix(".00"),
        limit=money.daily_limit,
        limit_words=f"limit {words.dollars(money.daily_limit or 0)} a day",
    )


def model_colours(money: Spending) -> dict[str, str]:
    """Return the class of each model that has a colour, the dearest first."""
    return {one.name: f"m-{number}" for number, one in enumerate(money.models[:COLOURS])}


def lane_chart(session_row: SessionRow, lanes: Sequence[Lane]) -> Markup:
    """Return who was at work when, the session above its agents."""
    if not lanes:
        return Markup("")
    begun, length = session_row.first, max(session_row.last - session_row.first, 1.0)
    rows = [("main", session_row.first, session_row.last, 0), *_spans(lanes[:LANES])]
    drawn = []
    for number, (name, first, last, stopped) in enumerate(rows):
        y = number * LANE
        x = 150 + 560 * (first - begun) / length
        width = max(3.0, 560 * (last - first) / length)
        kind = "lane lane-stopped" if stopped else "lane"
        tip = f"{name}: {words.span(last - first)}" + (f", {stopped} blocked" if stopped else "")
        drawn.append(
            Markup(
                '<text class="axis" x="142" y="{}" text-anchor="end">{}</text>'
                '<rect class="{}" x="{:.1f}" y="{}" width="{:.1f}" height="12" rx="3">'
                "<title>{}</title></rect>"
            ).format(y + 14, words.short(name, 20), kind, x, y + 4, min(width, 712 - x), tip)
        )
    return Markup(
        '<svg class="chart lanes" viewBox="0 0 720 {}" role="img" '
        'aria-label="When each agent was at work">{}</svg>'
    ).format(len(rows) * LANE + 4, Markup("").join(drawn))


def _spans(lanes: Sequence[Lane]) -> list[tuple[str, float, float, int]]:
    return [(lane.name, lane.first, lane.last, lane.stopped) for lane in lanes]


def _tip(bar: Bar) -> str:
    told = ", ".join(f"{words.count(n)} {part}" for part, n in bar.parts.items() if n)
    return f"{words.moment(bar.start)[5:16]}: {told or 'nothing'}"
