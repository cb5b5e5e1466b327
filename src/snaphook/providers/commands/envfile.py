"""A file for each hook of a starting session, where it may leave variables for the agent's shell.

SessionStart + hooks  ->  files  ->  SessionStartOutput.environment
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from snaphook.canon import Event, Output, SessionStart, SessionStartOutput
from snaphook.config import Dialect
from snaphook.storage.files import write_scratch

from .environment import exported
from .plan import PlannedHook


@contextmanager
def env_files(event: Event, batch: Sequence[PlannedHook]) -> Iterator[list[Path | None]]:
    """Give an empty file per hook while *batch* runs; no file for other events and for wave."""
    if not isinstance(event, SessionStart):
        yield [None] * len(batch)
        return
    from tempfile import TemporaryDirectory  # slow to import, and needed once a session

    with TemporaryDirectory(prefix="snaphook-env-") as folder:
        files = [
            None if one.hook.dialect is Dialect.WAVE else Path(folder, f"{i}.sh")
            for i, one in enumerate(batch)
        ]
        for file in filter(None, files):
            write_scratch(file)
        yield files


def left_in(file: Path | None, environ: Mapping[str, str]) -> Output | None:
    """Return what a hook left in its *file* for the agent's shell."""
    text = file.read_text(errors="replace") if file and file.is_file() else ""
    found = exported(text, environ) if text else {}
    return SessionStartOutput(environment=found) if found else None
