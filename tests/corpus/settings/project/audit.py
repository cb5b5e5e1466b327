"""A provider of the project itself."""

from snaphook import HooksProvider


class Audit(HooksProvider):
    """Has no opinion."""
