"""``snaphook pause``: for a while the guard only warns; a person's word, never an agent's."""

import click

from snaphook.daemon.wayout.words import Deed, Plea
from snaphook.errors import UsageError

from .allow import ask, seconds, told


@click.command("pause")
@click.argument("span", default="", metavar="[10m]")
@click.option("--everywhere", is_flag=True, help="In every project, not in this one alone.")
@click.option("--end", is_flag=True, help="End every pause now.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(span: str, everywhere: bool, end: bool, as_json: bool) -> int:
    """Have every ordinary rule only warn, for so long, in this project.

    What protects the guard itself, and what an administrator fixed, stays as it is. Every call that
    goes through is on record.
    """
    if end == bool(span):
        raise UsageError(
            where="snaphook pause", what="says neither when nor whether", fix="Write 10m, or --end."
        )
    if end:
        word = ask(Plea(do=Deed.END_PAUSE))
    else:
        plea = Plea(
            do=Deed.PAUSE, how="for", seconds=seconds(span, "snaphook pause"), anywhere=everywhere
        )
        word = ask(plea)
    return told(word, where="snaphook pause", as_json=as_json)
