"""What helps against which failure, and how long to wait for it.

ErrorClass  ->  Remedy        attempt + Retry-After + chance  ->  milliseconds

Pure. The classes are those of ``canon.failures``; a new one is given a remedy before the tests pass.
"""

from collections.abc import Mapping
from enum import StrEnum

from snaphook.canon.failures import CLASSES, ErrorClass

from .settings import ResilienceSettings


class Remedy(StrEnum):
    """What to do after a failure."""

    WAIT = "wait"
    """Ask the same model again, later; after some attempts, another one."""
    SWITCH = "switch"
    """Ask another model at once; where there is none, wait if the failure passes."""
    COMPACT = "compact"
    """Shorten the conversation, then ask again, once."""
    REWORD = "reword"
    """Ask in other words, once, where the settings have them."""
    STOP = "stop"
    """Asking again would not help, and may cost."""
    LEAVE = "leave"
    """No opinion: whoever called knows better."""


REMEDIES: Mapping[ErrorClass, Remedy] = {
    ErrorClass.RATE_LIMIT: Remedy.WAIT,
    ErrorClass.QUOTA: Remedy.STOP,
    ErrorClass.OVERLOADED: Remedy.SWITCH,
    ErrorClass.NETWORK: Remedy.WAIT,
    ErrorClass.TIMEOUT: Remedy.WAIT,
    ErrorClass.SERVER: Remedy.WAIT,
    ErrorClass.MALFORMED: Remedy.WAIT,
    ErrorClass.CONTEXT_OVERFLOW: Remedy.COMPACT,
    ErrorClass.AUTH: Remedy.STOP,
    ErrorClass.INVALID_REQUEST: Remedy.STOP,
    ErrorClass.CONTENT_FILTER: Remedy.REWORD,
    ErrorClass.MODEL_NOT_FOUND: Remedy.SWITCH,
    ErrorClass.TOOL: Remedy.LEAVE,
    ErrorClass.PERMISSION: Remedy.LEAVE,
    ErrorClass.REFUSED: Remedy.STOP,
    ErrorClass.CANCELLED: Remedy.STOP,
    ErrorClass.UNKNOWN: Remedy.WAIT,
}

ALARMING = frozenset([ErrorClass.AUTH, ErrorClass.QUOTA])
"""What stops every session until a person acts."""


def counts(name: ErrorClass) -> bool:
    """Say whether a failure of that class speaks against the model, and not against the request."""
    return CLASSES[name].passes or name is ErrorClass.UNKNOWN


def wait_ms(
    attempt: int, retry_after_ms: int | None, settings: ResilienceSettings, chance: float
) -> int | None:
    """Return how long to wait after *attempt*; ``None`` if the vendor asks for too long a wait.

    *chance*, from 0 to 1, keeps many sessions from coming back in the same moment: between half a
    wait and a whole one, or up to a tenth more than the vendor asked for, never less.
    """
    most = settings.max_wait * 1000
    if retry_after_ms is not None:
        return None if retry_after_ms > most else round(retry_after_ms * (1 + chance / 10))
    whole = min(settings.first_wait * 1000 * (1 << min(attempt - 1, 30)), most)
    return round(whole * (1 + chance) / 2)
