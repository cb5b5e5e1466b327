"""``snaphook undo``: bring back what a command destroyed.

Snapshot  ->  the project as it was
"""

import difflib
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.table import Table

from snaphook.cli.console import cell, new_console
from snaphook.cli.here import environment, one_line
from snaphook.cli.output import say, say_json, say_lines
from snaphook.stores.snapshots import (
    EntryKind,
    RestorePlan,
    Snapshot,
    SnapshotEntry,
    SnapshotStore,
    contents,
)
from snaphook.stores.snapshots.git import Git

NOTHING = (
    "No snapshots for this project yet.\n"
    "The guard takes a snapshot before commands that would destroy local work, for the rules "
    "in [guard] safety_net."
)
LONGEST = 200
"""Lines of one file's difference that are shown."""


@click.command("undo")
@click.argument("which", default="1", metavar="[N|ID]")
@click.option("--list", "as_list", is_flag=True, help="List the snapshots, newest first.")
@click.option("--diff", is_flag=True, help="Show what would change without changing it.")
@click.option("--force", is_flag=True, help="Also overwrite newer changes.")
@click.option("--all", "everywhere", is_flag=True, help="With --list: snapshots of every project.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(
    which: str, as_list: bool, diff: bool, force: bool, everywhere: bool, as_json: bool
) -> int:
    """Restore the project to its state before a destructive command.

    N is the number of the snapshot; 1 is the newest. Files, permissions, links, the index, branches
    and stashes are restored exactly. The current state is saved first, so an undo can be undone.
    """
    around = environment()
    store = SnapshotStore(around.data_dir / "undo")
    if as_list:
        return _list(store.all(None if everywhere else around.cwd), as_json=as_json)
    snapshot = store.find(which, around.cwd)
    if diff:
        return _diff(store, snapshot, as_json=as_json)
    done = store.undo(snapshot, force=force)
    store.tidy()
    if as_json:
        told = {"id": snapshot.id, "root": snapshot.root, "files": done.files, "refs": done.refs}
        say_json(told)
    elif done.files or done.refs:
        say(f"{snapshot.root} is as it was {_when(snapshot)}, before: {_what(snapshot)}")
        refs = f" and {_count(done.refs, 'ref')}" if done.refs else ""
        say(f"{_count(done.files, 'path')}{refs} restored.")
        say("Run 'snaphook undo' again to revert this.")
    else:
        say(f"{snapshot.root} is already as it was {_when(snapshot)}; nothing to do.")
    return 0


def _list(snapshots: list[Snapshot], *, as_json: bool) -> int:
    if as_json:
        say_json([_brief(one) for one in snapshots])
        return 0
    if not snapshots:
        say_lines(NOTHING)
        return 0
    table = Table("", "when", "files", "size", "before", box=None, pad_edge=False)
    for number, one in enumerate(snapshots, 1):
        size = f"{one.size / 1024:,.0f} KB"
        table.add_row(str(number), _when(one), f"{len(one.entries):,}", size, cell(_what(one)))
    new_console().print(table)
    return 0


def _diff(store: SnapshotStore, snapshot: Snapshot, *, as_json: bool) -> int:
    wanted = store.plan(snapshot)
    if as_json:
        told = msgspec.to_builtins(wanted)
        told.pop("now", None)
        say_json(told)
        return 0
    if wanted.empty:
        say(f"{snapshot.root} is already as it was {_when(snapshot)}.")
    for name, commit in wanted.refs.items():
        say(f"ref {name} back to {commit[:12]}", style="cyan")
    if wanted.head:
        say(f"HEAD back to {wanted.head}", style="cyan")
    for line, style in _lines(store, snapshot, wanted):
        say(line, style=style)
    return 0


def _lines(
    store: SnapshotStore, snapshot: Snapshot, wanted: RestorePlan
) -> Iterator[tuple[str, str | None]]:
    """Yield the difference between what is there and what an undo would put there."""
    root = Path(snapshot.root)
    git = Git(root, seconds=60) if snapshot.repository else None
    for path in wanted.removals:
        yield f"remove {path}", "red"
    for path in wanted.checkouts:
        yield f"check out {path}", "green"
    for entry, raw in contents(wanted.writes, git, store.trash):
        if entry.kind is EntryKind.FILE:
            yield from _file(root, entry, raw)
        else:
            leads = f" -> {entry.target}" if entry.kind is EntryKind.LINK else "/"
            yield f"restore {entry.path}{leads}", "green"


def _file(root: Path, entry: SnapshotEntry, raw: bytes) -> Iterator[tuple[str, str | None]]:
    path = root / entry.path
    now = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
    yield f"restore {entry.path} ({entry.mode:o}, {len(raw):,} bytes)", "green"
    if b"\0" in raw[:8192] or b"\0" in now[:8192]:
        return
    old, new = (one.decode(errors="replace").splitlines() for one in (now, raw))
    lines = difflib.unified_diff(old, new, "now", "then", lineterm="", n=2)
    for number, line in enumerate(lines):
        if number == LONGEST:
            yield "…", None
            return
        style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1])
        yield line, style


def _brief(snapshot: Snapshot) -> dict[str, Any]:
    return {
        "id": snapshot.id,
        "time": snapshot.time,
        "root": snapshot.root,
        "command": snapshot.command,
        "session": snapshot.session,
        "files": len(snapshot.entries),
        "size": snapshot.size,
    }


def _when(snapshot: Snapshot) -> str:
    return datetime.fromtimestamp(snapshot.time).astimezone().strftime("%Y-%m-%d %H:%M:%S")


def _what(snapshot: Snapshot) -> str:
    return one_line(snapshot.command, most=90) or "-"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' if number != 1 else ''}"
