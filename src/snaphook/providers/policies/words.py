"""A shell text as the commands it would run, word by word.

cd x && 'r'm -r -f y > log  ->  (cd x) (rm -r -f y) (> log)

Quotes are gone, substitutions and the texts handed to ``sh -c`` and ``eval`` are commands of their
own, and so is what stands behind ``sudo`` or ``xargs``. What a variable holds stays unknown: a text
that hides its words on purpose is the guard's business. Pure.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from tree_sitter import Node, Parser


class ShellStep(Struct, frozen=True):
    """One thing a shell does: run *words*, write to a file, or read from one."""

    words: tuple[str, ...] = ()
    writes: str = ""
    reads: str = ""

    @property
    def program(self) -> str:
        """Return the program's bare name."""
        return bare(self.words[0]) if self.words else ""


Command = str | tuple[str, ...]

_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "su"))
_WRAPPERS = frozenset(
    """
    sudo doas env nohup time timeout nice ionice stdbuf setsid xargs parallel command exec builtin
    watch ssh find fd strace chronic unbuffer flock runuser chroot busybox
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
_DEPTH = 4
"""How many shells inside shells are opened."""


def bare(program: str) -> str:
    """Return a program's name without its directory."""
    return program.rsplit("/", 1)[-1]


@lru_cache(maxsize=256)
def steps(command: Command, depth: int = 0) -> tuple[ShellStep, ...]:
    """Return what *command* does, in the order in which it is written."""
    first = (ShellStep(command),) if isinstance(command, tuple) else tuple(_parsed(command))
    if depth >= _DEPTH:
        return first
    return tuple(inner for step in first for inner in (step, *_within(step, depth + 1)))


def _within(step: ShellStep, depth: int) -> Iterator[ShellStep]:
    """Yield what *step* runs by way of another shell or a wrapper."""
    words, program = step.words, step.program
    if program in _SHELLS:
        texts = [b for a, b in pairwise(words) if _takes_script(a)]
        for text in texts:
            yield from steps(text, depth)
    elif program == "eval":
        yield from steps(" ".join(words[1:]), depth)
    elif program in _WRAPPERS:
        for start in range(1, len(words)):
            yield from _behind_wrapper(words[start:], depth)


def _takes_script(option: str) -> bool:
    return option.startswith("-") and not option.startswith("--") and "c" in option


def _behind_wrapper(words: tuple[str, ...], depth: int) -> Iterator[ShellStep]:
    if " " in words[0]:
        yield from steps(words[0], depth)  # ssh host "rm -rf x"
    elif bare(words[0]) in _SHELLS or words[0] == "eval":
        yield from _within(ShellStep(words=words), depth)
    else:
        yield ShellStep(words=words)


def _parsed(text: str) -> Iterator[ShellStep]:
    root = _parser().parse(text.encode("utf-8", "surrogatepass")).root_node
    yield from _walk(root)
    if root.has_error:
        yield from _torn(text)


@cache
def _parser() -> "Parser":
    import tree_sitter  # a process that sees no shell command never pays for it
    import tree_sitter_bash

    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


def _walk(node: "Node") -> Iterator[ShellStep]:
    pending = [node]
    while pending:
        here = pending.pop()
        match here.type:
            case "command":
                yield ShellStep(words=tuple(_words(here)))
            case "file_redirect":
                yield from _redirect(here)
            case "heredoc_redirect" | "herestring_redirect" if _feeds_shell(here):
                yield from _fed(here)
        pending.extend(reversed(here.children))


def _words(command: "Node") -> Iterator[str]:
    for child in command.children:
        if child.type not in _NO_WORDS:
            yield _text(child)


_NO_WORDS = frozenset(
    ("variable_assignment", "file_redirect", "heredoc_redirect", "herestring_redirect", "(", ")")
)


def _redirect(node: "Node") -> Iterator[ShellStep]:
    operator = next((c.type for c in node.children if set(c.type) & set("<>")), "")
    target = node.child_by_field_name("destination")
    if target is None or operator in {"<&", ">&-", "<&-"}:
        return
    path = _text(target)
    if operator == ">&" and (path.isdigit() or path == "-"):
        return
    yield ShellStep(writes=path) if ">" in operator else ShellStep(reads=path)


def _feeds_shell(redirect: "Node") -> bool:
    """Say whether the text of a here-document goes to a shell that would run it."""
    statement = redirect.parent
    body = statement.child_by_field_name("body") if statement else None
    command = body or statement
    words = tuple(_words(command)) if command and command.type == "command" else ()
    return bool(words) and bare(words[0]) in _SHELLS


def _fed(redirect: "Node") -> Iterator[ShellStep]:
    for child in redirect.children:
        if child.type in {"heredoc_body", "string", "raw_string"}:
            yield from steps(_text(child), _DEPTH - 1)


def _text(node: "Node") -> str:
    """Return *node* as the program would receive it, expansions left as they are written."""
    raw = (node.text or b"").decode("utf-8", "replace")
    match node.type:
        case "raw_string":
            return raw[1:-1]
        case "string":
            return re.sub(r'\\(["\\$`\n])', r"\1", raw[1:-1])
        case "ansi_c_string":
            return _ansi(raw[2:-1])
        case "concatenation" | "command_name":
            return "".join(_text(child) for child in node.children)
        case "word":
            return re.sub(r"\\(.)", r"\1", raw)
        case _:
            return raw


def _ansi(text: str) -> str:
    r"""Return a ``$'…'`` text with its escapes resolved: ``\x72m`` is ``rm``."""
    try:
        return text.encode("latin-1", "backslashreplace").decode("unicode_escape")
    except UnicodeDecodeError:
        return text


def _torn(text: str) -> Iterator[ShellStep]:
    """Yield what a text that no shell would accept looks like, read as loosely as possible."""
    for part in re.split(r"[;&|\n()`]+", text):
        words = tuple(part.replace('"', "").replace("'", "").replace("\\", "").split())
        if words:
            yield ShellStep(words=words)
