"""find: what it may find, and what it does with it.

find . -name '*.o' -exec rm {} +  ->  rm ./*.o
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, Runs, TextOrigin
from snaphook.shell.options import ANY
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program
from snaphook.shell.text import STAR, UNKNOWN, globbed

_NARROWS_TEXT = """
    -name -iname -path -ipath -wholename -regex -iregex -empty -perm -user -group -links
    -inum -lname
"""
_NARROWS = frozenset(_NARROWS_TEXT.split())
_AGES_TEXT = """
    -mtime -mmin -atime -amin -ctime -cmin -newer -size -uid -gid -nouser -nogroup
"""
_AGES = frozenset(_AGES_TEXT.split())
_EXECS_TEXT = """
    -exec -execdir -ok -okdir
"""
_ONE_WORD_TEXT = """
    -name -iname -path -ipath -wholename -iwholename -regex -iregex -perm -user -group
    -links -inum -lname -ilname -samefile
    -newer -anewer -cnewer -mtime -mmin -atime -amin -ctime -cmin -size -type -xtype
    -fstype -uid -gid
    -maxdepth -mindepth -printf -fprint -fprint0 -fls -used -context -regextype -newermt
"""
_ONE_WORD = frozenset(_ONE_WORD_TEXT.split())
_EXECS = frozenset(_EXECS_TEXT.split())
_BEFORE = ("-H", "-L", "-P", "-E", "-x", "-s", "-X", "-d")
_PRINTS = ("-fprint", "-fprintf", "-fls", "-fprint0")
_ALL = (STAR, f"{STAR}.{STAR}")


class Search(Struct, frozen=True):
    """The words of find, sorted: where it starts, and what it tests and does."""

    roots: tuple[Arg, ...]
    tests: tuple[Arg, ...]

    def found(self) -> Iterator[tuple[Arg, str]]:
        """Yield each starting point with each shape that may be found under it."""
        for root in self.roots:
            start = root.value.rstrip("/")
            for name in self._names():
                yield root, f"{start}/{name}"

    def _names(self) -> list[str]:
        """Return what the names found may look like: a glob for each -name, or anything."""
        tests = self.tests
        names = [
            globbed(tests[at + 1].text)
            for at, word in enumerate(tests[:-1])
            if word.text in ("-name", "-iname") and tests[max(at - 1, 0)].text not in ("!", "-not")
        ]
        if names and not any(name in _ALL for name in names):
            return names
        narrowed = any(word.text in _NARROWS or word.text in _AGES for word in tests)
        return [UNKNOWN if narrowed and not names else STAR]


def search(call: Call) -> Search:
    """Return the words of *call* sorted."""
    words = call.args
    begin = 0
    while begin < len(words) and words[begin].text in _BEFORE:
        begin += 1
    at = begin
    while at < len(words) and not _is_test(words[at].text):
        at += 1
    return Search(words[begin:at] or (replace(call.name, value="."),), words[at:])


def _is_test(text: str) -> bool:
    return text[:1] == "-" or text in ("(", ")", "!", ",")


def find(call: Call) -> Iterator[Action]:
    """Delete, or run a command on, what is found under the starting points."""
    sought = search(call)
    for at, word in _actions(sought.tests):
        text = word.text
        if text == "-delete":
            yield from _deleted(call, sought, word)
        elif text in _EXECS:
            command = _command(sought.tests[at + 1 :])
            yield from _executed(call, sought, command, inside=text.endswith("dir"))
        elif text in _PRINTS and at + 1 < len(sought.tests):
            path = resolve(sought.tests[at + 1].value, call.cwd)
            yield Effect(act=Act.OVERWRITE, call=call, span=word.span, path=path)


def _actions(tests: Sequence[Arg]) -> Iterator[tuple[int, Arg]]:
    """Walk the expression, stepping over the words that belong to a test or to -exec."""
    at = 0
    while at < len(tests):
        text = tests[at].text
        yield at, tests[at]
        if text in _EXECS:
            at += 1 + len(_command(tests[at + 1 :]))
        elif text in _ONE_WORD:
            at += 1
        elif text == "-fprintf":
            at += 2
        at += 1


def _command(words: Sequence[Arg]) -> tuple[Arg, ...]:
    """Return the words up to the `;`, or the `+` after `{}`, that ends the command of -exec."""
    for at, word in enumerate(words):
        if word.value in (";", "\\;") or (word.value == "+" and at and words[at - 1].value == "{}"):
            return tuple(words[:at])
    return tuple(word for word in words if word.value != "+")


def _deleted(call: Call, sought: Search, word: Arg) -> Iterator[Effect]:
    """Yield the deletions; what is empty is no loss, whatever holds it."""
    empty = any(test.text == "-empty" for test in sought.tests)
    for _, shape in sought.found():
        yield Effect(
            act=Act.WRITE if empty else Act.DELETE,
            call=call,
            span=word.span,
            path=resolve(shape, call.cwd),
            recursive=True,
            forced=True,
        )


def _executed(
    call: Call, sought: Search, command: tuple[Arg, ...], *, inside: bool
) -> Iterator[Action]:
    for root, shape in sought.found():
        filled = tuple(
            replace(word, value=word.value.replace("{}", shape), origin=TextOrigin.GLOB)
            if "{}" in word.value
            else word
            for word in command
        )
        yield Runs(args=filled, cwd=resolve(root.value, call.cwd) if inside else None)


PROGRAMS: Mapping[str, Program] = {
    name: Program(options=ANY, does=find) for name in ("find", "gfind", "bfs")
}
