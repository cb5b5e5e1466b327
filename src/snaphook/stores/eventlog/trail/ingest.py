"""The record, sent to an address of the organisation's own.

records  ->  POST batches  ->  2xx, or again later

The segments are the spool: what was not accepted waits on disk, however long the endpoint is away,
and a kill in between costs at most a batch sent twice. Records carry ids, so twice is once.
"""

import os
import ssl
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from snaphook.errors import StoreError
from snaphook.storage.files import replace as replace_file
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.ship import ShipCursor

from .settings import AuditSettings

CURSORS = ".ingest.json"
PATIENCE = 10.0


class Ingest:
    """A store that is an address."""

    def __init__(
        self,
        settings: AuditSettings,
        folder: Path,
        *,
        machine: str,
        tenant: str = "",
        env: Mapping[str, str] | None = None,
    ) -> None:
        self._settings = settings
        self._file = folder / CURSORS
        self._about = {"machine": machine, "tenant": tenant}
        self._env = os.environ if env is None else env

    def cursor(self, stream: str) -> ShipCursor:
        """Return how far *stream* was accepted."""
        return ShipCursor(*self._cursors().get(stream, ("", 0)))

    def keep(self, stream: str, records: Sequence[Record], cursor: ShipCursor) -> None:
        """Send *records*; the cursor moves once the last of them was accepted."""
        size = self._settings.batch
        for start in range(0, len(records), size):
            self._post(stream, records[start : start + size])
        cursors = {**self._cursors(), stream: tuple(cursor)}
        replace_file(self._file, msgspec.json.encode(cursors))

    def close(self) -> None:
        """Nothing is kept open."""

    def _cursors(self) -> dict[str, tuple[str, int]]:
        try:
            return msgspec.json.decode(self._file.read_bytes(), type=dict[str, tuple[str, int]])
        except (FileNotFoundError, msgspec.DecodeError):
            return {}  # everything is sent again, which is sent once

    def _post(self, stream: str, records: Sequence[Record]) -> None:
        body = msgspec.json.encode({**self._about, "stream": stream, "records": records})
        headers = {
            "Content-Type": "application/json",
            "Idempotency-Key": f"{records[0].id}-{records[-1].id}-{len(records)}",
            "User-Agent": "snaphook-audit",
        }
        if token := self._token():
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(  # noqa: S310 - 'find_errors' lets no other scheme in
            self._settings.endpoint, data=body, headers=headers, method="POST"
        )
        try:
            with _opener(self._settings.ca_file).open(request, timeout=PATIENCE) as answer:
                answer.read(1024)
        except urllib.error.HTTPError as error:
            raise self._refused(f"answered {error.code} {error.reason}") from error
        except (OSError, ValueError) as error:
            raise self._refused(f"cannot be reached: {error}") from error

    def _token(self) -> str:
        if not self._settings.token_file:
            return self._env.get(self._settings.token_env, "")
        try:
            return Path(self._settings.token_file).expanduser().read_text().strip()
        except OSError as error:
            raise self._refused(
                f"has no token: {self._settings.token_file}: {error.strerror}"
            ) from error

    def _refused(self, what: str) -> StoreError:
        return StoreError(
            where=self._settings.endpoint,
            what=what,
            fix="Nothing is lost: records stay on this machine's disk and are sent again.",
        )


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A token goes where the settings say, and nowhere else."""

    def redirect_request(self, *_: object) -> None:
        """Follow nobody."""
        return


def _opener(ca_file: str) -> urllib.request.OpenerDirector:
    context = ssl.create_default_context(
        cafile=str(Path(ca_file).expanduser()) if ca_file else None
    )
    return urllib.request.build_opener(
        urllib.request.HTTPSHandler(context=context), _NoRedirect(), urllib.request.ProxyHandler({})
    )
