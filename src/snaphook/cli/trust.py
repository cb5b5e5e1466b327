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
@click.option("--revoke", is_flag=True, help="Revoke this project's approval.")
def command(yes: bool, listed: bool, revoke: bool) -> None:
    """Show what this project's settings would run, and approve them.

    Settings come with a repository, so anyone may have written them. Until they are approved, none
    of their commands and plugins run, and they can make rules stricter but not relax them. An
    approval covers the settings and the project's files that their commands and providers run; if
    one of these changes, approval is needed again. What cannot be determined in advance is listed
    as "not covered".
    """
    if yes + listed + revoke > 1:
        raise UsageError(
            where="snaphook trust", what="options that exclude each other", fix="Choose one option."
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
        say("Everything is approved already.")
        return
    if ask and not _confirmed():
        raise TrustError(
            where=str(root), what="not approved", fix="Its hooks do not run until then."
        )
    approve(reviews, root, store)
    say(f"{root} is approved.", style="green")


def _approve_notes(root: Path, store: TrustStore, *, ask: bool) -> None:
    """Approve a project without settings: what its documents say counts as its team's notes."""
    say(f"{root} has no settings of its own: nothing would run.")
    if str(root) in store.approvals():
        say("Everything is approved already.")
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
