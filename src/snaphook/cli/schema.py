"""``snaphook schema``: the JSON schemas, for editors and validators."""

import json
from importlib.resources import files

import click

from .output import say_encoded

KINDS = ("settings", "events", "outputs")


@click.command()
@click.argument("kind", type=click.Choice(KINDS), default="settings", required=False)
def command(kind: str) -> None:
    """Print the JSON schema of snaphook.toml, of events, or of provider outputs.

    Editors with a TOML extension (Even Better TOML, taplo) use it for completion and validation; the
    first line of a file that 'snaphook init' creates names it.

    \b
    snaphook schema > settings.schema.json
    snaphook schema events
    """
    if kind == "settings":
        text = (files("snaphook.config") / "settings.schema.json").read_text(encoding="utf-8")
        say_encoded(text.rstrip("\n"))
        return
    from snaphook.canon.schema import schemas

    say_encoded(json.dumps(schemas()[f"{kind}.schema.json"], indent=2, ensure_ascii=False))
