"""``snaphook trace``: where a value came from, and what was said where it would have taken effect.

VALUE or CALL  ->  source  ->  sink
"""

from datetime import datetime
from typing import Any

import click
import msgspec

from snaphook.errors import UsageError
from snaphook.stores.provenance.entries import Judged, Source, Trust
from snaphook.stores.provenance.session import Session
from snaphook.stores.provenance.store import ProvenanceStore

from .here import environment, one_line
from .output import say, say_json

NOTHING = "No session has read anything yet. Run 'snaphook doctor' if agents are at work."
_SHOWN = 20


@click.command("trace")
@click.argument("what", default="", metavar="[VALUE|CALL]")
@click.option(
    "--session", "wanted", default="", help="A session's id, or its start; the latest by default."
)
@click.option("--sessions", "listed", is_flag=True, help="List the sessions that are known.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(what: str, wanted: str, listed: bool, as_json: bool) -> int:
    """Show where a value came from.

    With a VALUE (a host, package, address, path), list the texts that named it and the calls that used
    it. With a CALL (its number, or the host's id of it), show what it read or what was said about it.
    Without either, list what the session read from outside and every call that was asked about or denied.
    Values are compared by keyed fingerprints: the texts themselves are not kept.
    """
    store = ProvenanceStore(environment().data_dir / "provenance")
    if listed:
        return _list_sessions(store, as_json=as_json)
    session = _session(store, wanted)
    if session is None:
        say(NOTHING)
        return 0
    found = _found(session, what)
    if as_json:
        say_json(found, indent=2)
        return 0
    for line in _lines(found, what):
        say(line)
    return 0


def _session(store: ProvenanceStore, wanted: str) -> Session | None:
    """Return the session whose file begins with *wanted*, else the one that changed last."""
    for file, _ in store.sessions():
        if file.name.startswith(wanted):
            return store.of(store.named(file))
    if wanted:
        raise UsageError(
            where="snaphook trace --session",
            what=f"unknown session '{wanted}'",
            fix="'snaphook trace --sessions' lists the known sessions.",
        )
    return None


def _list_sessions(store: ProvenanceStore, *, as_json: bool) -> int:
    rows = [(file.stem, _moment(changed)) for file, changed in store.sessions()]
    if as_json:
        say_json([{"session": name, "changed": when} for name, when in rows], indent=2)
        return 0
    for name, when in rows:
        say(f"{when}  {name}")
    if not rows:
        say(NOTHING)
    return 0


def _found(session: Session, what: str) -> dict[str, Any]:
    """Return the sources and verdicts that *what* is about; all where it is empty."""
    outside = [one for one in session.sources if one.trust is Trust.OUTSIDE]
    if not what:
        return _told(outside, session.judged)
    sources = [one for one in outside if what in (str(one.number), one.call)]
    calls = [one for one in session.judged if what in (str(one.number), one.call)]
    if calls or sources:
        numbers = {finding.number for call in calls for finding in call.findings}
        return _told([*sources, *(one for one in outside if one.number in numbers)], calls)
    origins = [one.source for one in session.origins(what)]
    first = session.origin(what)
    used = [
        call
        for call in session.judged
        if any(what.lower() in finding.value.lower() for finding in call.findings)
    ]
    told = _told(origins or ([first.source] if first else []), used)
    return told | {"named_by_you_or_the_project": session.named(what)}


def _told(sources: list[Source], calls: list[Judged]) -> dict[str, Any]:
    return {
        "sources": [
            {
                "call": one.number,
                "tool": one.tool,
                "address": one.address,
                "time": one.time,
                "addresses_the_agent": one.addressed,
                "you_asked_for_it": one.pointed,
            }
            for one in sources
        ],
        "calls": [msgspec.to_builtins(one) for one in calls],
    }


def _lines(found: dict[str, Any], what: str) -> list[str]:
    """Return the path from source to sink, in the order in which it was walked."""
    if not found["sources"] and not found["calls"]:
        if not what:
            return ["The session has read nothing from outside, and nothing was asked about."]
        named = found.get("named_by_you_or_the_project")
        who = "You or the project named it." if named else "No text from outside named it."
        return [f"'{what}': {who}"]
    lines = []
    steps = [(one["call"], _source_line(one)) for one in found["sources"]]
    steps += [(one["number"], _call_line(one)) for one in found["calls"]]
    for _, line in sorted(steps)[-_SHOWN * 2 :]:
        lines.append(line)
    if found.get("named_by_you_or_the_project"):
        lines.append("You or the project named it too, so it is not asked about.")
    return lines


def _source_line(source: dict[str, Any]) -> str:
    notes = [
        note
        for name, note in (
            ("you_asked_for_it", "you asked for it"),
            ("addresses_the_agent", "it addresses the agent"),
        )
        if source[name]
    ]
    note = f" ({', '.join(notes)})" if notes else ""
    return f"call {source['call']:>4}  read   {source['tool']} {one_line(source['address'])}{note}"


def _call_line(call: dict[str, Any]) -> str:
    origins = "; ".join(
        f"{one['kind']} '{one_line(one['value'], most=60)}' from call {one['number']}"
        for one in call.get("findings", ())
    )
    line = (
        f"call {call['number']:>4}  {call['verdict']:<6} {one_line(call['what'])} [{call['rule']}]"
    )
    return f"{line} <- {origins}" if origins else line


def _moment(when: float) -> str:
    return datetime.fromtimestamp(when).astimezone().strftime("%Y-%m-%d %H:%M:%S")
