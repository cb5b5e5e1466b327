"""What a program reads: the files it names, or standard input.

Call + files written so far  ->  text
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snaphook.shell.facts import Arg, Call
from snaphook.shell.paths import resolve
from snaphook.shell.text import UNKNOWN


def cat(call: Call, files: Mapping[str, str]) -> str:
    """Return the text of the operands, or of standard input."""
    if not call.operands:
        return call.stdin if call.stdin is not None else UNKNOWN
    out = []
    for arg in call.operands:
        if arg.value == "-":
            out.append(call.stdin or UNKNOWN)
        else:
            path = resolve(arg.value, call.cwd)
            out.append("" if path == "/dev/null" else files.get(path, UNKNOWN))
    return "".join(out)


def incoming(call: Call, files: Mapping[str, str]) -> str:
    """Return the text of the operands, or of standard input; unknown where there is neither."""
    return cat(call, files) if call.operands else (call.stdin or UNKNOWN)


def cat_of(args: Sequence[Arg], call: Call, files: Mapping[str, str]) -> str:
    """Return the text of the files named."""
    return "".join(files.get(resolve(arg.value, call.cwd), UNKNOWN) for arg in args)
