"""How much a test does: as much as was promised where everything is asked for, less at a desk."""

import os

EVERYTHING = os.environ.get("SNAPHOOK_REQUIRE") == "all"


def thorough(promised: int, at_a_desk: int) -> int:
    """Return *promised* under ``SNAPHOOK_REQUIRE=all``, *at_a_desk* elsewhere."""
    return promised if EVERYTHING else at_a_desk
