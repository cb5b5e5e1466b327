"""What a failure means: one table of classes, told from status, words and Retry-After.

status + words  ->  ErrorClass  ->  one of the six types, whether waiting helps, what a person can do

Pure. The agent, its vendors and the recovery all read this table, so a failure is the same thing
everywhere. Vendors fold several failures into one status; their words tell them apart.
"""

import re
from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from .events import ErrorOccurred, ErrorType


class ErrorClass(StrEnum):
    """Finer than the six types: what a recovery needs to know."""

    RATE_LIMIT = "rate_limit"
    QUOTA = "quota_or_budget"
    OVERLOADED = "overloaded"
    NETWORK = "network"
    TIMEOUT = "timeout"
    SERVER = "server"
    MALFORMED = "malformed"
    CONTEXT_OVERFLOW = "context_overflow"
    AUTH = "auth"
    INVALID_REQUEST = "invalid_request"
    CONTENT_FILTER = "content_filter"
    MODEL_NOT_FOUND = "model_not_found"
    TOOL = "tool"
    PERMISSION = "permission"
    REFUSED = "refused"
    """Somebody who may say no to a request or its answer has; asking again is no way around it."""
    CANCELLED = "cancelled"
    UNKNOWN = "unknown"


class FailureClass(Struct, frozen=True, kw_only=True):
    """One row: what it maps to, whether waiting helps, and what a person can do."""

    error_type: ErrorType
    passes: bool = False
    """Likely gone in a moment, so worth trying again."""
    fix: str


_C, _T = ErrorClass, ErrorType
CLASSES: Mapping[str, FailureClass] = {
    _C.RATE_LIMIT: FailureClass(
        error_type=_T.NETWORK, passes=True, fix="Wait, or request a higher limit."
    ),
    _C.QUOTA: FailureClass(error_type=_T.MODEL, fix="Raise the budget at the model's vendor."),
    _C.OVERLOADED: FailureClass(
        error_type=_T.MODEL, passes=True, fix="Wait, or choose another model."
    ),
    _C.NETWORK: FailureClass(
        error_type=_T.NETWORK, passes=True, fix="Check the connection, then try again."
    ),
    _C.TIMEOUT: FailureClass(
        error_type=_T.NETWORK, passes=True, fix="Check the connection, then try again."
    ),
    _C.SERVER: FailureClass(error_type=_T.MODEL, passes=True, fix="Wait, then try again."),
    _C.MALFORMED: FailureClass(
        error_type=_T.MODEL, passes=True, fix="Try again; if it persists, report it to the vendor."
    ),
    _C.CONTEXT_OVERFLOW: FailureClass(
        error_type=_T.CONTEXT_OVERFLOW, fix="Compact the conversation: /compact."
    ),
    _C.AUTH: FailureClass(error_type=_T.PERMISSION, fix="Check the API key."),
    _C.INVALID_REQUEST: FailureClass(
        error_type=_T.MODEL, fix="Read the vendor's message; the request must change."
    ),
    _C.CONTENT_FILTER: FailureClass(error_type=_T.MODEL, fix="Rephrase the prompt."),
    _C.MODEL_NOT_FOUND: FailureClass(error_type=_T.MODEL, fix="Choose another model with --model."),
    _C.TOOL: FailureClass(error_type=_T.TOOL, fix="Read the tool's message, and fix the call."),
    _C.PERMISSION: FailureClass(
        error_type=_T.PERMISSION, fix="Grant the permission to the user that runs the agent."
    ),
    _C.REFUSED: FailureClass(
        error_type=_T.PERMISSION, fix="Read the reason, and change the request."
    ),
    _C.CANCELLED: FailureClass(
        error_type=_T.UNKNOWN, fix="Send it again if you did not mean to cancel."
    ),
    _C.UNKNOWN: FailureClass(error_type=_T.UNKNOWN, fix="Send again."),
}

_BY_STATUS: Mapping[int, ErrorClass] = {
    400: _C.INVALID_REQUEST,
    401: _C.AUTH,
    402: _C.QUOTA,
    403: _C.AUTH,
    404: _C.MODEL_NOT_FOUND,
    408: _C.TIMEOUT,
    413: _C.CONTEXT_OVERFLOW,
    422: _C.INVALID_REQUEST,
    429: _C.RATE_LIMIT,
    499: _C.CANCELLED,
    503: _C.OVERLOADED,
    504: _C.TIMEOUT,
    529: _C.OVERLOADED,
}

_BY_TYPE: Mapping[ErrorType, ErrorClass] = {
    _T.MODEL: _C.SERVER,
    _T.TOOL: _C.TOOL,
    _T.NETWORK: _C.NETWORK,
    _T.PERMISSION: _C.PERMISSION,
    _T.CONTEXT_OVERFLOW: _C.CONTEXT_OVERFLOW,
    _T.UNKNOWN: _C.UNKNOWN,
}

