"""Which model a session asks next, after a failure; so that its next sign of life clears that model.

note("session", "model")  ->  a small file  ->  take("session")  ->  "model"

A session that never failed costs one look at a folder. Files, because the hook that hears the
failure and the one that hears the answer may be two processes.
"""

from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time

from snaphook.storage.files import replace
from snaphook.storage.folders import make_private

_STALE = 86_400
"""A session silent for a day proves nothing any more."""


class Trials:
    """The models on trial, one a session."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with suppress(OSError):
            for path in folder.iterdir() if folder.is_dir() else ():
                if time() - path.stat().st_mtime > _STALE:
                    path.unlink(missing_ok=True)

    def note(self, session: str, model: str) -> None:
        """Remember that *session* asks *model* next."""
        make_private(self._folder)
        replace(self._path(session), model.encode(), durable=False)  # a day's memory at most

    def take(self, session: str) -> str | None:
        """Return the model that *session* had on trial, once."""
        path = self._path(session)
        try:
            model = path.read_text(encoding="utf-8")
            path.unlink()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return model

    def _path(self, session: str) -> Path:
        name = sha256(session.encode("utf-8", "surrogatepass")).hexdigest()[:32]
        return self._folder / name
