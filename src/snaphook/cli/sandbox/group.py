"""``snaphook sandbox``: the group of its commands.

run, try, status, explain
"""

import click

_WORDS = {"ignore_unknown_options": True, "allow_interspersed_args": False}
"""Everything from the command's first word on is the command's own."""


@click.group("sandbox")
def command() -> None:
    """Confine a command: what it may write, read and reach, enforced by the kernel."""


@command.command("run", context_settings=_WORDS)
@click.option("--cwd", default="", metavar="DIR", help="Where the command starts.")
@click.argument("words", nargs=-1, required=True, metavar="COMMAND…")
def run(cwd: str, words: tuple[str, ...]) -> int:
    """Run COMMAND in the sandbox, and exit with its exit code.

    One word is shell text; several are a program and its arguments.
    """
    from .run import run_confined

    return run_confined(words, cwd)


@command.command("try", context_settings=_WORDS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--apply", "applies", is_flag=True, help="Apply the effects if all are allowed.")
@click.option("--cwd", default="", metavar="DIR", help="Where the command starts.")
@click.option("--agent", is_flag=True, hidden=True, help="Apply or discard, and tell an agent.")
@click.argument("words", nargs=-1, required=True, metavar="COMMAND…")
def try_(as_json: bool, applies: bool, cwd: str, agent: bool, words: tuple[str, ...]) -> int:
    """Run COMMAND in an overlay, then show what it changed and what the guard says of it.

    Nothing is changed until the effects are applied.
    """
    from .trial import try_command

    return try_command(words, cwd, as_json=as_json, applies=applies, agent=agent)


@command.command("status")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def status(as_json: bool) -> int:
    """Show what this machine can enforce, and what it cannot."""
    from .status import show_status

    return show_status(as_json=as_json)


@command.command("explain", context_settings=_WORDS)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--cwd", default="", metavar="DIR", help="Where the command would start.")
@click.argument("words", nargs=-1, required=True, metavar="COMMAND…")
def explain(as_json: bool, cwd: str, words: tuple[str, ...]) -> int:
    """Show whether COMMAND would be confined, why, and what it could do then."""
    from .explain import explain_command

    return explain_command(words, cwd, as_json=as_json)
