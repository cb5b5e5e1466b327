"""``snaphook report``: how a job went."""

from pathlib import Path

import click

from snaphook.builder.job import find_job
from snaphook.builder.journal import FILE, read_journal
from snaphook.builder.report import html, markdown
from snaphook.builder.summary import summarise
from snaphook.cli.output import say_lines
from snaphook.errors import StoreError
from snaphook.storage.files import mode_of, replace

from .works import JOB


@click.command()
@JOB
@click.option("--codebase", type=click.Path(exists=True, file_okay=False), help="Default: here.")
@click.option("--html", "as_html", is_flag=True, help="Write HTML instead of Markdown.")
@click.option("--to", type=click.Path(path_type=Path), help="Write the report to this file.")
def command(job_name: str, codebase: str | None, as_html: bool, to: Path | None) -> None:
    """Show the job's report over all its runs: tasks, gates, fixes, time, cost.

    \b
    snaphook report --job parser
    snaphook report --job parser --html --to report.html
    """
    job = find_job(Path(codebase or Path.cwd()).absolute(), job_name)
    summary = summarise(job.name, read_journal(job.state / FILE))
    text = html(summary) if as_html else markdown(summary)
    if to is None:
        say_lines(text, nl=False)
        return
    try:
        replace(to, text.encode(), mode=mode_of(to, 0o644))
    except OSError as error:
        raise StoreError(
            where=str(to), what=f"cannot be written ({error.strerror})", fix="Choose another place."
        ) from error
