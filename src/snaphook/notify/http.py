"""One POST, and what its answer means for trying again.

url + body  ->  the answer, or RetryLater (it is busy), GiveUp (it will never take it), OSError (perhaps)
"""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from http.client import HTTPException
from typing import IO, Any

from snaphook.stores.outbox.job import GiveUp, RetryLater

MOST = 1 << 16
"""Bytes of an answer that are read."""
LONGEST = 3600.0
"""Seconds that a server may ask us to wait."""
AGAIN = frozenset({408, 425, 500, 502, 503, 504})


class _NoDetours(urllib.request.HTTPRedirectHandler):
    """A notice goes where it was addressed to, and nowhere else."""

    def redirect_request(self, *args: Any, **more: Any) -> None:
        return None


def post(url: str, body: bytes, headers: Mapping[str, str], *, timeout: float) -> bytes:
    """Return what the server at *url* says to *body*."""
    if not url.startswith(("http://", "https://")):
        raise GiveUp("the address is not one of http:// or https://")
    request = urllib.request.Request(  # noqa: S310 - the scheme is checked above
        url, data=body, headers={"User-Agent": "snaphook", **headers}
    )
    try:
        with urllib.request.build_opener(_NoDetours).open(request, timeout=timeout) as answer:
            said: bytes = answer.read(MOST)
            return said
    except urllib.error.HTTPError as refusal:
        with refusal:
            raise _meaning(refusal) from None
    except urllib.error.URLError as error:
        raise ConnectionError(f"no answer: {error.reason}") from None
    except HTTPException as error:
        raise ConnectionError(f"no sensible answer: {type(error).__name__}") from None


def _meaning(refusal: urllib.error.HTTPError) -> Exception:
    said = _read(refusal)
    words = f"the server answered {refusal.code} {refusal.reason}: {said[:200]!r}"
    wait = _asked_to_wait(refusal, said)
    if refusal.code == 429 or (refusal.code in AGAIN and wait is not None):
        return RetryLater(min(30.0 if wait is None else wait, LONGEST), words)
    return ConnectionError(words) if refusal.code in AGAIN else GiveUp(words)


def _read(answer: IO[bytes]) -> str:
    try:
        return answer.read(MOST).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""


def _asked_to_wait(refusal: urllib.error.HTTPError, said: str) -> float | None:
    """Return the seconds that a header or, as Telegram has it, the document asks for."""
    try:
        given = json.loads(said)["parameters"]["retry_after"]
    except (ValueError, KeyError, TypeError):
        given = refusal.headers.get("Retry-After")
    try:
        return max(0.0, float(given))
    except (TypeError, ValueError):
        return None
