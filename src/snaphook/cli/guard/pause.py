"""``snaphook pause``: for a while the guard only warns; requested by a person, never by an agent."""

import click

from snaphook.daemon.overrides.messages import OverrideAction, OverrideRequest
from snaphook.errors import UsageError

from .allow import ask, request_override, seconds, told


@click.command("pause")
@click.argument("span", default="", metavar="[10m]")
@click.option("--everywhere", is_flag=True, help="In every project, not in this one alone.")
@click.option("--end", is_flag=True, help="End every pause now.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(span: str, everywhere: bool, end: bool, as_json: bool) -> int:
    """Downgrade rules to warnings for a limited time, in this project.

    Rules that protect the guard itself, and rules fixed by an administrator, stay in force. Every
    call that is let through is logged. What the guard denies is included only with a proof, as in
    'snaphook allow'.
    """
    if end == bool(span):
        raise UsageError(
            where="snaphook pause",
            what="needs either a duration or --end",
            fix="Write 'snaphook pause 10m' or 'snaphook pause --end'.",
        )
    if end:
        reply = ask(OverrideRequest(do=OverrideAction.END_PAUSE))
    else:
        reply = request_override(
            OverrideRequest(
                do=OverrideAction.PREPARE,
                duration="for",
                seconds=seconds(span, "snaphook pause"),
                anywhere=everywhere,
            )
        )
    return told(reply, where="snaphook pause", as_json=as_json)
