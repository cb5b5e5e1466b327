"""Wait for something that will come, with a bound."""

import time
from collections.abc import Callable
from typing import TypeVar

Found = TypeVar("Found")


def until(look: Callable[[], Found], within: float = 30.0) -> Found:
    """Return what *look* finds, once it finds something."""
    end = time.monotonic() + within
    while not (found := look()):
        assert time.monotonic() < end, f"nothing came in {within:g} s"
        time.sleep(0.01)
    return found
