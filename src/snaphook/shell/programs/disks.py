"""Programs that write to disks below the file system.

dd if=/dev/zero of=/dev/sda  ->  overwrites /dev/sda
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Act, Call, Effect
from snaphook.shell.programs.program import Program, on


def dd(call: Call) -> Iterator[Effect]:
    """Copy if= to of=."""
    for arg in call.args:
        name, _, value = arg.value.partition("=")
        if name == "of":
            yield on(Act.OVERWRITE, call, replace(arg, value=value), forced=True)
        elif name == "if":
            yield on(Act.READ, call, replace(arg, value=value))


PROGRAMS: Mapping[str, Program] = {
    "dd": Program(does=dd),
    "dcfldd": Program(does=dd),
    "gdd": Program(does=dd),
}
