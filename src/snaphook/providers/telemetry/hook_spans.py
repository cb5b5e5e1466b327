"""Hooks as spans: the answer to an event, and a command that ran behind it.

Record + the span it happened in  ->  TraceSpan, over already
"""

from snaphook.canon.hook_runs import RecordedRun
from snaphook.stores.eventlog.record import Record

from . import names as n
from .measures import printable
from .span import TraceSpan, set_only, span_id, text_of


def hook_span(record: Record, place: TraceSpan, *, content: bool) -> TraceSpan:
    """Return the span in which *record*'s event was answered; its reason only with *content*."""
    rule = next((said.rule for said in record.answers if said.by == record.by), "")
    failed = [said for said in record.answers if said.error]
    hook = TraceSpan(
        trace=place.trace,
        id=span_id("hook", record.id),
        parent=place.id,
        name=f"hook {printable(record.event)}",
        start=record.time,
        end=record.time + record.duration_ms / 1000,
        attributes=set_only(
            {
                n.EVENT: record.event,
                n.HOST: record.host,
                n.VERDICT: record.verdict or "silent",
                n.PROVIDER: record.by,
                n.RULE: rule,
                n.RECORD: record.id,
                n.ERROR: failed[0].by if failed else "",
            }
        ),
        error=f"{failed[0].by} failed" if failed else "",
    )
    if broken := [problem for run in record.hooks if (problem := _problem(run))]:
        hook.error = hook.error or broken[0]
    if record.hooks:
        ended = "; ".join(f"{run.hook}: {run.ended}" for run in record.hooks)
        hook.attributes |= set_only({n.HOOK: printable(ended)})
    if content:
        hook.attributes |= set_only({n.REASON: record.reason or ""})
    return hook


def background_span(record: Record, run: RecordedRun, above: TraceSpan | None) -> TraceSpan:
    """Return the span of a hook that nobody waited for, below *above* where that is still open."""
    return TraceSpan(
        trace=above.trace if above else span_id("trace", record.parent or record.session, size=16),
        id=span_id("hook", record.id),
        parent=above.id if above else "",
        name=f"hook {printable(run.hook)}",
        start=record.time - run.duration_ms / 1000,
        end=record.time,
        attributes=set_only(
            {
                n.EVENT: text_of(record, "event"),
                n.HOST: record.host,
                n.CONVERSATION: record.session,
                n.RECORD: record.id,
                n.HOOK: printable(f"{run.hook}: {run.ended}"),
            }
        ),
        error=_problem(run),
    )


def _problem(run: RecordedRun) -> str:
    """Return how *run* failed. Exit 2 is how a hook refuses: that is its work done, no failure of it."""
    return f"hook '{run.hook}': {run.ended}" if run.failed and run.exit_code != 2 else ""
