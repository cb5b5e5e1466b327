"""Secrets and personal data out of any text, before it is kept or sent.

value  ->  the same value, with placeholders

``Scrubber().scrub(value)`` is all most callers need.
"""

from .files import SecretMatch, scan_file_for_secrets
from .finding import Finding
from .placeholder import kept_salt, load_salt
from .reference import reference
from .rule import SecretRule
from .rules import RULES
from .scrubber import SECRET_REACH, TOO_DEEP, Scrubber

__all__ = [
    "RULES",
    "SECRET_REACH",
    "TOO_DEEP",
    "Finding",
    "Scrubber",
    "SecretMatch",
    "SecretRule",
    "kept_salt",
    "load_salt",
    "reference",
    "scan_file_for_secrets",
]
