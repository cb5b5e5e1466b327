"""The shapes a shell script is made of.

Script  ->  Items  ->  Commands  ->  Words  ->  Parts

Every node knows where it stands in the text it was read from.
"""

from __future__ import annotations

from msgspec import Struct


class Node(Struct, frozen=True, kw_only=True, gc=False):
    """Something in the text, from *start* up to *end*."""

    start: int
    end: int


class Text(Struct, frozen=True, gc=False):
    """Characters that stand for themselves; unquoted ones may still be globs, braces, a tilde."""

    value: str
    quoted: bool


class Param(Struct, frozen=True):
    """`$name`, `${name}`, `${name[index]}`, `${name:-word}` and the like.

    *operator* is what follows the name (`:-`, `##`, `/`, `@`, …), *word* what follows that.
    *prefix* is `#` for a length, `!` for indirection; *inside* are the parts of an index that runs
    commands.
    """

    name: str
    quoted: bool
    operator: str = ""
    word: tuple[Part, ...] = ()
    index: str = ""
    prefix: str = ""
    inside: tuple[Part, ...] = ()


class Substitution(Struct, frozen=True):
    """`$(…)` or backticks."""

    script: Script
    quoted: bool


class ProcessSubstitution(Struct, frozen=True):
    """`<(…)` or `>(…)`."""

    script: Script
    writes: bool


class Arithmetic(Struct, frozen=True):
    """`$((…))`: its value is a number, but its parts may run commands."""

    parts: tuple[Part, ...]


class Array(Struct, frozen=True):
    """`(a b c)` on the right of an assignment."""

    words: tuple[Word, ...]


Part = Text | Param | Substitution | ProcessSubstitution | Arithmetic | Array


class Word(Node, frozen=True, kw_only=True):
    """One word before expansion. *bare* is its text when it is nothing but plain characters."""

    parts: tuple[Part, ...]
    bare: str | None = None


class Assignment(Node, frozen=True, kw_only=True):
    """`name=value`, `name+=value`, `name[index]=value`."""

    name: str
    value: Word
    index: str = ""
    appends: bool = False


class Redirect(Node, frozen=True, kw_only=True):
    """`> file`, `2>&1`, `<<EOF`: *body* is the text of a here-document."""

    operator: str
    target: Word
    descriptor: str = ""
    body: Word | None = None


class Simple(Node, frozen=True, kw_only=True):
    """Assignments, then a program and its words."""

    assignments: tuple[Assignment, ...]
    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


class Pipeline(Node, frozen=True, kw_only=True):
    """`a | b | c`."""

    commands: tuple[Command, ...]


class Group(Node, frozen=True, kw_only=True):
    """`{ … }`, or `( … )` when *subshell*."""

    body: Script
    subshell: bool = False
    redirects: tuple[Redirect, ...] = ()


class If(Node, frozen=True, kw_only=True):
    """`if … then … elif … else … fi`: pairs of condition and body; no condition for else."""

    branches: tuple[tuple[Script | None, Script], ...]
    redirects: tuple[Redirect, ...] = ()


class Loop(Node, frozen=True, kw_only=True):
    """`while`, `until` and `for ((…))`: the condition is run before the body."""

    condition: Script
    body: Script
    redirects: tuple[Redirect, ...] = ()


class For(Node, frozen=True, kw_only=True):
    """`for name in words; do … done`, also select; without words it walks the arguments."""

    name: str
    words: tuple[Word, ...] | None
    body: Script
    redirects: tuple[Redirect, ...] = ()


class Case(Node, frozen=True, kw_only=True):
    """`case word in pattern) … ;; esac`."""

    subject: Word
    branches: tuple[tuple[tuple[Word, ...], Script], ...]
    redirects: tuple[Redirect, ...] = ()


class Function(Node, frozen=True, kw_only=True):
    """`name() { … }`: nothing runs until it is called."""

    name: str
    body: Command


class Test(Node, frozen=True, kw_only=True):
    """`[[ … ]]` and `(( … ))`: nothing runs but the substitutions in its words."""

    words: tuple[Word, ...]
    redirects: tuple[Redirect, ...] = ()


class Coproc(Node, frozen=True, kw_only=True):
    """`coproc command`."""

    command: Command


Command = Simple | Pipeline | Group | If | Loop | For | Case | Function | Test | Coproc


class Item(Struct, frozen=True):
    """A command and what stands before it: nothing, `&&` or `||`; *background* when `&` follows."""

    command: Command
    joined: str = ""
    background: bool = False


class Script(Node, frozen=True, kw_only=True):
    """Commands in the order they are written."""

    items: tuple[Item, ...]
