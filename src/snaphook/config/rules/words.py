"""The simple commands inside a line of shell, read by the shell's parser and never run.

'a && b "$X"/c.sh'  ->  [Words(a), Words(b, "$X"/c.sh)]
"""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from snaphook.config.settings import CommandHook
from snaphook.shell.written import written_commands

_INTERPRETERS = re.compile(
    r"(?:.*/)?(?:python[\d.]*|bash|sh|zsh|dash|node|bun|deno|ruby|perl|php|tsx|ts-node|source|\.)"
)
_RUNNERS = {("uv", "run"), ("poetry", "run"), ("pdm", "run"), ("pipenv", "run")}
_PLAIN_FLAGS = {"--script", "--quiet", "-q", "--frozen", "--locked", "--no-sync", "--no-project"}
_TAKES_CODE = {"-c", "-m", "-e", "-p", "--eval", "--print", "-"}
_QUOTES = re.compile(r"""'([^']*)'|"((?:[^"\\]|\\.)*)\"""")
_VARIABLE = re.compile(r"\$(?:\{(\w+)(?::?-[^}]*)?\}|(\w+))")
_WRAPPERS = {"sudo", "env", "nohup", "exec", "time", "nice", "command", "timeout", "xargs", "doas"}
_ASSIGNMENT = re.compile(r"\w+=")
_DURATION = re.compile(r"\d+(?:\.\d+)?[smhd]?")


class Words(Struct, frozen=True):
    """One simple command: its words as they are written, quotes and all."""

    written: tuple[str, ...]

    @property
    def program(self) -> str:
        """Return the first word as written."""
        return self.written[0]

    def unwrapped(self) -> "Words":
        """Return the command without ``env X=1``, ``sudo``, ``timeout 5`` and their like."""
        words = list(self.written)
        while len(words) > 1 and words[0] in _WRAPPERS:
            wrapper = words.pop(0)
            while len(words) > 1 and (words[0].startswith("-") or _ASSIGNMENT.match(words[0])):
                words.pop(0)
            if wrapper == "timeout" and len(words) > 1 and _DURATION.fullmatch(words[0]):
                words.pop(0)
        return Words(tuple(words))


def simple_commands(line: str) -> list[Words]:
    """Return every simple command in *line*, also those in loops, lists and substitutions."""
    return [Words(words) for words in written_commands(line)[0]]


def expanded(word: str, variables: Mapping[str, str]) -> str | None:
    """Return what *word* stands for, or None where only the shell could tell.

    Quotes go, ``~`` and known *variables* are filled in; single quotes keep what is in them.
    """
    literal = "'" in word and "$" in word
    plain = _QUOTES.sub(lambda found: found[1] if found[1] is not None else found[2], word)
    if word.startswith("~/") and "HOME" in variables:
        plain = f"{variables['HOME']}{plain[1:]}"
    if not literal:
        plain = _VARIABLE.sub(lambda found: variables.get(found[1] or found[2], "$"), plain)
    return None if re.search(r"[$`*?\[\]{}\\]", plain) else plain


def files_to_run(hook: CommandHook) -> Iterator[tuple[str, bool]]:
    """Yield each word of a hook that names a file to run, and whether it is run directly."""
    if hook.args is not None:
        yield from _files(Words((hook.command, *hook.args)))
        return
    for words in simple_commands(hook.command):
        yield from _files(words.unwrapped())


def _files(words: Words) -> Iterator[tuple[str, bool]]:
    program, *rest = words.written
    if rest and (program, rest[0]) in _RUNNERS:
        yield from _started(rest[1:])
        return
    if program == "npx" and rest and rest[0] in ("tsx", "ts-node"):
        program, *rest = rest
    else:
        yield program, True
    if _INTERPRETERS.fullmatch(program):
        yield from _script_argument(program, rest)


def _started(words: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield what ``uv run`` and its like start: a script, which they hand to Python, or a program."""
    while words and words[0] in _PLAIN_FLAGS:
        words = words[1:]
    if words and not words[0].startswith("-"):
        if words[0].strip("\"'").endswith(".py"):
            yield words[0], False
        else:
            yield from _files(Words(tuple(words)))


def _script_argument(program: str, rest: list[str]) -> Iterator[tuple[str, bool]]:
    """Yield the script among an interpreter's arguments, also inside the line of a ``sh -c``."""
    for at, word in enumerate(rest):
        if word == "-c" and program.endswith("sh"):
            for inner in simple_commands("".join(rest[at + 1 : at + 2]).strip("\"'")):
                yield from _files(inner.unwrapped())
            return
        if word in _TAKES_CODE or word.startswith("<"):
            return
        if not word.startswith("-") and word not in ("run", "test"):
            if "/" in word or re.search(r"\.\w+[\"']?$", word):
                yield word, False
            return
