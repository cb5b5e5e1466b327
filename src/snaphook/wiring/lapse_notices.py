"""A lost approval is reported once in a session, by whichever process is first, and is in the record.

session + text  ->  a mark on disk, made by the first  ->  a record of the event ApprovalLapsed
"""

from hashlib import sha256
from pathlib import Path
from time import time

from snaphook.storage.files import create
from snaphook.storage.folders import make_private
from snaphook.stores.eventlog.settings import LogSettings

FOLDER = "lapsed"
KEPT_SECONDS = 14 * 86_400


class LapseNotices:
    """The marks below *data_dir*; what is reported is recorded as *log* says."""

    def __init__(self, log: LogSettings, data_dir: Path) -> None:
        self._log = log
        self._data_dir = data_dir

    def is_first(self, text: str, session: str, project: str) -> bool:
        """Say whether nobody has reported *text* in *session* yet, and note that it is reported now."""
        folder = self._data_dir / FOLDER
        name = sha256(f"{session}\0{text}".encode("utf-8", "replace")).hexdigest()[:32]
        try:
            make_private(folder)
            if not create(folder / name, b""):
                return False
            self._forget_old(folder)
            self._record(text, session, project)
        except Exception:  # noqa: BLE001 - a full disk is no reason to hide what lapsed
            return True
        return True

    def _record(self, text: str, session: str, project: str) -> None:
        if not self._log.enabled:
            return
        from .recording import LAPSED, keep_records, override_record, scrubber

        made = override_record(
            LAPSED, text, scrubber(self._data_dir), session=session, project=project
        )
        keep_records([made], self._log, self._data_dir)

    def _forget_old(self, folder: Path) -> None:
        for path in folder.iterdir():
            if path.stat().st_mtime < time() - KEPT_SECONDS:
                path.unlink(missing_ok=True)
