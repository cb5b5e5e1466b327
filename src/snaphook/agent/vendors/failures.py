"""What a failure of the model layer comes down to.

exception of pydantic-ai, an SDK or the transport  ->  ModelError
"""

from time import time

from pydantic_ai import exceptions as pe

from snaphook.agent.failures import classify, failure
from snaphook.agent.model import ModelError
from snaphook.canon.retry_after import retry_after_ms


def blamed(model: str, error: Exception) -> ModelError:
    """Return *error* as ours, with what a recovery needs to know."""
    by_kind: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
        (pe.ModelRateLimitError, "rate_limit"),
        (pe.ModelQuotaExceededError, "quota_or_budget"),
        (pe.ModelOverloadedError, "overloaded"),
        (pe.ModelContextWindowExceededError, "context_overflow"),
        (pe.ModelAuthenticationError, "auth"),
        (pe.ModelNotFoundError, "model_not_found"),
        ((pe.ModelTimeoutError, TimeoutError), "timeout"),
        ((pe.ModelConnectionError, ConnectionError), "network"),
        (pe.ContentFilterError, "content_filter"),
        (ValueError, "malformed"),
    )
    if isinstance(error, pe.ModelHTTPError):
        what = f"answered {error.status_code}: {_words(error.body) or error}"
        name: str = classify(error.status_code, str(error))
        wait = retry_after_ms(error.headers or {}, str(error), now=time())
        return failure(model, name, what, retry_after_ms=wait)
    name = next((name for kind, name in by_kind if isinstance(error, kind)), _by_origin(error))
    return failure(model, name, str(error).strip() or type(error).__name__)


def _by_origin(error: Exception) -> str:
    """Tell a transport's own errors by where they are defined: the SDKs change theirs at will."""
    if type(error).__module__.startswith(("httpx", "httpcore")):
        return "network"
    return classify(0, str(error))


def _words(body: object) -> str:
    """Return the vendor's own sentence in the *body* of an error."""
    match body:
        case {"error": {"message": str(message)}} | {"message": str(message)}:
            return message
        case _:
            return ""
