"""Tables, trees and marked-up text on a terminal: rich, with foreign text spelled out.

renderables  ->  segments of printable text  ->  stdout

Apart from ``output``, for rich costs more to import than most commands take.
"""

from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment

from snaphook.printable import printable, printable_line


class PrintableConsole(Console):
    """A rich console that spells out what a terminal would obey.

    Every part of a table or a tree is rendered through ``render`` before it is laid out, so the
    width is that of the text as shown. Segments with ``control`` are rich's own cursor movements.
    """

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Yield the segments of *renderable*, their text printable."""
        for segment in super().render(renderable, options):
            if segment.control or (segment.text.isascii() and segment.text.isprintable()):
                yield segment
            else:
                yield segment._replace(text=printable(segment.text))


def new_console(**extra: Any) -> Console:
    """Return a console for tables and marked-up text; foreign values go through ``cell``."""
    return PrintableConsole(**{"highlight": False, "emoji": False, **extra})


def cell(text: object) -> str:
    """Return *text* on one line, and with square brackets that rich does not take for markup."""
    return escape(printable_line(str(text)))
