"""What redirections read and write.

Redirects + Frame  ->  Effects, the text on standard input, the files that output goes to
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from snaphook.shell import limits
from snaphook.shell.evaluation import expand
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Act, Arg, Call, Effect, Span
from snaphook.shell.options import ANY, sort
from snaphook.shell.paths import resolve
from snaphook.shell.syntax.tree import Redirect
from snaphook.shell.text import SECRET, UNKNOWN

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

Mark = tuple[str, bool]
"""A file that standard output goes to, and whether it is appended."""

_NOWHERE = frozenset({"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/stdin"})
_WRITES = {
    ">": Act.OVERWRITE,
    ">|": Act.OVERWRITE,
    "&>": Act.OVERWRITE,
    ">&": Act.OVERWRITE,
    ">>": Act.APPEND,
    "&>>": Act.APPEND,
    "<>": Act.APPEND,
}

OPERATORS = frozenset({*_WRITES, "<"})
"""What a redirection's own call is named after: every program else has another name."""


def applied(guard: Evaluator, redirects: Sequence[Redirect], frame: Frame) -> Frame:
    """Return *frame* with the input that *redirects* give it."""
    compound(guard, redirects, frame)
    return frame


def compound(guard: Evaluator, redirects: Sequence[Redirect], frame: Frame) -> list[Mark]:
    """Follow the redirections after a compound command."""
    if not redirects:
        return []
    span = frame.at or Span(redirects[0].start, redirects[-1].end)
    return follow(guard, redirects, frame, span)


def follow(guard: Evaluator, redirects: Sequence[Redirect], frame: Frame, span: Span) -> list[Mark]:
    """Note what *redirects* do; return the files that standard output goes to."""
    marks: list[Mark] = []
    for one in redirects:
        if one.body is not None or one.operator == "<<<":
            _text(guard, one, frame)
        elif one.operator == "<&" or (one.operator == ">&" and _is_descriptor(one)):
            _duplicate(guard, one, frame, marks)
        else:
            for arg in expand.arguments((one.target,), frame, guard.run):
                _file(guard, one, arg, frame, span, marks)
    return marks


def _text(guard: Evaluator, one: Redirect, frame: Frame) -> None:
    """Give the shell a here-document or a here-string to read."""
    if one.body is not None:
        text = expand.body(one.body, frame, guard.run)
    else:
        text = expand.single(one.target, frame, guard.run) + "\n"
    if one.descriptor in ("", "0"):
        frame.stdin = text
    else:
        path = f"/dev/fd/<<{len(guard.files)}"
        guard.files[path] = text
        _bind(one, path, frame)
        number = next(reversed(frame.descriptors))
        guard.files[f"/dev/fd/{number}"] = text


def _file(
    guard: Evaluator,
    one: Redirect,
    arg: Arg,
    frame: Frame,
    span: Span,
    marks: list[Mark],
) -> None:
    path = resolve(arg.value, frame.cwd)
    act = _WRITES.get(one.operator, Act.READ)
    if path in _NOWHERE:
        if path == "/dev/null" and act is Act.READ:
            frame.stdin = ""
        elif path == "/dev/null" and one.descriptor in ("", "1"):
            marks.append((path, False))
        return
    maker = Call(
        program=one.operator,
        name=Arg(value=one.operator, span=span),
        args=(arg,),
        options=sort((arg,), ANY),
        span=span,
        cwd=frame.cwd,
        via=frame.via,
        root=frame.root,
        remote=frame.remote,
        upstream=frame.upstream,
        depth=frame.depth,
        sure=frame.sure,
        stored=frame.stored,
    )
    effect = Effect(act=act, call=maker, span=arg.span, path=path)
    guard.effects.append(guard.through_links(effect) if guard.links else effect)
    _bind(one, path, frame)
    if act is Act.READ:
        if one.descriptor in ("", "0"):
            frame.stdin = _text_of(guard, path, frame)
    elif one.descriptor in ("", "1"):
        marks.append((path, act is Act.APPEND))


_SCRIPTS = (
    ".sql",
    ".psql",
    ".cql",
    ".sh",
    ".bash",
    ".py",
    ".js",
    ".rb",
    ".pl",
    ".php",
    ".redis",
    ".mongo",
)


def _text_of(guard: Evaluator, path: str, frame: Frame) -> str:
    """Return what a file holds: written earlier in the command, or code that lies on disk."""
    text = guard.files.get(path)
    if text is None and path.endswith(_SCRIPTS) and guard.reads and not frame.remote:
        text = frame.world.text(path, limits.LONGEST_CODE)
    if text is None:
        return f"{UNKNOWN}{SECRET}" if guard.holds_secret(path) else UNKNOWN
    return text


def _bind(one: Redirect, path: str, frame: Frame) -> None:
    """Remember which file a descriptor stands for: `exec 3>x`, `exec {fd}<y`."""
    name = one.descriptor
    if name.startswith("{"):
        frame.variables[name.strip("{}")] = name = str(10 + len(frame.descriptors))
    if name:
        frame.descriptors[name] = path


def _duplicate(guard: Evaluator, one: Redirect, frame: Frame, marks: list[Mark]) -> None:
    """Follow `<&3` and `>&3` to the file that the descriptor stands for."""
    number = expand.single(one.target, frame, guard.run)
    path = frame.descriptors.get(number)
    if one.operator == "<&":
        if path is not None or not number.isdigit():
            frame.stdin = guard.files.get(path or "", UNKNOWN)
    elif path is not None:
        marks.append((path, True))


def written(guard: Evaluator, marks: Sequence[Mark], output: str) -> str:
    """Remember what was written where; return what is still printed."""
    for path, appends in marks:
        before = guard.files.get(path, "") if appends else ""
        guard.files[path] = before + output
        if not output and not appends:
            _empty(guard, path)
    return "" if marks else output


def _empty(guard: Evaluator, path: str) -> None:
    """Note that what was written to *path* is nothing, so that what it held is gone."""
    for at in range(len(guard.effects) - 1, -1, -1):
        effect = guard.effects[at]
        if effect.path == path and effect.act is Act.OVERWRITE:
            guard.effects[at] = replace(effect, forced=True)
            return


def _is_descriptor(one: Redirect) -> bool:
    bare = one.target.bare
    return bare is not None and (bare == "-" or bare.rstrip("-").isdigit())
