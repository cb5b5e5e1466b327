"""A failed model call, as the error the agent raises.

class + words  ->  ModelError
"""

from snaphook.canon.failures import CLASSES, ErrorClass, classify

from .model import ModelError

__all__ = ["CLASSES", "ErrorClass", "classify", "failure"]


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
