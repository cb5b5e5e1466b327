"""A build on a terminal: its lines scroll by, and below them stands where it is now."""

from time import monotonic

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.spinner import Spinner
from rich.table import Table
from rich.text import Text

from snaphook.builder.records import (
    BuildEnded,
    BuildStarted,
    Built,
    FixAsked,
    GateRan,
    GateStarted,
    Halted,
    Passed,
    PlanEnded,
    PlanIteration,
    Planned,
    Record,
    TaskStarted,
)
from snaphook.cli.console import new_console

from .output import BuildLines

STYLES: dict[type, str] = {
    Passed: "green",
    BuildEnded: "bold green",
    Halted: "bold red",
    FixAsked: "yellow",
    PlanIteration: "cyan",
    TaskStarted: "cyan",
}
WORDS = 100
"""Characters of what the builder says that are shown."""


class BuilderScreen(BuildLines):
    """Tasks done, the current task, its gate and attempt, time and cost."""

    def __init__(self, command: str, console: Console | None = None) -> None:
        super().__init__(command)
        self._console = console or new_console()
        self._began = monotonic()
        self._style = ""
        self._total = self._done = self._cost = 0
        self._task = self._doing = self._said = ""
        self._spinner = Spinner("dots", style="cyan")
        self._live = Live(
            console=self._console,
            get_renderable=self._view,
            refresh_per_second=8,
            transient=True,
        )

    def on_record(self, record: Record) -> None:
        """Show it."""
        self._note(record)
        self._style = STYLES.get(type(record), "")
        if isinstance(record, GateRan):
            self._style = "dim" if record.exit_code == 0 else "red"
        if not self._live.is_started:
            self._live.start()
        super().on_record(record)

    def on_text(self, text: str) -> None:
        """Show the end of what the builder says."""
        self._said = f"{self._said}{text}"[-4 * WORDS :]

    def line(self, text: str) -> None:
        """Let one line scroll by above the view."""
        self._console.print(Text(text, style=self._style))

    def refresh(self) -> None:
        """Draw the view now, not at its next turn."""
        self._live.refresh()

    def close(self) -> None:
        """Take the view away and leave the summary."""
        self._live.stop()
        self._style = "bold"
        super().close()

    def _note(self, record: Record) -> None:
        match record:
            case BuildStarted():
                self._total, self._done = record.pending + record.done, record.done
            case TaskStarted():
                self._task, self._doing, self._said = record.task, "building", ""
                self._total = max(self._total, record.pending + record.done)
            case PlanIteration():
                self._task, self._doing = "planning", f"iteration {record.iteration}/{record.of}"
            case GateStarted():
                self._doing = f"gate {record.gate}"
            case FixAsked():
                self._doing = f"fix {record.attempt} of {record.of}: {record.gate}"
                self._said = ""
            case Passed():
                self._done += 1
            case Built() | Planned():
                self._cost += record.cost_micros or 0
            case PlanEnded() | BuildEnded() | Halted():
                self._task = self._doing = self._said = ""

    def _view(self) -> Group:
        elapsed = int(monotonic() - self._began)
        cost = f"  ${self._cost / 1e6:.2f}" if self._cost else ""
        head = Table.grid(padding=(0, 2))
        head.add_row(
            ProgressBar(total=max(self._total, 1), completed=self._done, width=24),
            f"{self._done}/{self._total} tasks",
            f"{elapsed // 60}:{elapsed % 60:02}{cost}",
        )
        rows: list[Table | Text | Spinner] = [head]
        if self._task:
            self._spinner.update(text=Text(f"{self._task}: {self._doing}", overflow="ellipsis"))
            rows.append(self._spinner)
        if said := " ".join(self._said.split())[-WORDS:]:
            rows.append(Text(f"  {said}", style="dim", overflow="ellipsis", no_wrap=True))
        return Group(*rows)
