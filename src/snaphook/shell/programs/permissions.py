"""Programs that change who may do what with a file.

chmod -R 777 /  ->  changes the permissions of /, recursively
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.options import getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program


def chmod(call: Call) -> Iterator[Effect]:
    """Change the mode of each operand after the first; *detail* is the mode."""
    yield from _each(call, Act.PERMIT)


def chown(call: Call) -> Iterator[Effect]:
    """Change the owner of each operand after the first; *detail* is the owner."""
    yield from _each(call, Act.OWN)


def _each(call: Call, act: Act) -> Iterator[Effect]:
    words = call.operands
    mode = ""
    if call.get("--reference") is None and words and call.program != "setfacl":
        mode, words = words[0].text, words[1:]
    flags = "".join(
        name for name, _ in call.options.given if len(name) == 2 and name in "-r-w-x-s-t-X"
    )
    if (
        act is Act.PERMIT
        and flags
        and not mode.lstrip("+-=ugoarwxstX,").isdigit()
        and not _is_mode(mode)
    ):
        words, mode = call.operands, flags
    for target in words:
        yield Effect(
            act=act,
            call=call,
            span=target.span,
            path=resolve(target.value, call.cwd),
            recursive=call.has("-R"),
            detail=mode,
        )


def _is_mode(text: str) -> bool:
    return bool(text) and not text.strip("ugoarwxstX+-=,01234567")


PROGRAMS: Mapping[str, Program] = {
    "chmod": Program(
        options=getopt(
            "R,recursive f,quiet v c reference= preserve-root no-preserve-root", abbreviates=True
        ),
        does=chmod,
    ),
    "chown": Program(
        options=getopt("R,recursive f v c h H L P from= reference= preserve-root no-preserve-root"),
        does=chown,
    ),
    "chgrp": Program(
        options=getopt("R,recursive f v c h H L P reference= preserve-root no-preserve-root"),
        does=chown,
    ),
    "setfacl": Program(
        options=getopt("R,recursive m,modify= x,remove= b,remove-all k d M= X= n"), does=chown
    ),
    "chattr": Program(options=getopt("R V f v= p="), does=chown),
    "chflags": Program(options=getopt("R f h H L P v x"), does=chown),
}
