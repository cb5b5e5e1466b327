"""Programs whose job is to remove files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snaphook.providers.guard.facts import Act, Call, Effect
from snaphook.providers.guard.options import getopt
from snaphook.providers.guard.programs.program import Program, on


def rm(call: Call) -> Iterator[Effect]:
    """Delete each operand."""
    recursive = call.has("-r")
    forced = call.has("-f")
    for target in call.operands:
        yield on(Act.DELETE, call, target, recursive=recursive, forced=forced)


PROGRAMS: Mapping[str, Program] = {
    "rm": Program(
        options=getopt(
            "r,R,recursive f,force i I interactive?= d,dir v,verbose"
            " one-file-system preserve-root?= no-preserve-root P W x help version"
        ),
        does=rm,
    ),
}
