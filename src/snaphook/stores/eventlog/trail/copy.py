"""Seals, taken to a second place: a folder, a command.

seals + where  ->  those that were not taken there yet

Whoever can rewrite the record can rewrite what lies beside it. So a copy goes where they cannot: a
share they may only append to, a ticket, another machine. What could not be taken is taken the next
time.
"""

import subprocess
from collections.abc import Callable
from pathlib import Path

import msgspec

from snaphook.errors import StoreError
from snaphook.storage.files import append_line, replace

from .seal import Seal, read_seals, seals

TAKEN = ".seals-taken"
PATIENCE = 60.0


def folder_copy(folder: Path, machine: str) -> Callable[[Seal], None]:
    """Return who appends a seal to its file in *folder*."""

    def take(made: Seal) -> None:
        file = copy_of(folder, machine, made.stream)
        try:
            folder.mkdir(parents=True, exist_ok=True)
            append_line(file, msgspec.json.encode(made), durable=True)
        except OSError as error:
            raise StoreError(
                where=str(file),
                what=f"the checkpoint cannot be copied: {error.strerror}",
                fix="It is retried; make the folder writable.",
            ) from error

    return take


def command_copy(command: str) -> Callable[[Seal], None]:
    """Return who hands a seal to *command*, on its stdin."""

    def take(made: Seal) -> None:
        try:
            done = subprocess.run(
                ["sh", "-c", command],
                input=msgspec.json.encode(made) + b"\n",
                capture_output=True,
                timeout=PATIENCE,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise _failed(command, str(error)) from error
        if done.returncode:
            raise _failed(command, done.stderr.decode(errors="replace").strip()[:200])

    return take


def copy_seals(stream: Path, take: Callable[[Seal], None], name: str) -> int:
    """Have *take* take every seal of *stream* it has not had yet; return how many those were."""
    mark = stream / f"{TAKEN}-{name}"
    taken = int(mark.read_text()) if mark.exists() else 0
    fresh = [made for made in seals(stream) if made.number > taken]
    for made in fresh:
        take(made)
        replace(mark, str(made.number).encode())
    return len(fresh)


def copy_of(folder: Path, machine: str, stream: str) -> Path:
    """Return the file in *folder* that holds the seals of one machine's *stream*."""
    return folder / f"{machine}-{stream}.seals.jsonl"


def copies(folder: Path, machine: str) -> dict[str, list[Seal]]:
    """Return the seals of *machine* in *folder*, by stream."""
    start, end = f"{machine}-", ".seals.jsonl"
    return {
        file.name[len(start) : -len(end)]: read_seals(file)
        for file in sorted(folder.glob(f"*{end}"))
        if file.name.startswith(start)
    }


def _failed(command: str, why: str) -> StoreError:
    return StoreError(
        where=f"copy_command {command!r}",
        what=f"the checkpoint was not accepted: {why or 'no error message'}",
        fix="It is retried with the next one; fix the command.",
    )
