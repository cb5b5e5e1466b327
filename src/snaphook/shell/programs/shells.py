"""Shells: the text they are given is followed like any other.

bash -c 'rm -rf /'  ->  rm -rf /
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, File, Shell
from snaphook.shell.options import getopt, sort
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program

NAMES = (
    "sh",
    "bash",
    "zsh",
    "dash",
    "ash",
    "ksh",
    "mksh",
    "fish",
    "rbash",
    "yash",
    "oksh",
    "csh",
    "tcsh",
    "elvish",
    "nu",
    "xonsh",
)


def shell(call: Call) -> Iterator[Action]:
    """Run the text of -c, the file named, or what comes in on standard input."""
    if (startup := call.env.get("ENV")) and call.program in ("sh", "dash", "ksh"):
        yield File(path=resolve(startup, call.cwd), language="sh", span=call.span)
        yield Effect(act=Act.OPAQUE, call=call, span=call.span, detail="a startup file")
    for profile in call.options.all("--rcfile", "--init-file"):
        yield File(path=resolve(profile.value, call.cwd), language="sh", span=profile.span)
        if profile.text != "/dev/null":
            yield Effect(act=Act.OPAQUE, call=call, span=profile.span, detail="a startup file")
    if call.operands and call.operands[0].value[:1] == "+":
        call = replace(call, options=sort(call.operands[1:], _OPTIONS))
    operands = call.operands
    if call.has("-n") and not call.has("-c"):
        return
    if command := _text(call):
        yield Shell(text=command.value, span=command.span, args=operands[_taken(call) :])
        return
    if operands and not call.has("-s"):
        first = operands[0]
        if first.value in ("-", "/dev/stdin", "/proc/self/fd/0", "/dev/fd/0"):
            if call.stdin is not None:
                yield Shell(text=call.stdin, span=call.span, args=operands)
        else:
            path = resolve(first.value, call.cwd)
            yield File(path=path, language="sh", span=first.span, args=operands[1:])
    elif call.stdin is not None:
        yield Shell(text=call.stdin, span=call.span, args=(call.name, *operands))


def _text(call: Call) -> Arg | None:
    if not call.has("-c"):
        return None
    attached = call.get("-c")
    return attached or (call.operands[0] if call.operands else None)


def _taken(call: Call) -> int:
    return 0 if call.get("-c") else 1


_OPTIONS = getopt(
    "c,command l,login i s e x v n u f p r B h a b k m t P C D E H T"
    " rcfile= init-file= norc noprofile posix O= o= no-config N init-command=",
    operands_end=True,
    abbreviates=False,
)

PROGRAMS: Mapping[str, Program] = {name: Program(options=_OPTIONS, does=shell) for name in NAMES}