# The first row that fits wins, so what is sure comes before what is vague. Compared in lower case.
_SURE: tuple[tuple[ErrorClass, str], ...] = (
    (
        _C.CONTEXT_OVERFLOW,
        (
            r"context_?length_?exceeded|context_?window_?exceeded|maximum context length|prompt is too long"
            r"|exceeds? (?:the )?(?:available )?context (?:limit|size|window|length)"
            r"|(?:input|prompt) (?:is too long|token count|length and `?max_tokens`? exceed)"
            r"|too many tokens: size limit|reduce the length of the (?:messages|prompt)"
            r"|request_too_large"
        ),
    ),
    (_C.RATE_LIMIT, r"per[ _-]?minute|per[ _-]?second|\b[rt]pm\b|requests? rate|token rate limit"),
    (
        _C.QUOTA,
        (
            r"insufficient[_ ](?:quota|balance|credit|fund)|credit balance is too low|billing_"
            r"|exceeded your (?:current quota|premium request|monthly)|quota_exceeded|usage limit"
            r"|(?:hour|daily|weekly|monthly|spending|budget) limit|per[ _-]?day|servicequotaexceeded"
            r"|budget (?:has been |was )?exceeded|out of credits"
        ),
    ),
    (_C.MALFORMED, r"failed to decode response|invalid json in (?:the )?(?:response|stream)"),
    (
        _C.OVERLOADED,
        (
            r"overloaded|capacity exceeded|at capacity|no instances available|serviceunavailable"
            r"|model is (?:currently )?loading|modelnotready"
        ),
    ),
    (
        _C.RATE_LIMIT,
        r"rate[_ ]?limit|too ?many ?requests|throttl|resource_exhausted|too many tokens",
    ),
    (
        _C.CONTENT_FILTER,
        (
            r"content[_ ]filter|content management policy|content_policy|usage policies|prohibited_content"
            r"|blocked due to safety|responsibleaipolicy|guardrail_intervened"
        ),
    ),
    (
        _C.MODEL_NOT_FOUND,
        (
            r"model_not_found|deploymentnotfound|not_found_error"
            r"|models?[ /`'\"][^ ]* ?(?:is not found|not found|does not exist)|unknown model|no such model"
        ),
    ),
    (
        _C.AUTH,
        (
            r"authentication|invalid[_ ](?:x-)?api[_ -]key|incorrect api key|api key not valid"
            r"|unauthorized|unauthenticated|expiredtoken|unrecognizedclient|accessdenied"
            r"|permission_error|permission_denied|oauth token (?:has )?expired|not logged in"
        ),
    ),
)
# Every vendor's envelope says 'server_error' or 'invalid_request' now and then: a status is better.
_VAGUE: tuple[tuple[ErrorClass, str], ...] = (
    (_C.CANCELLED, r"cancell?ed|\baborted|aborterror|keyboardinterrupt|interrupted by user"),
    (_C.TIMEOUT, r"timed?[ _-]?out|timeout|deadline_exceeded|deadline exceeded"),
    (
        _C.NETWORK,
        (
            r"connection (?:error|refused|reset|aborted|closed)|connect(?:ion)?error|econn\w+|enotfound"
            r"|eai_again|socket hang up|fetch failed|getaddrinfo|name or service not known|network"
            r"|certificate_verify|remoteprotocol|unreachable|broken pipe"
        ),
    ),
    (_C.PERMISSION, r"permission denied|permissionerror|eacces|operation not permitted"),
    (
        _C.SERVER,
        r"api_error|internal[_ ]server|internal error|server had an error|server_error|bad gateway",
    ),
    (_C.INVALID_REQUEST, r"invalid_request|invalid_argument|validationexception|bad request"),
)
_STATUS = re.compile(r"(?:^|error|status|code|http(?:/\d\.\d)?)\W{0,4}([45]\d\d)\b", re.IGNORECASE)


def classify(status: int, words: str) -> ErrorClass:
    """Return the class of a failure that came with *status*, 0 where only its words are known.

    Sure words beat the number, and the number beats vague words.
    """
    said = words.lower()
    if (sure := _told(said, _SURE)) is not None:
        return sure
    if not status and (named := _STATUS.search(words)):
        status = int(named[1])
    by_status = _BY_STATUS.get(status, _C.SERVER if status >= 500 else None)
    return by_status or _told(said, _VAGUE) or _C.UNKNOWN


def _told(said: str, table: tuple[tuple[ErrorClass, str], ...]) -> ErrorClass | None:
    return next((name for name, pattern in table if re.search(pattern, said)), None)


def class_of(event: ErrorOccurred) -> ErrorClass:
    """Return the class of what *event* tells, whichever host tells it.

    A tool's words are its own business: a ``curl`` that met a 429 is no failure of the model.
    """
    if event.error_class is not None and event.error_class in CLASSES:
        return ErrorClass(event.error_class)
    if event.error_type is ErrorType.TOOL:
        return ErrorClass.TOOL
    told = classify(0, f"{event.error_class or ''} {event.error}")
    return _BY_TYPE[event.error_type] if told is ErrorClass.UNKNOWN else told
