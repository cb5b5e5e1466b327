"""``snaphook directives``: what holds in this project because somebody said so."""

from datetime import datetime

import click
import msgspec

from snaphook.config.settings_files import project_root
from snaphook.scrub import Scrubber, load_salt
from snaphook.stores.directives import Directives

from .here import environment
from .output import say, say_json


@click.group()
def command() -> None:
    """List, add and remove this project's standing instructions.

    With [context] in the settings, an instruction typed into any agent ("never push to main") is
    saved and added to every later session in this project.
    """


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def listed(as_json: bool) -> None:
    """List the standing instructions, oldest first."""
    held = _store().all()
    if as_json:
        say_json([msgspec.to_builtins(each) for each in held], indent=2)
        return
    for each in held:
        day = datetime.fromtimestamp(each.made).astimezone().strftime("%Y-%m-%d")
        say(f"{each.id}  {day}  {each.text}")
    if not held:
        say("No standing instructions yet.")


@command.command()
@click.argument("text")
def add(text: str) -> None:
    """Add TEXT to every session of this project."""
    scrubber = Scrubber(salt=load_salt(environment().data_dir / "salt"))
    kept = _store().add(scrubber.text(text.strip()))
    say(f"{kept.id}  {kept.text}")


@command.command()
@click.argument("directive_id", metavar="ID")
def revoke(directive_id: str) -> None:
    """Remove a standing instruction; a prefix of its id is enough."""
    gone = _store().revoke(directive_id)
    say(f"Removed: {gone.text}")


def _store() -> Directives:
    around = environment()
    return Directives(around.data_dir / "directives", project_root(around))
