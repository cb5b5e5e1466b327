"""Programs that run a command once for each thing they find or are told.

find . -name '*.o' -exec rm {} +  ->  rm ./*.o
echo / | xargs rm -rf             ->  rm -rf /
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from snaphook.providers.guard.facts import Act, Arg, Call, Deed, Effect, Origin, Runs, Shell
from snaphook.providers.guard.options import ANY, getopt
from snaphook.providers.guard.paths import resolve
from snaphook.providers.guard.programs.program import Program
from snaphook.providers.guard.text import STAR, UNKNOWN, globbed

MOST_ITEMS = 24
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


def find(call: Call) -> Iterator[Deed]:
    """Delete, or run a command on, what is found under the starting points."""
    words = call.args
    at = 0
    while at < len(words) and words[at].text in ("-H", "-L", "-P", "-E", "-x", "-s", "-X", "-d"):
        at += 1
    begin = at
    while at < len(words) and not _is_test(words[at].text):
        at += 1
    roots = words[begin:at] or (replace(call.name, value="."),)
    tests = words[at:]
    shapes = [
        replace(root, value=found_under(root.value, tests), origin=Origin.GLOB) for root in roots
    ]
    for place, word in _actions(tests):
        text = word.text
        if text == "-delete":
            for root in roots:
                yield _deleted(call, root, tests, word)
        elif text in _EXECS:
            yield from _executed(
                tests[place + 1 :], shapes, roots, call, inside=text.endswith("dir")
            )
        elif text in ("-fprint", "-fprintf", "-fls", "-fprint0") and place + 1 < len(tests):
            path = resolve(tests[place + 1].value, call.cwd)
            yield Effect(act=Act.OVERWRITE, call=call, span=word.span, path=path)


def _actions(tests: Sequence[Arg]) -> Iterator[tuple[int, Arg]]:
    """Walk the expression, stepping over the words that belong to a test or to -exec."""
    at = 0
    while at < len(tests):
        text = tests[at].text
        yield at, tests[at]
        if text in _EXECS:
            while (
                at < len(tests)
                and tests[at].value not in (";", "\\;")
                and not (tests[at].value == "+" and tests[at - 1].value == "{}")
            ):
                at += 1
        elif text in _ONE_WORD:
            at += 1
        elif text == "-fprintf":
            at += 2
        at += 1


def _is_test(text: str) -> bool:
    return text[:1] == "-" or text in ("(", ")", "!", ",")


def found_under(root: str, tests: Sequence[Arg]) -> str:
    """Return what *tests* may find under *root*, as a path with globs."""
    root = root.rstrip("/") or ("/" if root.startswith("/") else root)
    names = [
        globbed(tests[at + 1].text)
        for at, word in enumerate(tests[:-1])
        if word.text in ("-name", "-iname") and (at == 0 or tests[at - 1].text not in ("!", "-not"))
    ]
    depth = "/" if root != "/" else ""
    if len(names) == 1 and names[0] not in (STAR, f"{STAR}.{STAR}"):
        return f"{root}{depth}{names[0]}"
    if names or _narrowed(tests):
        return f"{root}{depth}{UNKNOWN}"
    return f"{root}{depth}{STAR}"


def _narrowed(tests: Sequence[Arg]) -> bool:
    return any(word.text in _NARROWS or word.text in _AGES for word in tests)


def _deleted(call: Call, root: Arg, tests: Sequence[Arg], word: Arg) -> Effect:
    """Return the deletion; what is empty is no loss, whatever holds it."""
    path = resolve(found_under(root.value, tests), call.cwd)
    empty = any(test.text == "-empty" for test in tests)
    return Effect(
        act=Act.WRITE if empty else Act.DELETE,
        call=call,
        span=word.span,
        path=path,
        recursive=True,
        forced=True,
    )


def _executed(
    words: Sequence[Arg], shapes: Sequence[Arg], roots: Sequence[Arg], call: Call, *, inside: bool
) -> Iterator[Deed]:
    command: list[Arg] = []
    for word in words:
        if word.value in (";", "\\;", "+"):
            break
        command.append(word)
    for shape, root in zip(shapes, roots, strict=True):
        filled = [
            replace(word, value=word.value.replace("{}", shape.value), origin=shape.origin)
            if "{}" in word.value
            else word
            for word in command
        ]
        cwd = resolve(root.value, call.cwd) if inside else None
        yield Runs(args=tuple(filled), cwd=cwd)


def xargs(call: Call) -> Iterator[Deed]:
    """Run the command with what comes in on standard input."""
    command = call.operands or (replace(call.name, value="echo"),)
    items = _items(call, zero=call.has("-0"), delimiter=call.get("-d"))
    if files := call.get("-a"):
        items = [replace(files, value=UNKNOWN, origin=Origin.UNKNOWN)]
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
    unknown = Arg(value=UNKNOWN, span=call.span, origin=Origin.UNKNOWN | Origin.SUBSTITUTION)
    if text is None:
        return [unknown]
    if zero:
        found = text.split("\0") if "\0" in text else text.split("\n")
    elif delimiter:
        found = re.split(re.escape(delimiter.text.replace("\\n", "\n")), text)
    else:
        found = text.split()
    items = [replace(unknown, value=one, origin=Origin.SUBSTITUTION) for one in found if one]
    return items[:MOST_ITEMS] + [unknown] * (len(items) > MOST_ITEMS or not items)


def parallel(call: Call) -> Iterator[Deed]:
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


def fd(call: Call) -> Iterator[Deed]:
    """Run a command on what fd finds."""
    for at, word in enumerate(call.args):
        if word.value in ("-x", "-X", "--exec", "--exec-batch"):
            command = call.args[at + 1 :]
            names = [operand.value for operand in call.operands if operand not in command]
            root = names[1] if len(names) > 1 else "."
            found = Arg(value=f"{root}/{UNKNOWN}", span=word.span, origin=Origin.GLOB)
            filled = tuple(_replaced(one, "{}", found) for one in command)
            yield Runs(args=filled if filled != command else (*command, found))
            return


PROGRAMS: Mapping[str, Program] = {
    "find": Program(options=ANY, does=find),
    "gfind": Program(options=ANY, does=find),
    "bfs": Program(options=ANY, does=find),
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
    "fd": Program(options=ANY, does=fd),
    "fdfind": Program(options=ANY, does=fd),
}
