"""Loggers, patterns and names of packages that are made when they are first used.

name, text  ->  a stand-in  ->  Logger, Pattern

Importing ``logging`` and compiling a pattern take longer than many a decision, and a call without
a daemon would pay for all of them, though it uses few.
"""

from collections.abc import Callable, Mapping
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


def exports(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return the ``__getattr__`` of *package*: each name is imported from its module when it is asked for.

    For packages whose settings are read on every call and whose other parts are not.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        return getattr(import_module(f"{package}.{modules[name]}"), name)

    return load
