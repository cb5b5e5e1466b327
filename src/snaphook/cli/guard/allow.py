"""``snaphook allow``: let through what the guard stopped; a person's word, never an agent's.

a stop, or a command  ->  the daemon, who looks at who is asking  ->  a permit
"""

import os
from collections.abc import Sequence
from datetime import datetime

import click
import msgspec

from snaphook.cli.here import say
from snaphook.daemon.wayout.ask import plead
from snaphook.daemon.wayout.closed import keep_to_oneself
from snaphook.daemon.wayout.words import Deed, How, Plea, Word
from snaphook.errors import TrustError, UsageError

NOTHING = "Nothing was stopped here since the daemon began."
UNITS = {"s": 1, "m": 60, "h": 3600}
NONE_ALLOWED = "Nothing is allowed beyond the rules."
LONGEST = 12 * 3600


@click.command("allow")
@click.argument("what", default="", metavar="[N|COMMAND]")
@click.option("--once", is_flag=True, help="For the next such call, within 15 minutes (default).")
@click.option("--for", "span", metavar="10m", help="For so long; 12 hours at most.")
@click.option("--session", is_flag=True, help="For the session that was stopped.")
@click.option("--always", is_flag=True, help="For good: a line in your own settings.")
@click.option(
    "--glob", is_flag=True, help="'*' in COMMAND stands for anything but another command."
)
@click.option("--anywhere", is_flag=True, help="In every project, not in this one alone.")
@click.option("--code", default="", help="The code that was sent to you with the denial.")
@click.option("--list", "listed", is_flag=True, help="Show what is allowed now.")
@click.option("--revoke", metavar="ID", help="Take a permit back.")
@click.option("--set-passphrase", is_flag=True, help="Set what is asked for from then on.")
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
    listed: bool,
    revoke: str | None,
    set_passphrase: bool,
    as_json: bool,
) -> int:
    """Let through what the guard stopped.

    Without arguments, list what was stopped here lately, numbered. Who asks is looked at: a process
    that an agent started, or whose terminal an agent could have typed into, is refused.
    """
    if set_passphrase:
        return _told(_set_passphrase(), as_json=as_json)
    if revoke:
        return _told(ask(Plea(do=Deed.REVOKE, what=revoke)), as_json=as_json)
    if listed or not what:
        word = ask(Plea(do=Deed.LIST, anywhere=anywhere))
        return _permits(word, as_json=as_json) if listed else _stops(word, as_json=as_json)
    how = _how(once=once, span=span, session=session, always=always)
    plea = Plea(
        do=Deed.ALLOW,
        what=what,
        how=how,
        seconds=seconds(span, "--for") if span else 0.0,
        glob=glob,
        anywhere=anywhere,
        code=code,
    )
    return _told(ask(plea), as_json=as_json)


def ask(plea: Plea) -> Word:
    """Return what the daemon says; the passphrase is asked for where it wants it."""
    word = plead(plea, os.environ, os.getcwd())  # noqa: PTH109 - bytes for the wire
    if word.asks and not plea.passphrase:
        keep_to_oneself()
        secret = typed("Passphrase: ")
        word = plead(msgspec.structs.replace(plea, passphrase=secret), os.environ, os.getcwd())  # noqa: PTH109
    return word


def typed(prompt: str) -> str:
    """Return what a person types at the terminal itself, unseen; no pipe takes its place."""
    from getpass import getpass

    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        raise TrustError(
            where="snaphook allow",
            what="there is no terminal to type the passphrase at",
            fix="Run it in a terminal of your own.",
        ) from None
    return getpass(prompt)


def seconds(text: str, where: str) -> float:
    """Return the span that *text* names, in seconds."""
    number = text[:-1].replace(".", "", 1)
    span = float(text[:-1]) * UNITS[text[-1]] if text[-1:] in UNITS and number.isdigit() else 0.0
    if not 0 < span <= LONGEST:
        raise UsageError(
            where=where, what=f"'{text}' is no span", fix="Write 30s, 10m or 2h; 12h at most."
        )
    return span


def told(word: Word, *, where: str, as_json: bool) -> int:
    """Show what became of a wish."""
    if as_json:
        click.echo(msgspec.json.encode(word))
    elif word.done:
        say(word.says, style="green")
    if word.done:
        return 0
    if as_json:
        return 1
    raise TrustError(where=where, what=word.says, fix=word.fix)


def _told(word: Word, *, as_json: bool) -> int:
    return told(word, where="snaphook allow", as_json=as_json)


def _set_passphrase() -> Word:
    keep_to_oneself()
    new = typed("New passphrase: ")
    if typed("Again: ") != new:
        raise UsageError(where="snaphook allow", what="the two differ", fix="Try again.")
    return ask(Plea(do=Deed.SET_PASSPHRASE, new_passphrase=new))


def _how(*, once: bool, span: str | None, session: bool, always: bool) -> How:
    if once + bool(span) + session + always > 1:
        raise UsageError(
            where="snaphook allow",
            what="two spans at once",
            fix="Choose one of --once, --for, --session, --always.",
        )
    return "always" if always else "session" if session else "for" if span else "once"


def _stops(word: Word, *, as_json: bool) -> int:
    if as_json:
        click.echo(msgspec.json.encode(word.stops))
        return 0
    if not word.stops:
        say(NOTHING)
        return 0
    rows = [
        (
            str(one.number),
            datetime.fromtimestamp(one.time).astimezone().strftime("%H:%M:%S"),
            one.tool,
            _short(one.command),
            ", ".join(one.rules),
        )
        for one in word.stops
    ]
    _table(("", "when", "tool", "command", "why"), rows)
    say(f"\nTo let one through: snaphook allow {word.stops[0].number} --once")
    return 0


def _permits(word: Word, *, as_json: bool) -> int:
    if as_json:
        click.echo(msgspec.json.encode(word.permits))
        return 0
    if not word.permits:
        say(NONE_ALLOWED)
        return 0
    rows = [
        (
            one.id,
            f"{one.left / 60:.0f} min" if one.left >= 60 else f"{one.left:.0f} s",
            "1" if one.once else "any",
            one.where or "everywhere",
            _short(one.what),
        )
        for one in word.permits
    ]
    _table(("", "left", "uses", "where", "what"), rows)
    return 0


def _table(heads: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    table = Table(*heads, box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(escape, row))
    Console(highlight=False).print(table)


def _short(text: str, most: int = 80) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"
