"""How much a test does: as much as was promised where everything is asked for, less at a desk."""

import os

import pytest

EVERYTHING = os.environ.get("SNAPHOOK_REQUIRE") == "all"

only_thoroughly = pytest.mark.skipif(
    not EVERYTHING, reason="takes a while; it runs where everything was promised"
)
"""For a test whose siblings prove the core of it at a desk."""


def thorough(promised: int, at_a_desk: int) -> int:
    """Return *promised* under ``SNAPHOOK_REQUIRE=all``, *at_a_desk* elsewhere."""
    return promised if EVERYTHING else at_a_desk
