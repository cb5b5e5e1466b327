"""Follow what a program says it does: the command it wraps, the text it runs.

Deeds  ->  Calls and Effects
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from snaphook.later import regex
from snaphook.providers.guard import limits
from snaphook.providers.guard.facts import (
    Act,
    Call,
    Code,
    Deed,
    Effect,
    File,
    GitAlias,
    Runs,
    Shell,
    Span,
)
from snaphook.providers.guard.languages.table import LANGUAGES
from snaphook.providers.guard.limits import PastLimit
from snaphook.providers.guard.paths import resolve
from snaphook.providers.guard.shell.grammar import ScriptReader
from snaphook.providers.guard.shell.scan import ShellSyntaxError, TooDeep
from snaphook.providers.guard.shell.tree import Item
from snaphook.providers.guard.text import UNKNOWN, plain
from snaphook.providers.guard.understand.state import Frame

if TYPE_CHECKING:
    from snaphook.providers.guard.understand.evaluate import Evaluator

_SEPARATORS = regex(r"[;&|\n(){}`]|\$\(|\b(?:then|do|else)\b")
_WRITES = (Act.OVERWRITE, Act.APPEND, Act.WRITE)
_COPIERS = ("cp", "mv", "install", "ln", "rsync")


def follow(guard: Evaluator, call: Call, deeds: Iterable[Deed], frame: Frame) -> str | None:
    """Follow *deeds*; return what is printed by what was run, or nothing if nothing was."""
    printed: str | None = None
    for deed in deeds:
        match deed:
            case Effect():
                guard.note(deed)
                if deed.act in _WRITES:
                    _remember(guard, deed)
            case Runs():
                printed = (printed or "") + _wrapped(guard, call, deed, frame)
            case Shell() if deed.text.strip() == UNKNOWN:
                printed = unreadable(guard, call, deed.span)
            case Shell():
                inner = _inside(frame, deed.via or call.program, deed)
                inner.arguments = tuple(arg.value for arg in deed.args) or inner.arguments
                if (
                    deed.text is call.stdin
                ):  # the shell has read it: nothing is left for its commands
                    inner.stdin = ""
                printed = (printed or "") + shell_text(guard, deed.text, inner, deed.span)
            case Code():
                _code(guard, call, deed, frame)
            case File():
                _file(guard, call, deed, frame)
            case GitAlias():
                printed = _git_alias(guard, deed, frame)
    return printed


def _remember(guard: Evaluator, effect: Effect) -> None:
    """Remember what a program writes where, in case it is run later."""
    call = effect.call
    if call.program in _COPIERS and call.operands:
        source = resolve(call.operands[0].value, call.cwd)
        text = call.stdin if source == "/dev/stdin" else guard.files.get(source)
        if text is not None:
            guard.files[effect.path] = text
    elif call.program == "tee" or (call.program == "sed" and effect.act is Act.OVERWRITE):
        guard.files[effect.path] = call.stdin or UNKNOWN
    elif effect.detail and effect.act is Act.WRITE:
        guard.files[effect.path] = effect.detail
    elif effect.act is Act.OVERWRITE:
        guard.files[effect.path] = UNKNOWN


def _inside(frame: Frame, via: str, deed: Runs | Shell) -> Frame:
    """Return the frame in which a wrapped command runs."""
    inner = frame.copy()
    inner.via = (*frame.via, via)
    inner.root = frame.root or deed.root
    inner.remote = deed.remote or frame.remote
    if deed.cwd is not None:
        inner.enter(deed.cwd)
    return inner


def _wrapped(guard: Evaluator, call: Call, deed: Runs, frame: Frame) -> str:
    if not deed.args:
        return ""
    if len(frame.via) > limits.DEEPEST * 4:
        raise PastLimit(f"wraps a command more than {limits.DEEPEST * 4} times")
    inner = _inside(frame, deed.via or call.program, deed)
    if call.program in ("builtin", "command"):
        inner.variables = frame.variables
    inner.functions = {}
    inner.aliases = {}
    if deed.env:
        inner.env = {**inner.env, **deed.env}
    inner.sure = frame.sure and deed.sure
    guard.step()
    return guard.call(deed.args, inner, call.span, {})


def shell_text(
    guard: Evaluator, text: str, frame: Frame, span: Span | None, *, here: bool = False
) -> str:
    """Follow *text* as a shell would run it; facts point to *span*, or where they stand.

    *here*: in this very shell (eval, source), so that what it sets stays set.
    """
    text = plain(text)
    if len(text) > limits.LONGEST:
        raise PastLimit(f"is longer than {limits.LONGEST} characters")
    if frame.depth >= limits.DEEPEST:
        raise PastLimit(f"nests deeper than {limits.DEEPEST} shells")
    inner = frame.within() if here else frame.copy()
    inner.depth = frame.depth + 1
    inner.at = span
    reader = ScriptReader(text)
    try:
        script = reader.script(until="")
    except TooDeep as error:
        raise PastLimit(error.what) from error
    except ShellSyntaxError as error:
        _follow_pieces(guard, text, reader.partial, inner, span)
        made = _unread(inner, span or Span(error.at, len(text)))
        guard.opaque(made, made.span, f"shell text with {error.what}")
        return UNKNOWN
    return guard.script(script, inner)


def unreadable(guard: Evaluator, call: Call, span: Span) -> str:
    """Note that nobody can know the text that a shell is given; return what it prints."""
    guard.opaque(call, span, f"the text that {call.program} is given")
    return UNKNOWN


def _follow_pieces(
    guard: Evaluator, text: str, whole: Sequence[Item], frame: Frame, span: Span | None
) -> None:
    """Follow what can be read of *text* that is no script: a shell may run its first lines.

    The commands before the mistake are *whole*; of the rest each piece between separators counts
    that can be read on its own.
    """
    for item in whole:
        guard.command(item.command, frame)
    start = whole[-1].command.end if whole else 0
    for piece in _SEPARATORS.split(text[start:])[: limits.MOST_PIECES]:
        try:
            script = ScriptReader(piece.replace("'", " ").replace('"', " ")).script(until="")
        except ShellSyntaxError:
            continue
        inner = frame.copy()
        inner.at = span or Span(start, len(text))
        guard.script(script, inner)


def _unread(frame: Frame, span: Span) -> Call:
    from snaphook.providers.guard.facts import Arg
    from snaphook.providers.guard.options import ANY, sort

    name = Arg(value=UNKNOWN, span=span)
    return Call(
        program="",
        name=name,
        args=(),
        options=sort((), ANY),
        span=span,
        cwd=frame.cwd,
        via=frame.via,
        depth=frame.depth,
    )


def _code(guard: Evaluator, call: Call, deed: Code, frame: Frame) -> None:
    """Note code of another language, and follow what its reader finds in it."""
    text = plain(deed.text)
    guard.effects.append(
        Effect(act=Act.CODE, call=call, span=deed.span, language=deed.language, detail=text)
    )
    reader = LANGUAGES.get(deed.language)
    if reader is not None and len(text) > limits.LONGEST_CODE:
        if call.sure:
            raise PastLimit(f"runs code longer than {limits.LONGEST_CODE} characters")
    elif reader is not None:
        guard.step()
        home = frame.get("HOME")
        known = replace(deed, text=text, home=home if isinstance(home, str) else "")
        follow(guard, call, reader(known, call), frame)


def _file(guard: Evaluator, call: Call, deed: File, frame: Frame) -> None:
    """Follow a script that was written earlier in this command, or lies on disk.

    What lies on disk was there before, so only what must never happen counts in it.
    """
    inner = frame.copy()
    text = guard.files.get(deed.path)
    if text is None:
        if (text := guard.on_disk(deed, call, frame)) is None:
            return
        inner.sure = False
    language = deed.language or _language(deed.path, text)
    if language == "sh" and text.strip() == UNKNOWN:
        unreadable(guard, call, deed.span)
    elif language == "sh":
        inner.via = (*frame.via, call.program)
        inner.arguments = (deed.path, *(arg.value for arg in deed.args))
        shell_text(guard, text, inner, deed.span)
    elif language:
        unsure = replace(call, sure=inner.sure)
        code = Code(language=language, text=text, span=deed.span, args=deed.args)
        _code(guard, unsure, code, inner)
    else:
        guard.skip(call, deed, "in a language that the guard does not read")


def _language(path: str, text: str) -> str:
    """Return the language of a script, told by its first line or its name."""
    first = text.split("\n", 1)[0]
    if not first.startswith("#!"):
        ending = path.rpartition(".")[2]
        return _ENDINGS.get(ending, "sh")
    program = first[2:].split()[-1].rpartition("/")[2].rstrip("0123456789.")
    return {"python": "python", "node": "node", "perl": "perl", "ruby": "ruby", "php": "php"}.get(
        program, "sh" if program.endswith("sh") else ""
    )


_ENDINGS = {"py": "python", "js": "node", "mjs": "node", "pl": "perl", "rb": "ruby", "php": "php"}


def _git_alias(guard: Evaluator, deed: GitAlias, frame: Frame) -> str | None:
    """Follow what git's settings say that a name stands for."""
    alias = frame.world.git_config(f"alias.{deed.name}", deed.cwd)
    if not alias or f"alias.{deed.name}" in guard.entered:
        return None
    text = alias[1:] if alias[0] == "!" else f"git {alias}"
    inner = frame.copy()
    inner.via = (*frame.via, "git alias")
    inner.enter(deed.cwd)
    guard.entered.append(f"alias.{deed.name}")
    printed = shell_text(guard, f"{text} {deed.rest}", inner, deed.span)
    guard.entered.pop()
    return printed
