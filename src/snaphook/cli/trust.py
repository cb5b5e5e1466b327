"""``snaphook trust``: let a project's own settings run."""

from pathlib import Path

import click

from snaphook.config.approval import Review, TrustState, approve, review
from snaphook.config.settings_files import project_root
from snaphook.config.trust import TrustStore
from snaphook.errors import TrustError, UsageError
from snaphook.providers.guard.coverage import command_coverage

from .here import environment, short
from .output import confirm, indented, say, say_lines


@click.command()
@click.option("--yes", is_flag=True, help="Approve without asking.")
@click.option("--list", "listed", is_flag=True, help="Show every approved project.")
@click.option("--revoke", is_flag=True, help="Take this project's approval back.")
def command(yes: bool, listed: bool, revoke: bool) -> None:
    """Approve this project's settings, after showing what they would run.

    Settings come with a repository, so a stranger may have written them. Until they are approved
    none of their commands and plugins run, and they may tighten rules but not loosen them. An
    approval covers what the files say, and the project's files that their commands and providers
    run; when one of them changes, it has to be given again. What cannot be told before the run is
    listed as "not covered".
    """
    if yes + listed + revoke > 1:
        raise UsageError(
            where="snaphook trust", what="two things at once", fix="Choose one option."
        )
    around = environment()
    root, store = project_root(around), TrustStore.of(around)
    if listed:
        _list(store)
    elif revoke:
        known = store.revoke(root)
        say(f"{root}: {'no longer approved' if known else 'was not approved'}.")
    else:
        _approve(review(around, root, store, command_coverage), root, store, ask=not yes)


def _list(store: TrustStore) -> None:
    approvals = store.approvals()
    for root, files in sorted(approvals.items()):
        say(root)
        for file in sorted(files):
            say(f"  {Path(file).relative_to(root) if file.startswith(root) else file}")
    if not approvals:
        say("No project is approved.")


def _approve(reviews: tuple[Review, ...], root: Path, store: TrustStore, *, ask: bool) -> None:
    if not reviews:
        _approve_notes(root, store, ask=ask)
        return
    for one in reviews:
        _show(one)
    if all(one.state is TrustState.APPROVED for one in reviews):
        say("All of it is approved already.")
        return
    if ask and not _confirmed():
        raise TrustError(
            where=str(root), what="not approved", fix="Nothing of it runs until it is."
        )
    approve(reviews, root, store)
    say(f"{root} is approved.", style="green")


def _approve_notes(root: Path, store: TrustStore, *, ask: bool) -> None:
    """Approve a project without settings: what its documents say counts as its team's notes."""
    say(f"{root} has no settings of its own: nothing would run.")
    if str(root) in store.approvals():
        say("All of it is approved already.")
        return
    say("Approving it lets memory tell sessions what its DECISIONS.md and THOUGHTS.md say.")
    if ask and not _confirmed():
        raise TrustError(
            where=str(root), what="not approved", fix="Its documents are kept as quotes."
        )
    store.approve(root, {})
    say(f"{root} is approved.", style="green")


def _show(one: Review) -> None:
    say(f"{short(one.file)}: {one.state}", style="cyan")
    for hook in one.hooks:
        matcher = f" [{hook.matcher}]" if hook.matcher else ""
        say(f"  {hook.event}{matcher} runs")
        say_lines(f"      {indented(hook.command.strip(), 6)}")
    for entry in one.providers:
        say(f"  provider {entry.name} imports {entry.use}")
    for script in one.scripts:
        say(f"  covers {short(str(script))}")
    for path in one.changed:
        say(f"  changed: {short(str(path))}", style="yellow")
    for what in one.unknown:
        say(f"  not covered: {what}", style="yellow")


def _confirmed() -> bool:
    try:
        return confirm("Do you trust this?")
    except click.Abort:  # no terminal to ask at: that is no yes
        say()
        return False
