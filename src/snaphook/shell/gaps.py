"""A part of a command that nobody can know before it runs.

call, file  ->  Unknown: which kind of gap, and why
"""

from __future__ import annotations

from enum import Enum

from msgspec import Struct

from snaphook.shell.facts import Span


class Gap(Enum):
    """Why a part of a command is unknown."""

    OPAQUE = "text that is known only at run time"
    UNREAD = "a file of code that was not read"
    PROJECT = "code of the project"
    PACKAGE = "code of a package"
    PROGRAM = "a program the guard does not know"
    LIMIT = "more than the guard follows"


class Unknown(Struct, frozen=True, kw_only=True):
    """One part of a command that is not understood.

    *what* says it in a phrase ("runs ./build, which is no text"), *path* names the file where
    there is one, *program* the call's program.
    """

    gap: Gap
    what: str
    span: Span
    program: str = ""
    path: str = ""
