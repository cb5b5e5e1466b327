"""What to do after a model failed: ask again, how, and after which wait.

ModelError + what hooks say  ->  Recovery | None

Pure. A hook's word counts; where hooks are silent, what passes by itself is asked again twice. Both
are bounded: no hook can keep an agent asking for ever, and none can ask past a refusal.
"""

from msgspec import Struct

from snaphook.canon import ErrorRecoveryOutput

from .failures import CLASSES, ErrorClass
from .model import ModelError

SILENT_ATTEMPTS = 3
FIRST_WAIT_MS = 500


class Recovery(Struct, frozen=True, kw_only=True):
    """How to try again."""

    wait_ms: int = 0
    model: str | None = None
    prompt: str | None = None
    compact: bool = False


def recover(
    error: ModelError,
    said: ErrorRecoveryOutput | None,
    *,
    attempt: int,
    attempts: int,
    max_backoff_ms: int,
) -> Recovery | None:
    """Return how to try again after *attempt* attempts, or ``None`` to give up."""
    if error.error_class == ErrorClass.REFUSED:
        return None
    if attempt >= attempts or (said is not None and said.retry is False):
        return None
    overflows = error.error_class == "context_overflow"
    if said is None or said.retry is None:
        passes = CLASSES[error.error_class].passes and attempt < SILENT_ATTEMPTS
        if not passes and not (overflows and attempt == 1):
            return None
        wait = 0 if overflows else _wait(error, attempt)
        return Recovery(wait_ms=min(wait, max_backoff_ms), compact=overflows)
    wait = _wait(error, attempt) if said.backoff_ms is None else said.backoff_ms
    if said.fallback_model and said.backoff_ms is None:
        wait = 0
    return Recovery(
        wait_ms=max(0, min(wait, max_backoff_ms)),
        model=said.fallback_model,
        prompt=said.modified_prompt,
        compact=overflows,
    )


def _wait(error: ModelError, attempt: int) -> int:
    if error.retry_after_ms is not None:
        return error.retry_after_ms
    return int(FIRST_WAIT_MS * 2 ** (attempt - 1))
