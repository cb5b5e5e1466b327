"""The named places where a change may be cut short; tests cut there, nobody else does.

name  ->  nothing, unless somebody listens
"""

from collections.abc import Callable

listener: Callable[[str], None] | None = None
"""Called with the name of each place as it is passed."""


def point(name: str) -> None:
    """Pass the place *name*."""
    if listener is not None:
        listener(name)
