"""What a command would do: the facts that every rule reads.

command text  ->  Calls (who runs, with which words)  ->  Effects (what happens to what)

Pure values. A rule never looks at the text of a command, only at these.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import NamedTuple

from msgspec import Struct

from snaphook.shell.options import Options
from snaphook.shell.text import UNKNOWN, has_glob, plain, show


class Span(NamedTuple):
    """A place in the command as it was typed: from *start* up to, not including, *end*."""

    start: int
    end: int


class TextOrigin:
    """Where the text of a word came from: bits, since one word may have several sources.

    Plain numbers: they are joined for every word of every command.
    """

    LITERAL = 0
    VARIABLE = 1
    SUBSTITUTION = 2
    GLOB = 4
    UNKNOWN = 8


def origins(bits: int) -> list[str]:
    """Return the names of the sources that *bits* stand for."""
    names = ("variable", "substitution", "glob", "unknown")
    return [name for at, name in enumerate(names) if bits >> at & 1] or ["literal"]


class Arg(Struct, frozen=True, kw_only=True):
    """One word as the program receives it.

    *value* keeps the marks of `guard.text`: a run that only the machine can know, a glob that
    is still active. *text* is the same without the marks on globs, for comparing.
    """

    value: str
    span: Span
    origin: int = TextOrigin.LITERAL

    @property
    def text(self) -> str:
        """The word as plain text; what is unknown stays marked and equals nothing."""
        return plain(self.value)

    @property
    def known(self) -> bool:
        """Whether every character is known before the run."""
        return UNKNOWN not in self.value and not has_glob(self.value)

    def __str__(self) -> str:
        return show(self.value)


class Call(Struct, frozen=True, kw_only=True):
    """One program that would run, however it was spelled or wrapped.

    *program* is the bare name (`/usr/bin/rm`, `"rm"` and `r''m` are all `rm`); it is empty when
    only the run can tell. *args* follow the program. *via* lists what it runs through, outermost
    first. *remote* names the machine or container it runs in, if not here. *subcommand* is the
    first operand. *upstream* are the calls whose output it reads, *stdin* that text as far as it
    is known. *chained*: it follows another command by `&&`. Not *sure*: it may not run at all
    (words after a program we do not know), so only what must never happen counts. *stored*: it stands
    in a script on disk. *captured*: what it prints goes into a word of the command.
    """

    program: str
    args: tuple[Arg, ...]
    options: Options
    span: Span
    name: Arg
    cwd: str
    env: Mapping[str, str] = {}
    via: tuple[str, ...] = ()
    root: bool = False
    remote: str = ""
    subcommand: str = ""
    stdin: str | None = None
    upstream: tuple[Call, ...] = ()
    depth: int = 0
    chained: bool = False
    sure: bool = True
    stored: bool = False
    captured: bool = False

    def runs(self, program: str, *subcommands: str) -> bool:
        """Say whether this is *program* with *subcommands* as its first operands."""
        return self.program == program and self.options.starts(subcommands)

    def has(self, *names: str) -> bool:
        """Say whether any of the options *names* is given, in any spelling the program takes."""
        return self.options.has(*names)

    def get(self, *names: str) -> Arg | None:
        """Return the value given last to any of the options *names*."""
        return self.options.get(*names)

    @property
    def operands(self) -> tuple[Arg, ...]:
        """The words that are neither options nor values of options."""
        return self.options.operands

    def __str__(self) -> str:
        return " ".join([str(self.name), *map(str, self.args)])


class Act(Enum):
    """What happens to something."""

    DELETE = "deletes"
    OVERWRITE = "overwrites"
    APPEND = "appends to"
    WRITE = "writes"
    MOVE = "moves away"
    READ = "reads"
    PERMIT = "changes the permissions of"
    OWN = "changes the owner of"
    LINK = "replaces by a link"
    FETCH = "downloads"
    SEND = "sends"
    ENTER = "changes directory to"
    DROP = "drops"
    EMPTY = "empties"
    REWRITE = "changes every row of"
    GRANT = "changes rights in"
    CODE = "runs code"
    FORK = "starts itself without end"
    OPAQUE = "does what cannot be known"


class Effect(Struct, frozen=True, kw_only=True):
    """One thing that a call does to one target.

    *path* is absolute and normalised where that can be known; it may hold the marks of
    `guard.text`; of what a database keeps it is the name there. For FETCH and SEND *detail* is
    the address; for CODE it is the text and
    *language* its language; for OPAQUE it says what was not understood.
    """

    act: Act
    call: Call
    span: Span
    path: str = ""
    recursive: bool = False
    forced: bool = False
    language: str = ""
    detail: str = ""


class Runs(Struct, frozen=True, kw_only=True):
    """A program's word that it runs another program: the words of that command."""

    args: tuple[Arg, ...]
    via: str = ""
    cwd: str | None = None
    env: Mapping[str, str] = {}
    root: bool = False
    remote: str = ""
    sure: bool = True


class Shell(Struct, frozen=True, kw_only=True):
    """A program's word that it runs shell text."""

    text: str
    span: Span
    args: tuple[Arg, ...] = ()
    via: str = ""
    cwd: str | None = None
    root: bool = False
    remote: str = ""
    dialect: str = "sh"


class Code(Struct, frozen=True, kw_only=True):
    """A program's word that it runs text of another language; *home* is what `~` means to it."""

    language: str
    text: str
    span: Span
    args: tuple[Arg, ...] = ()
    home: str = ""


class File(Struct, frozen=True, kw_only=True):
    """A program's word that it runs the file at *path* as *language* ('sh', 'python', …)."""

    path: str
    language: str
    span: Span
    args: tuple[Arg, ...] = ()


class GitAlias(Struct, frozen=True, kw_only=True):
    """git's word that *name* is no command of its own: an alias, if its settings hold one.

    *rest* is the shell text of the words that follow.
    """

    name: str
    rest: str
    cwd: str
    span: Span


Action = Effect | Runs | Shell | Code | File | GitAlias
"""What a program says it does; the evaluator follows all but effects further."""
