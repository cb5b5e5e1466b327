"""``snaphook allow``: let through what the guard blocked; by a person, never by an agent.

a blocked call, or a command  ->  terms from the daemon  ->  a person's proof  ->  an override
"""

import os
from collections.abc import Sequence
from datetime import datetime

import click

from snaphook.cli.console import cell, new_console
from snaphook.cli.here import environment
from snaphook.cli.output import say, say_json, say_lines
from snaphook.daemon.overrides.client import send
from snaphook.daemon.overrides.messages import OverrideAction, OverrideReply, OverrideRequest
from snaphook.errors import TrustError, UsageError
from snaphook.printable import complaint, printable_line
from snaphook.stores.overrides.override import Duration, Level, Method

from .enroll import add_security_key, anchor_keys, set_passphrase
from .prove import prove

NOTHING = "No blocked calls in this project since the daemon started."
UNITS = {"s": 1, "m": 60, "h": 3600}
NONE_ALLOWED = "No overrides are in force."
NO_KEYS = (
    "No method is set up, so 'allow' only answers what the guard would ask about. "
    "Set one up: snaphook allow --set-passphrase"
)
LONGEST = 12 * 3600
METHODS = [Method.PASSPHRASE, Method.SECURITY_KEY, Method.ROOT]


@click.command("allow")
@click.argument("what", default="", metavar="[N|COMMAND]")
@click.option("--once", is_flag=True, help="For the next such call, within 15 minutes (default).")
@click.option("--for", "span", metavar="10m", help="For this long; 12 hours at most.")
@click.option("--session", is_flag=True, help="For the session whose call was blocked.")
@click.option("--always", is_flag=True, help="Without an end, until you revoke it.")
@click.option(
    "--glob", is_flag=True, help="'*' in COMMAND stands for anything but another command."
)
@click.option("--anywhere", is_flag=True, help="In every project, not in this one alone.")
@click.option("--code", default="", help="The code that was sent to you with the denial.")
@click.option(
    "--method",
    type=click.Choice([str(one) for one in METHODS]),
    help="Which method to confirm with, if several are set up.",
)
@click.option("--list", "listed", is_flag=True, help="Show the overrides in force.")
@click.option("--revoke", metavar="ID", help="Revoke an override.")
@click.option("--set-passphrase", is_flag=True, help="Set or change the passphrase.")
@click.option("--add-security-key", is_flag=True, help="Set up a FIDO2 key: proof by touch.")
@click.option("--anchor", is_flag=True, help="Let root confirm the valid keys.")
@click.option("--keys", "show_keys", is_flag=True, help="Show the methods that are set up.")
@click.option("--forget-key", metavar="ID", help="Remove a method.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    what: str,
    once: bool,
    span: str | None,
    session: bool,
    always: bool,
    glob: bool,
    anywhere: bool,
    code: str,
    method: str | None,
    listed: bool,
    revoke: str | None,
    set_passphrase: bool,
    add_security_key: bool,
    anchor: bool,
    show_keys: bool,
    forget_key: str | None,
    as_json: bool,
) -> int:
    """Override a denial of the guard.

    Without arguments, list recently blocked calls with their numbers. Overriding a denial needs a
    passphrase, a security key, the system's password prompt or a code on your phone: something that
    an agent, which runs as the same user, cannot provide.
    """
    if set_passphrase or add_security_key:
        return _told(_set_up(passphrase=set_passphrase), as_json=as_json)
    if anchor:
        return _told(anchor_keys(environment()), as_json=as_json)
    if forget_key:
        return _told(
            ask(OverrideRequest(do=OverrideAction.FORGET, what=forget_key)), as_json=as_json
        )
    if revoke:
        return _told(ask(OverrideRequest(do=OverrideAction.REVOKE, what=revoke)), as_json=as_json)
    if listed or show_keys or not what:
        reply = ask(OverrideRequest(do=OverrideAction.LIST, anywhere=anywhere))
        shown = _keys if show_keys else _overrides if listed else _recent
        return shown(reply, as_json=as_json)
    duration = _duration(once=once, span=span, session=session, always=always)
    request = OverrideRequest(
        do=OverrideAction.PREPARE,
        what=what,
        duration=duration,
        seconds=seconds(span, "--for") if span else 0.0,
        glob=glob,
        anywhere=anywhere,
        code=code,
    )
    return _told(request_override(request, method=method or ""), as_json=as_json)


