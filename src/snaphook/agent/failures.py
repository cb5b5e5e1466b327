"""What a failed model call means: one table from status and words to a class of error.

status + message  ->  ModelError

Pure. The classes are finer than the six types of the requirements, and each maps to one of them.
"""

from collections.abc import Mapping

from msgspec import Struct

from snaphook.canon import ErrorType

from .model import ModelError


class FailureClass(Struct, frozen=True, kw_only=True):
    """One row: what it maps to, whether waiting helps, and what a person can do."""

    error_type: ErrorType
    passes: bool = False
    """Likely gone in a moment, so worth trying again."""
    fix: str


CLASSES: Mapping[str, FailureClass] = {
    "rate_limit": FailureClass(
        error_type=ErrorType.NETWORK, passes=True, fix="Wait a little, or ask for a higher limit."
    ),
    "quota_or_budget": FailureClass(
        error_type=ErrorType.MODEL, fix="Raise the budget at the model's vendor."
    ),
    "overloaded": FailureClass(
        error_type=ErrorType.MODEL, passes=True, fix="Wait a little, or choose another model."
    ),
    "network": FailureClass(
        error_type=ErrorType.NETWORK, passes=True, fix="Check the connection, then send again."
    ),
    "timeout": FailureClass(
        error_type=ErrorType.NETWORK, passes=True, fix="Check the connection, then send again."
    ),
    "server": FailureClass(
        error_type=ErrorType.MODEL, passes=True, fix="Wait a little, then send again."
    ),
    "malformed": FailureClass(
        error_type=ErrorType.MODEL, passes=True, fix="Send again; if it stays, report it upstream."
    ),
    "context_overflow": FailureClass(
        error_type=ErrorType.CONTEXT_OVERFLOW, fix="Shorten the conversation: /compact."
    ),
    "auth": FailureClass(error_type=ErrorType.PERMISSION, fix="Check the API key."),
    "invalid_request": FailureClass(
        error_type=ErrorType.MODEL, fix="Read the vendor's words; the request must change."
    ),
    "content_filter": FailureClass(error_type=ErrorType.MODEL, fix="Say it in other words."),
    "model_not_found": FailureClass(
        error_type=ErrorType.MODEL, fix="Choose another model with --model."
    ),
    "unknown": FailureClass(error_type=ErrorType.UNKNOWN, fix="Send again."),
}

_BY_STATUS: Mapping[int, str] = {
    400: "invalid_request",
    401: "auth",
    402: "quota_or_budget",
    403: "auth",
    404: "model_not_found",
    408: "timeout",
    413: "context_overflow",
    422: "invalid_request",
    429: "rate_limit",
    503: "overloaded",
    504: "timeout",
    529: "overloaded",
}

# Vendors fold several failures into one status; their words tell them apart.
_BY_WORDS: tuple[tuple[str, str], ...] = (
    ("context_length_exceeded", "context_overflow"),
    ("maximum context length", "context_overflow"),
    ("prompt is too long", "context_overflow"),
    ("insufficient_quota", "quota_or_budget"),
    ("credit balance is too low", "quota_or_budget"),
    ("failed to decode response", "malformed"),
    ("overloaded_error", "overloaded"),
    ("rate_limit_error", "rate_limit"),
    ("content_filter", "content_filter"),
    ("content management policy", "content_filter"),
)


def classify(status: int, message: str) -> str:
    """Return the class of a failure that came with *status*; its words beat its number."""
    said = message.lower()
    for words, name in _BY_WORDS:
        if words in said:
            return name
    return _BY_STATUS.get(status, "server" if status >= 500 else "unknown")


def failure(
    where: str, name: str, what: str, *, retry_after_ms: int | None = None, fix: str = ""
) -> ModelError:
    """Return the error of class *name*."""
    row = CLASSES[name]
    return ModelError(
        where=where,
        what=what.rstrip(". \n"),
        fix=fix or row.fix,
        error_class=name,
        error_type=row.error_type,
        retry_after_ms=retry_after_ms,
    )
