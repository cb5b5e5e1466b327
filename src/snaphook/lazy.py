"""Loggers and patterns that are made when they are first used.

name, text  ->  a stand-in  ->  Logger, Pattern

Importing ``logging`` and compiling a pattern take longer than many a decision, and a call without
a daemon would pay for all of them, though it uses few.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from logging import Logger
    from re import Pattern


class Lazy:
    """Stands for what *make* returns; each attribute is looked up once and kept."""

    def __init__(self, make: Callable[[], Any]) -> None:
        self._make = make

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        found = getattr(self._make(), name)
        setattr(self, name, found)
        return found


def logger(name: str) -> "Logger":
    """Return the logger *name*; silent unless the program sets up logging, as a library's is."""

    def make() -> "Logger":
        import logging

        logging.getLogger("snaphook").addHandler(logging.NullHandler())  # stderr is a host's answer
        return logging.getLogger(name)

    return cast("Logger", Lazy(make))


def regex(text: str, flags: int = 0) -> "Pattern[str]":
    """Return the pattern that *text* spells; ``re`` keeps what it compiled."""
    import re

    return cast("Pattern[str]", Lazy(lambda: re.compile(text, flags)))
