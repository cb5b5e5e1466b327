"""What is wrong with a settings file: where, what, and what to do next.

mistake  ->  Problem  ->  'file:line: pointer: what. fix'
"""

from collections.abc import Iterable
from enum import StrEnum

from msgspec import Struct

from snaphook.errors import ConfigError

Pointer = tuple[str | int, ...]


class ProblemLevel(StrEnum):
    """How sure we are that it is not what was meant."""

    ERROR = "error"
    """It does not do what it says: it is ignored, never happens, or takes the file down."""
    WARNING = "warning"
    """It works, and is probably not what was meant."""


class Problem(Struct, frozen=True, kw_only=True):
    """One mistake in one file."""

    code: str
    level: ProblemLevel
    file: str
    pointer: Pointer
    what: str
    fix: str
    line: int = 0
    column: int = 0
    tolerable: bool = False
    """An error that is left out on loading, as its host does; the rest of the file counts."""

    def __str__(self) -> str:
        """Return the three beats, with the place as editors take it."""
        where = f"{self.file}:{self.line}" if self.line else self.file
        inside = f" {spelled(self.pointer)}:" if self.pointer else ""
        return f"{where}:{inside} {self.what}. {self.fix}"


def spelled(pointer: Pointer) -> str:
    """Return *pointer* as people write it: ``hooks.PreToolUse[0].command``."""
    words = ""
    for part in pointer:
        if isinstance(part, int):
            words += f"[{part}]"
        else:
            words += f".{part}" if words else part
    return words


class Notes:
    """The problems of one file, in the order in which they were noticed."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []

    def error(
        self, code: str, pointer: Pointer, what: str, fix: str, *, tolerable: bool = False
    ) -> None:
        """Note something that cannot work."""
        self._note(ProblemLevel.ERROR, code, pointer, what, fix, tolerable)

    def warning(self, code: str, pointer: Pointer, what: str, fix: str) -> None:
        """Note something that is probably not meant."""
        self._note(ProblemLevel.WARNING, code, pointer, what, fix, True)

    def _note(
        self, level: ProblemLevel, code: str, pointer: Pointer, what: str, fix: str, tolerable: bool
    ) -> None:
        self.problems.append(
            Problem(
                code=code,
                level=level,
                file=self.file,
                pointer=pointer,
                what=what,
                fix=fix,
                tolerable=tolerable,
            )
        )


class SettingsError(ConfigError):
    """One or more problems that keep the settings from loading, told together."""

    problems: tuple[Problem, ...] = ()

    @classmethod
    def of(cls, problems: Iterable[Problem]) -> "SettingsError":
        """Return the error that tells all of *problems*, the first one first."""
        first, *rest = problems
        more = "".join(f"\n{problem}" for problem in rest)
        where, _, _ = str(first).partition(f" {first.what}.")
        error = cls(where=where.rstrip(":"), what=first.what, fix=first.fix + more)
        error.problems = (first, *rest)
        return error
