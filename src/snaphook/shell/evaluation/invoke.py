"""Follow one command whose words are known: a function, an alias, a builtin, a program.

words + Frame  ->  Call  ->  what it does in turn
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from snaphook.lazy import regex
from snaphook.shell import limits
from snaphook.shell.evaluation.builtins import BUILTINS
from snaphook.shell.evaluation.follow import follow, shell_text
from snaphook.shell.evaluation.guesses import perhaps_wraps, run_by_path
from snaphook.shell.evaluation.outputs import OUTPUTS
from snaphook.shell.evaluation.secret_flow import LOADERS, dumped, marked
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Act, Arg, Call, Effect, Span
from snaphook.shell.limits import PastLimit
from snaphook.shell.options import ANY, Options, sort
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program
from snaphook.shell.text import KEY, SECRET, UNKNOWN, has_glob, plain

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

_SUFFIX = regex(r"\.(?:exe|cmd|bat|com)$", re.IGNORECASE)


def invoke(
    guard: Evaluator,
    args: Sequence[Arg],
    frame: Frame,
    span: Span,
    assigned: Mapping[str, str],
) -> str:
    """Follow the command whose words are *args*; return what it prints."""
    program = program_name(args[0].value)
    if not program.islower() and program not in guard.programs:
        program = program.lower()
    rest = tuple(args[1:])
    if program in frame.functions:
        return _enter(guard, program, rest, frame, span)
    if program in frame.aliases and program not in guard.entered:
        return _alias(guard, program, rest, frame, span)
    known = guard.programs.get(program)
    options = sort(rest, known.options if known else ANY)
    made = _call(program, args[0], rest, options, frame, span, assigned)
    guard.calls.append(made)
    if program in _CHANGES_ENVIRONMENT:
        frame = _loaded(made, frame)
        if (shown := dumped(guard, made, frame)) is not None:
            return _printed(guard, made, shown)
    first = len(guard.effects)
    output = _followed(guard, made, known, frame)
    if output.isascii() and len(guard.effects) == first:  # it read nothing, and prints what it says
        return output
    return _printed(guard, made, marked(guard, made, output, first))


_CHANGES_ENVIRONMENT = LOADERS | {
    "env",
    "genv",
    "printenv",
    "set",
    "export",
    "declare",
    "typeset",
    "readonly",
}


def _loaded(made: Call, frame: Frame) -> Frame:
    """Return the shell with secrets in its environment, where *made* puts some there for another."""
    if frame.loaded or made.program not in ("env", "genv", *LOADERS):
        return frame
    if made.program in ("env", "genv") and not any(SECRET in arg.value for arg in made.args):
        return frame
    inner = frame.within()
    inner.loaded = True
    return inner


def _printed(guard: Evaluator, made: Call, output: str) -> str:
    """Return *output*, and remember who printed a secret last."""
    if not output.isascii() and not made.captured and (SECRET in output or KEY in output):
        guard.shows = made
    return output


def _followed(guard: Evaluator, made: Call, known: Program | None, frame: Frame) -> str:
    """Follow what a call does, by what is known of its program; return what it prints."""
    program = made.program
    if not program:
        guard.opaque(made, made.span, f"which program '{str(made.name)[:80]}' names")
        return UNKNOWN
    if builtin := BUILTINS.get(program):
        printed = builtin(guard, made, frame)
        if printed is not None:
            return printed
    if known and known.does:
        printed = follow(guard, made, known.does(made), frame)
        if printed is not None:
            return printed
    elif "/" in made.name.value:
        follow(guard, made, run_by_path(made), frame)
    elif known is None:
        follow(guard, made, perhaps_wraps(made), frame)
    if program == "cat" and made.operands:
        _load(guard, made, frame)
    output = OUTPUTS.get(program)
    return output(made, guard.files) if output else UNKNOWN


_CODE = (".sql", ".psql", ".cql", ".redis", ".mongo")


def _load(guard: Evaluator, made: Call, frame: Frame) -> None:
    """Have the text of SQL files at hand: a client may read what is printed."""
    for arg in made.operands if guard.reads and not frame.remote else ():
        path = resolve(arg.value, made.cwd)
        if arg.text.endswith(_CODE) and path not in guard.files:
            text = frame.world.text(path, limits.LONGEST_CODE)
            guard.files[path] = UNKNOWN if text is None else text


def _call(
    program: str,
    name: Arg,
    args: tuple[Arg, ...],
    options: Options,
    frame: Frame,
    span: Span,
    assigned: Mapping[str, str],
) -> Call:
    return Call(
        program=program,
        name=name,
        args=args,
        options=options,
        span=span,
        cwd=frame.cwd,
        env={**frame.env, **assigned} if assigned or frame.env else {},
        via=frame.via,
        root=frame.root,
        remote=frame.remote,
        subcommand=options.operands[0].text if options.operands else "",
        stdin=frame.stdin,
        upstream=frame.upstream,
        depth=frame.depth,
        chained=frame.chained,
        sure=frame.sure,
        stored=frame.stored,
        captured=frame.captured,
    )


def _enter(guard: Evaluator, name: str, args: tuple[Arg, ...], frame: Frame, span: Span) -> str:
    if name in guard.entered:
        if frame.forks:
            guard.effects.append(Effect(act=Act.FORK, call=unmade(name, frame, span), span=span))
        if guard.entered.count(name) > 2:
            return UNKNOWN
    if len(guard.entered) >= limits.DEEPEST:
        raise PastLimit(f"nests deeper than {limits.DEEPEST} functions")
    guard.entered.append(name)
    before, frame.arguments = frame.arguments, (name, *(arg.value for arg in args))
    outer, frame.locals = frame.locals, {}
    output = guard.command(frame.functions[name], frame)
    frame.restore_locals(outer)
    frame.arguments = before
    guard.entered.pop()
    return output


def _alias(guard: Evaluator, name: str, args: tuple[Arg, ...], frame: Frame, span: Span) -> str:
    quoted = [f"'{plain(arg.value)}'" if "'" not in arg.value else arg.value for arg in args]
    guard.entered.append(name)
    output = shell_text(guard, " ".join([frame.aliases[name], *quoted]), frame, span)
    guard.entered.pop()
    return output


def program_name(value: str) -> str:
    """Return the bare name of the program that *value* names; empty when it cannot be known."""
    name = value.rpartition("/")[2].rpartition("\\")[2]
    if UNKNOWN in name or (
        has_glob(name) and plain(name) not in ("[", "[[")
    ):  # which program a glob names, only the disk can tell
        return ""
    name = plain(name)
    return _SUFFIX.sub("", name) if "." in name else name


def unmade(name: str, frame: Frame, span: Span) -> Call:
    """Return the call of a function, which is no program."""
    word = Arg(value=name, span=span)
    return Call(program=name, name=word, args=(), options=sort((), ANY), span=span, cwd=frame.cwd)