def ask(request: OverrideRequest) -> OverrideReply:
    """Return the daemon's reply to *request*."""
    return send(request, os.environ, os.getcwd())  # noqa: PTH109 - bytes for the wire


def request_override(request: OverrideRequest, *, method: str = "") -> OverrideReply:
    """Return the daemon's reply, once the person has proved what it wants proved."""
    reply = ask(request)
    if reply.offer is None:
        return reply
    proof = prove(reply.offer, environment(), method=method)
    return ask(
        OverrideRequest(do=OverrideAction.GRANT, challenge=reply.offer.challenge, proof=proof)
    )


def _set_up(*, passphrase: bool) -> OverrideReply:
    key = set_passphrase(environment()) if passphrase else add_security_key(environment())
    return ask(OverrideRequest(do=OverrideAction.ENROLL, key=key))


def seconds(text: str, where: str) -> float:
    """Return the duration that *text* names, in seconds."""
    number = text[:-1].replace(".", "", 1)
    span = float(text[:-1]) * UNITS[text[-1]] if text[-1:] in UNITS and number.isdigit() else 0.0
    if not 0 < span <= LONGEST:
        raise UsageError(
            where=where,
            what=f"invalid duration '{text}'",
            fix="Use a number and a unit: 30s, 10m, 2h; 12h at most.",
        )
    return span


def told(reply: OverrideReply, *, where: str, as_json: bool) -> int:
    """Show the reply to a request; a refusal is an error."""
    if as_json:
        say_json(reply)
    elif reply.done:
        say_lines(complaint(reply.text), style="green")
    if reply.done:
        return 0
    if as_json:
        return 1
    raise TrustError(where=where, what=reply.text, fix=reply.fix)


def _told(reply: OverrideReply, *, as_json: bool) -> int:
    return told(reply, where="snaphook allow", as_json=as_json)


def _duration(*, once: bool, span: str | None, session: bool, always: bool) -> Duration:
    if once + bool(span) + session + always > 1:
        raise UsageError(
            where="snaphook allow",
            what="more than one duration",
            fix="Choose one of --once, --for, --session, --always.",
        )
    return "always" if always else "session" if session else "for" if span else "once"


def _recent(reply: OverrideReply, *, as_json: bool) -> int:
    if as_json:
        say_json(reply.recent)
        return 0
    if not reply.recent:
        say_lines(NOTHING)
        return 0
    rows = [
        (
            str(one.number),
            datetime.fromtimestamp(one.time).astimezone().strftime("%H:%M:%S"),
            one.tool,
            _short(one.command),
            "deny" if one.level is Level.DENY else "ask",
            ", ".join(one.rules),
        )
        for one in reply.recent
    ]
    _table(("", "when", "tool", "command", "verdict", "rules"), rows)
    say()
    say(f"To allow one: snaphook allow {reply.recent[0].number} --once")
    return 0


def _overrides(reply: OverrideReply, *, as_json: bool) -> int:
    if as_json:
        say_json(reply.overrides)
        return 0
    for file in reply.invalid:
        say(f"{printable_line(file)}: not signed with a valid key; ignored.", style="yellow")
    if not reply.overrides:
        say_lines(NONE_ALLOWED)
        return 0
    rows = [
        (
            one.id,
            _left(one.left),
            "1" if one.once else "any",
            one.where or "everywhere",
            _short(one.what),
        )
        for one in reply.overrides
    ]
    _table(("", "left", "uses", "where", "what"), rows)
    return 0


def _left(left: float) -> str:
    if not left:
        return "always"
    return f"{left / 60:.0f} min" if left >= 60 else f"{left:.0f} s"


def _keys(reply: OverrideReply, *, as_json: bool) -> int:
    if as_json:
        say_json(reply.keys)
        return 0
    if not reply.keys:
        say_lines(NO_KEYS)
        return 0
    rows = [
        (
            one.id,
            one.method,
            datetime.fromtimestamp(one.since).astimezone().strftime("%Y-%m-%d %H:%M"),
            "root" if one.anchored else "nobody (snaphook allow --anchor)",
        )
        for one in reply.keys
    ]
    _table(("", "method", "since", "confirmed by"), rows)
    return 0


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.table import Table

    table = Table(*heads, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(cell, row))
    new_console().print(table)


def _short(text: str, most: int = 80) -> str:
    flat = printable_line(" ".join(text.split()))
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
