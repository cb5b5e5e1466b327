"""A summary to read and to keep.

BuildSummary  ->  Markdown, HTML
"""

import time
from collections.abc import Iterator
from html import escape

from .records import GateRan
from .summary import BuildState, BuildSummary, TaskSummary

MARKS = {BuildState.PASSED: "✓", BuildState.HALTED: "✗", BuildState.RUNNING: "…"}
STYLE = """\
:root { color-scheme: light dark; --line: #8884; --good: #1a7f37; --bad: #cf222e; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid var(--line); }
th:nth-child(n + 3):not(:last-child), td.number { text-align: right; font-variant-numeric: tabular-nums; }
.passed { color: var(--good); } .halted { color: var(--bad); }
pre { background: #8881; padding: .8rem; overflow-x: auto; border-radius: .4rem; }
code { font-family: ui-monospace, monospace; }"""


def headline(summary: BuildSummary) -> str:
    """Return the whole job in a line."""
    if summary.state is None:
        return "not built yet"
    cost = f", {_dollars(summary.cost_micros)}" if summary.cost_micros else ""
    return (
        f"{summary.state}: {summary.passed} of {len(summary.tasks)} begun tasks passed, "
        f"{summary.fixes} {'fix' if summary.fixes == 1 else 'fixes'}, "
        f"{_seconds(summary.ended - summary.started)}{cost}"
    )


def markdown(summary: BuildSummary) -> str:
    """Return the report as Markdown."""
    return "\n".join(_markdown(summary)) + "\n"


def _markdown(summary: BuildSummary) -> Iterator[str]:
    yield f"# Job {summary.job}\n"
    yield f"{headline(summary).capitalize()}."
    if summary.tasks:
        yield "\n| | task | fixes | gates run | time | cost | commit |"
        yield "|---|---|--:|--:|--:|--:|---|"
    for task in summary.tasks:
        name = task.task.replace("|", "\\|")
        cells = " | ".join((name, *_numbers(task), task.commit or "–"))
        yield f"| {MARKS[task.state]} | {cells} |"
    for task in summary.tasks:
        for run in _failures(task):
            yield f"\n## {task.task}: {_failure(run)}\n"
            yield "```text"
            yield (run.output or "(no output)").replace("```", "'''")
            yield "```"
    if summary.state is BuildState.HALTED:
        yield f"\n## Why it halted\n\n```text\n{summary.why.replace('```', chr(39) * 3)}\n```"


def html(summary: BuildSummary) -> str:
    """Return the report as a page that needs nothing beside itself."""
    title = escape(f"Job {summary.job}")
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{STYLE}\n</style>\n</head>\n<body>\n"
        + "\n".join(_html(summary, title))
        + "\n</body>\n</html>\n"
    )


def _html(summary: BuildSummary, title: str) -> Iterator[str]:
    yield f"<h1>{title}</h1>"
    state = summary.state or BuildState.RUNNING
    yield f'<p class="{state}">{escape(headline(summary).capitalize())}.</p>'
    if summary.tasks:
        heads = ("", "task", "fixes", "gates run", "time", "cost", "commit")
        yield "<table>\n<thead><tr>" + "".join(f"<th>{head}</th>" for head in heads)
        yield "</tr></thead>\n<tbody>"
        yield from (_row(task) for task in summary.tasks)
        yield "</tbody>\n</table>"
    for task in summary.tasks:
        for run in _failures(task):
            yield f"<h2>{escape(task.task)}: {escape(_failure(run))}</h2>"
            yield f"<pre>{escape(run.output or '(no output)')}</pre>"
    if summary.state is BuildState.HALTED:
        yield f"<h2>Why it halted</h2>\n<pre>{escape(summary.why)}</pre>"


def _row(task: TaskSummary) -> str:
    numbers = "".join(f'<td class="number">{number}</td>' for number in _numbers(task))
    mark = f'<td class="{task.state}">{MARKS[task.state]}</td>'
    return (
        f"<tr>{mark}<td>{escape(task.task)}</td>{numbers}<td>{escape(task.commit) or '–'}</td></tr>"
    )


def _numbers(task: TaskSummary) -> tuple[str, ...]:
    return (
        str(task.fixes),
        str(len(task.gates)),
        _seconds(task.seconds),
        _dollars(task.cost_micros),
    )


def _failures(task: TaskSummary) -> Iterator[GateRan]:
    return (run for run in task.gates if run.exit_code != 0)


def _failure(run: GateRan) -> str:
    when = f"after fix {run.attempt}" if run.attempt else "at first"
    how = f", {run.why}" if run.why else ""
    return f"{run.gate} failed {when} (exit code {run.exit_code}{how})"


def _seconds(seconds: float) -> str:
    if seconds < 60:
        return f"{seconds:.1f} s"
    return time.strftime("%H:%M:%S", time.gmtime(seconds))


def _dollars(micros: int) -> str:
    if not micros:
        return "–"
    return f"${micros / 1e6:.2f}" if micros >= 10_000 else "<$0.01"
