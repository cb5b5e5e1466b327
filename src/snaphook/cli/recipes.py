"""``snaphook recipes``: ready-made hooks, listed, shown and added."""

import shutil
from pathlib import Path

import click

from snaphook.config import Dialect, Environment
from snaphook.config.approval import KeptApproval
from snaphook.config.edit import add_hook, into_json, into_toml
from snaphook.config.recipes import Recipe, recipes
from snaphook.config.settings_files import CLAUDE, NATIVE, WAVE, project_root
from snaphook.config.take import did_you_mean
from snaphook.errors import UsageError
from snaphook.providers.guard.coverage import command_coverage

from .here import environment, short
from .output import say, say_json, say_lines

FILES = {Dialect.SNAPHOOK: NATIVE, Dialect.CLAUDE: CLAUDE, Dialect.WAVE: WAVE}
_DIALECT = click.option(
    "--dialect",
    type=click.Choice([str(dialect) for dialect in Dialect]),
    default=str(Dialect.SNAPHOOK),
    show_default=True,
    help="Write to the settings file of this dialect.",
)


@click.group(invoke_without_command=True)
@click.pass_context
def command(ctx: click.Context) -> None:
    """Ready-made hooks: formatters, linters, tests, git, secrets, notifications.

    \b
    snaphook recipes list
    snaphook recipes add python-lint
    """
    if ctx.invoked_subcommand is None:
        _list()


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def list_recipes(as_json: bool) -> None:
    """List the recipes by topic."""
    if as_json:
        rows = [
            {"name": r.name, "topic": r.topic, "event": r.event, "needs": r.needs, "what": r.what}
            for r in recipes().values()
        ]
        say_json(rows, indent=2)
    else:
        _list()


@command.command()
@click.argument("name")
@_DIALECT
def show(name: str, dialect: str) -> None:
    """Show what NAME would add to a settings file."""
    recipe = _find(name)
    spoken = Dialect(dialect)
    with_hook = into_toml if spoken is Dialect.SNAPHOOK else into_json
    say_lines(with_hook("", recipe.event_in(spoken), recipe.entry(spoken)), nl=False)


@command.command()
@click.argument("names", nargs=-1, required=True)
@_DIALECT
@click.option("--user", is_flag=True, help="Write to your user settings, for all projects.")
def add(names: tuple[str, ...], dialect: str, user: bool) -> None:
    """Add NAMES to a settings file; existing entries are not changed."""
    chosen = [_find(name) for name in names]
    around = environment()
    spoken = Dialect(dialect)
    path = _file(around, spoken, user=user)
    kept = None if user else KeptApproval(around, project_root(around), path, command_coverage)
    for recipe in chosen:
        added = add_hook(path, recipe.event_in(spoken), recipe.entry(spoken))
        say(f"{short(str(path))}: {recipe.name} {'added' if added else 'is already there'}.")
        if recipe.needs and not shutil.which(recipe.needs):
            missing = f"{recipe.name}: {recipe.needs} is not installed, so the hook checks nothing."
            say(f"{missing} Install {recipe.needs}.", err=True, style="yellow")
    if kept and not kept.renew():
        say("The project's hooks are not approved, so they do not run. Next: snaphook trust")


def _list() -> None:
    topic = ""
    for recipe in recipes().values():
        if recipe.topic != topic:
            topic = recipe.topic
            say(topic, style="cyan")
        say(f"  {recipe.name:<22} {recipe.what}")
    say()
    say("Add one: snaphook recipes add NAME")


def _find(name: str) -> Recipe:
    known = recipes()
    if name in known:
        return known[name]
    near = did_you_mean(name, known)
    fix = f"{near} 'snaphook recipes list' shows all.".lstrip()
    raise UsageError(where="snaphook recipes", what=f"unknown recipe '{name}'", fix=fix)


def _file(around: Environment, dialect: Dialect, *, user: bool) -> Path:
    if not user:
        return project_root(around) / FILES[dialect]
    if dialect is Dialect.SNAPHOOK:
        return around.config_dir / NATIVE
    moved = around.env.get("CLAUDE_CONFIG_DIR") if dialect is Dialect.CLAUDE else None
    return Path(moved) / "settings.json" if moved else around.home / FILES[dialect]
