"""What people are told.

Notice  ->  text, HTML, JSON        Pure.
"""

import html
from collections.abc import Callable, Mapping
from string import Template

from msgspec import Struct, field

MOST = 3500
"""Characters of a notice; the strictest channel takes 4096, marks included."""

Facts = Mapping[str, Mapping[str, str]]
"""By heading, then by name, in the order in which they are told."""


class Notice(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that a person should know."""

    event: str = "manual"
    title: str
    text: str = ""
    facts: Facts = field(default_factory=dict)
    links: tuple[str, ...] = ()
    seconds: float | None = None
    """How long the work took that it tells of."""
    made: float = 0.0


def plain(notice: Notice, template: str = "") -> str:
    """Return *notice* as text."""
    if template:
        return clip(fill(template, notice))
    lines = [
        notice.title,
        notice.text,
        *_fact_lines(notice, lambda name, value: f"{name}: {value}"),
    ]
    return clip(_joined(lines, notice.links))


def marked(notice: Notice, template: str = "") -> str:
    """Return *notice* in the HTML that Telegram takes; nothing it tells can be taken for a mark."""
    clipped = Notice(
        title=notice.title[:256],
        text=clip(notice.text, 1500),
        facts={
            head: {name: clip(value, 400) for name, value in facts.items()}
            for head, facts in notice.facts.items()
        },
        links=notice.links[:5],
        event=notice.event,
    )
    if template:
        return fill(template, clipped, html.escape)

    def fact(name: str, value: str) -> str:
        return f"<b>{html.escape(name)}:</b> {html.escape(value)}"

    lines = [f"<b>{html.escape(clipped.title)}</b>", html.escape(clipped.text)]
    heads = _fact_lines(clipped, fact, lambda head: f"<b>{html.escape(head)}</b>")
    return _joined([*lines, *heads], tuple(map(html.escape, clipped.links)))


def fill(template: str, notice: Notice, escape: Callable[[str], str] = str) -> str:
    """Return *template* with what it asks for; a word it asks for in vain stays as it is."""
    words = {
        name.lower().replace(" ", "_"): escape(value)
        for facts in notice.facts.values()
        for name, value in facts.items()
    }
    own = {"event": notice.event, "title": notice.title, "text": notice.text}
    links = escape("\n".join(notice.links))
    return Template(template).safe_substitute(
        words | {name: escape(value) for name, value in own.items()} | {"links": links}
    )


def clip(text: str, most: int = MOST) -> str:
    """Return *text*, cut to *most* characters."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _fact_lines(
    notice: Notice,
    fact: Callable[[str, str], str],
    heading: Callable[[str], str] = str,
) -> list[str]:
    lines: list[str] = []
    for head, facts in notice.facts.items():
        told = [fact(name, value) for name, value in facts.items() if value]
        if told:
            lines += ["", *([heading(head)] if head else []), *told]
    return lines


def _joined(lines: list[str], links: tuple[str, ...]) -> str:
    told = [*lines, "", *links] if links else lines
    text = "\n".join(told)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text.strip("\n")
