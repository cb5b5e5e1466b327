"""Programs whose job is to remove files, or to empty them.

rm -rf x y  ->  deletes x, deletes y
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.options import ANY, getopt
from snaphook.shell.programs.program import Program, on
from snaphook.shell.programs.windows import remove_item


def rm(call: Call) -> Iterator[Effect]:
    """Delete each operand."""
    recursive, forced = call.has("-r"), call.has("-f")
    for target in call.operands:
        yield on(Act.DELETE, call, target, recursive=recursive, forced=forced)


def rmdir(call: Call) -> Iterator[Effect]:
    """Delete empty directories: nothing is lost. On Windows, /s takes all beneath."""
    if any(arg.text.lower() == "/s" for arg in call.args):
        yield from remove_item(call)
        return
    for target in call.operands:
        yield on(Act.WRITE, call, target)


def shred(call: Call) -> Iterator[Effect]:
    """Overwrite the operands beyond recovery."""
    for target in call.operands:
        yield on(Act.DELETE, call, target, recursive=call.has("-r"), forced=True)


def truncate(call: Call) -> Iterator[Effect]:
    """Cut files to a size."""
    size = call.get("-s")
    if size is None or not size.text.startswith("+"):
        for target in call.operands:
            yield on(Act.OVERWRITE, call, target, forced=True)


def trash(call: Call) -> Iterator[Effect]:
    """Move to the bin, from where it can be fetched back."""
    for target in call.operands[call.program == "gio" :]:
        yield on(Act.MOVE, call, target, recursive=True)


_RM = getopt(
    "r,R,recursive f,force i I interactive?= d,dir v,verbose one-file-system preserve-root?="
    " no-preserve-root P W x help version"
)

PROGRAMS: Mapping[str, Program] = {
    "rm": Program(options=_RM, does=rm),
    "grm": Program(options=_RM, does=rm),
    "unlink": Program(options=ANY, does=rm),
    "srm": Program(options=_RM, does=shred),
    "wipe": Program(options=getopt("r f q Q= i s c e k F Z"), does=shred),
    "shred": Program(
        options=getopt("u,remove?= z,zero n,iterations= f,force v s,size= x random-source="),
        does=shred,
    ),
    "rimraf": Program(
        options=getopt("g,glob v p= tmp= max-retries="),
        does=lambda call: (
            on(Act.DELETE, call, target, recursive=True, forced=True) for target in call.operands
        ),
    ),
    "del-cli": Program(
        options=getopt("f,force d,dry-run"),
        does=lambda call: (
            on(Act.DELETE, call, target, recursive=True, forced=True) for target in call.operands
        ),
    ),
    "rmdir": Program(options=getopt("p,parents v ignore-fail-on-non-empty"), does=rmdir),
    "truncate": Program(options=getopt("s,size= c,no-create o r,reference="), does=truncate),
    "trash": Program(options=ANY, does=trash),
    "gio": Program(
        options=ANY, does=lambda call: trash(call) if call.subcommand == "trash" else ()
    ),
    "trash-put": Program(options=ANY, does=trash),
}
