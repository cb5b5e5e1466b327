"""Programs that run a command once for each thing they are told.

echo / | xargs rm -rf     ->  rm -rf /
parallel rm -rf ::: a b   ->  rm -rf a, rm -rf b
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Action, Arg, Call, Runs, Shell, TextOrigin
from snaphook.shell.options import getopt, sort
from snaphook.shell.programs.program import Program
from snaphook.shell.text import STAR, UNKNOWN, globbed
from snaphook.shell.worth import is_made

MOST_ITEMS = 24


def xargs(call: Call) -> Iterator[Action]:
    """Run the command with what comes in on standard input."""
    command = call.operands or (replace(call.name, value="echo"),)
    items = _items(call, zero=call.has("-0"), delimiter=call.get("-d"))
    if files := call.get("-a"):
        items = [replace(files, value=UNKNOWN, origin=TextOrigin.UNKNOWN)]
    mark = call.get("-I") or call.get("-J")
    token = mark.value if mark else ("{}" if call.has("-i") else "")
    if token and any(token in word.value for word in command):
        for item in items:
            yield Runs(args=tuple(_replaced(word, token, item) for word in command))
    else:
        yield Runs(args=(*command, *items))


def _replaced(word: Arg, token: str, item: Arg) -> Arg:
    if token not in word.value:
        return word
    return replace(word, value=word.value.replace(token, item.value), origin=item.origin)


def _items(call: Call, *, zero: bool, delimiter: Arg | None) -> list[Arg]:
    """Return what standard input brings, as words."""
    text = call.stdin
    unknown = Arg(
        value=UNKNOWN, span=call.span, origin=TextOrigin.UNKNOWN | TextOrigin.SUBSTITUTION
    )
    if text is None:
        return [unknown]
    if zero:
        found = text.split("\0") if "\0" in text else text.split("\n")
    elif delimiter:
        found = re.split(re.escape(delimiter.text.replace("\\n", "\n")), text)
    else:
        found = text.split()
    items = [replace(unknown, value=one, origin=TextOrigin.SUBSTITUTION) for one in found if one]
    return items[:MOST_ITEMS] + [unknown] * (len(items) > MOST_ITEMS or not items)


def parallel(call: Call) -> Iterator[Action]:
    """Run the command, as shell text, with the words after `:::` or from standard input."""
    words = list(call.operands)
    cut = next((at for at, word in enumerate(words) if word.value.startswith(":::")), len(words))
    command, given = (
        words[:cut],
        [word for word in words[cut + 1 :] if not word.value.startswith(":::")],
    )
    items = given or _items(call, zero=call.has("-0"), delimiter=None)
    if call.has("--pipe") and command:
        yield Runs(args=tuple(command))
        yield Shell(text=call.stdin or UNKNOWN, span=call.span)
        return
    if not command:
        for item in items:
            yield Shell(text=item.value, span=item.span)
        return
    if len(command) > 1:
        for item in items[:MOST_ITEMS]:
            filled = tuple(replace(word, value=_filled(word.value, item)) for word in command)
            yield Runs(args=filled if filled != tuple(command) else (*command, item))
        return
    text = command[0].value
    for item in items[:MOST_ITEMS]:
        with_item = _filled(text, item)
        yield Shell(
            text=with_item if with_item != text else f"{text} {item.value}", span=command[0].span
        )


def _filled(text: str, item: Arg) -> str:
    return re.sub(r"\{[./#%]*\}", lambda _: item.value, text)


def fd(call: Call) -> Iterator[Action]:
    """Run a command on what fd finds."""
    for at, word in enumerate(call.args):
        if word.value in _FD_EXECS:
            command = call.args[at + 1 :]
            before = replace(call, args=call.args[:at], options=sort(call.args[:at], _FD))
            for shape in sought(before):
                found = Arg(value=shape, span=word.span, origin=TextOrigin.GLOB)
                filled = tuple(_replaced(one, "{}", found) for one in command)
                yield Runs(args=filled if filled != command else (*command, found))
            return


def sought(call: Call) -> list[str]:
    """Return what fd may find, as globs under its starting points."""
    pattern, *roots = call.operands or (None,)
    names = [f"{STAR}.{ending.text.lstrip('.')}" for ending in call.options.all("-e")]
    if not names:
        names = [_shape(call, pattern.text) if pattern else STAR]
    starts = [root.value.rstrip("/") for root in roots] or ["."]
    return [f"{start}/{name}" for start in starts for name in names]


def _shape(call: Call, pattern: str) -> str:
    """Return the glob of what *pattern*, a regular expression or a glob, finds."""
    if call.has("-g") or call.has("-F"):
        return globbed(pattern) if call.has("-g") else f"{STAR}{pattern}{STAR}"
    found = _FD_PLAIN.fullmatch(pattern)
    if found is None:
        return STAR
    name = found["name"].replace("\\", "")
    if is_made(name):  # `fd node_modules`: nobody means more than that
        return name
    return ("" if found["start"] else STAR) + name + ("" if found["end"] else STAR)


_FD_EXECS = ("-x", "-X", "--exec", "--exec-batch")
_FD_PLAIN = re.compile(r"(?P<start>\^)?(?P<name>(?:[\w-]|\\\.)+)(?P<end>\$)?")
_FD = getopt(
    "H,hidden I,no-ignore u,unrestricted s,case-sensitive i,ignore-case g,glob F,fixed-strings"
    " a,absolute-path L,follow p,full-path d,max-depth= min-depth= E,exclude= t,type= e,extension="
    " S,size= changed-within= changed-before= o,owner= c,color= j,threads= 0,print0 1 q l"
    " base-directory= path-separator= search-path="
)

PROGRAMS: Mapping[str, Program] = {
    "xargs": Program(
        options=getopt(
            "0,null a,arg-file= d,delimiter= E= I= i,replace?= J= L,max-lines= l n,max-args="
            " P,max-procs= s,max-chars= r,no-run-if-empty t,verbose p,interactive"
            " x,exit o,open-tty R= S=",
            operands_end=True,
        ),
        does=xargs,
    ),
    "gxargs": Program(
        options=getopt("0 d= E= I= L= n= P= s= r t p x", operands_end=True), does=xargs
    ),
    "parallel": Program(
        options=getopt(
            "pipe j,jobs= a,arg-file= 0,null k,keep-order bar progress dry-run will-cite C,colsep= d="
            " n,max-args= N= I= X m halt= joblog= results= retries= timeout= delay="
            " S= tag eta u q,quote",
            operands_end=True,
        ),
        does=parallel,
    ),
    "fd": Program(options=_FD, does=fd),
    "fdfind": Program(options=_FD, does=fd),
}
