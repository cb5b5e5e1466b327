"""Follow what a program says it does: the command it wraps, the text it runs.

Deeds  ->  Calls and Effects
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from snaphook.lazy import regex
from snaphook.shell import limits
from snaphook.shell.evaluation.origins import DOWNLOAD, copied, fetched, pack, unpack
from snaphook.shell.evaluation.scripts import bounded, on_disk, skip
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Act, Action, Call, Code, Effect, File, GitAlias, Runs, Shell, Span
from snaphook.shell.languages.table import LANGUAGES
from snaphook.shell.limits import PastLimit
from snaphook.shell.paths import resolve
from snaphook.shell.syntax.grammar import ScriptReader
from snaphook.shell.syntax.scan import ShellSyntaxError, TooDeep
from snaphook.shell.syntax.tree import Item
from snaphook.shell.text import UNKNOWN, is_unknown, plain, show

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

_SEPARATORS = regex(r"[;&|\n(){}`]|\$\(|\b(?:then|do|else)\b")
_WRITES = (Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK)
_WITH_DATA = frozenset({"python", "node", "ruby", "php", "elixir"})
_SHORT_SCRIPT = 3_000
"""Characters: a longer script is an application, whose handlers delete what they are asked to."""
_COPIERS = ("cp", "mv", "install", "ln", "rsync")
_PACKERS = frozenset({"tar", "gtar", "bsdtar", "zip", "7z", "7za", "gzip", "bzip2", "xz", "zstd"})
_UNPACKERS = frozenset({"tar", "gtar", "bsdtar", "unzip", "7z", "7za"})


def follow(guard: Evaluator, call: Call, actions: Iterable[Action], frame: Frame) -> str | None:
    """Follow *actions*; return what is printed by what was run, or nothing if nothing was."""
    printed: str | None = None
    for action in actions:
        match action:
            case Effect():
                guard.note(action)
                if action.act in _WRITES:
                    _remember(guard, action)
            case Runs():
                printed = (printed or "") + _wrapped(guard, call, action, frame)
            case Shell() if is_unknown(action.text):
                printed = unreadable(guard, call, action.span)
            case Shell():
                inner = _inside(frame, action.via or call.program, action)
                inner.arguments = tuple(arg.value for arg in action.args) or inner.arguments
                if (
                    action.text is call.stdin
                ):  # the shell has read it: nothing is left for its commands
                    inner.stdin = ""
                printed = (printed or "") + shell_text(guard, action.text, inner, action.span)
            case Code():
                _code(guard, call, action, frame)
            case File():
                _file(guard, call, action, frame)
            case GitAlias():
                printed = _git_alias(guard, action, frame)
    return printed


def _remember(guard: Evaluator, effect: Effect) -> None:
    """Remember what a program writes where, in case it is run later."""
    call = effect.call
    if call.program == "ln" and call.operands:
        _link(guard, call, effect)
    if call.program in _UNPACKERS and effect.recursive:
        unpack(guard, call, effect.path)
    elif call.program in _COPIERS and call.operands:
        source = resolve(call.operands[0].value, call.cwd)
        text = call.stdin if source == "/dev/stdin" else copied(guard, call, source)
        if text is None:
            text = fetched(guard, call)  # rsync may bring it from another machine
        if text:
            guard.files[effect.path] = text
    elif call.program in _PACKERS:
        pack(guard, call, effect)
    elif call.program == "tee" or (call.program == "sed" and effect.act is Act.OVERWRITE):
        guard.files[effect.path] = call.stdin or UNKNOWN
    elif effect.detail and effect.act is Act.WRITE:
        guard.files[effect.path] = effect.detail
    elif effect.act is Act.OVERWRITE or (effect.act is Act.WRITE and fetched(guard, call)):
        guard.files[effect.path] = fetched(guard, call) or UNKNOWN


def _link(guard: Evaluator, call: Call, effect: Effect) -> None:
    """Remember where a link that the command makes leads; one made in a folder takes its own name."""
    for source in call.operands[:-1] or call.operands:
        target = resolve(source.value, call.cwd)
        name = target.rpartition("/")[2]
        guard.links[effect.path] = target
        guard.links[f"{effect.path}/{name}"] = target


def _inside(frame: Frame, via: str, action: Runs | Shell) -> Frame:
    """Return the frame in which a wrapped command runs."""
    inner = frame.copy()
    inner.via = (*frame.via, via)
    inner.root = frame.root or action.root
    inner.remote = action.remote or frame.remote
    if action.cwd is not None:
        inner.enter(action.cwd)
    return inner


def _wrapped(guard: Evaluator, call: Call, action: Runs, frame: Frame) -> str:
    if not action.args:
        return ""
    if len(frame.via) > limits.DEEPEST * 4:
        raise PastLimit(f"wraps a command more than {limits.DEEPEST * 4} times")
    inner = _inside(frame, action.via or call.program, action)
    if call.program in ("builtin", "command"):
        inner.variables = frame.variables
    inner.functions = {}
    inner.aliases = {}
    if action.env:
        inner.env = {**inner.env, **action.env}
    inner.sure = frame.sure and action.sure
    guard.step()
    return guard.call(action.args, inner, call.span, {})


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
        for item in reader.partial if frame.stored else ():  # what a long script begins with
            guard.command(item.command, inner)
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
    from snaphook.shell.facts import Arg
    from snaphook.shell.options import ANY, sort

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


def _code(guard: Evaluator, call: Call, action: Code, frame: Frame) -> None:
    """Note code of another language, and follow what its reader finds in it."""
    text = plain(action.text)
    guard.effects.append(
        Effect(act=Act.CODE, call=call, span=action.span, language=action.language, detail=text)
    )
    reader = LANGUAGES.get(action.language)
    if reader is not None and len(text) > limits.LONGEST_CODE:
        if call.stored:
            _pieces(guard, call, replace(action, text=text), frame)
        elif call.sure:
            raise PastLimit(f"runs code longer than {limits.LONGEST_CODE} characters")
    elif reader is not None:
        guard.step()
        home = frame.get("HOME")
        known = replace(action, text=text, home=home if isinstance(home, str) else "")
        follow(guard, call, reader(known, call), frame)
        if action.language in _WITH_DATA and (not call.stored or len(text) < _SHORT_SCRIPT):
            from snaphook.shell.languages.orm import stored_data

            follow(guard, call, stored_data(known, call), frame)


_TOP_LEVEL = regex(r"\n(?=[^\s)\]}#])")
_IMPORTS = regex(r"^(?:import|from)\s[^\n(]+$", re.MULTILINE)


def _pieces(guard: Evaluator, call: Call, action: Code, frame: Frame) -> None:
    """Follow a long program on disk piece by piece, each with the imports; the rest is unread."""
    text, most = action.text, limits.LONGEST_CODE - 2_000
    imports = "\n".join(line for line in _IMPORTS.findall(text)[:25] if len(line) < 80)
    at = 0
    for _ in range(limits.MOST_CODE_PIECES):
        end = min(at + most, len(text))
        if end < len(text):
            cuts = [one.start() for one in _TOP_LEVEL.finditer(text, at, end)]
            end = cuts[-1] if cuts else end
        piece = f"{imports}\n{text[at:end]}" if at and action.language == "python" else text[at:end]
        _code(guard, call, replace(action, text=piece), frame)
        at = end
        if at >= len(text):
            return
    file = File(path="", language=action.language, span=action.span)
    skip(guard, call, file, f"only the first {at} characters of its code were read")


def _file(guard: Evaluator, call: Call, action: File, frame: Frame) -> None:
    """Follow a script that was written earlier in this command, or lies on disk.

    One text is judged one way, wherever it is stored; only what needs to be known for sure (a path
    that only the run can tell) counts for less in a script.
    """
    inner = frame.copy()
    text = guard.files.get(action.path)
    if text is None:
        if not frame.remote and guard.is_download(action.path):
            detail = f"{show(action.path)}, which was downloaded and not read since"
            guard.effects.append(
                Effect(
                    act=Act.OPAQUE,
                    call=call,
                    span=action.span,
                    path=action.path,
                    language=DOWNLOAD,
                    detail=detail,
                )
            )
        if (text := on_disk(guard, action, call, frame)) is None:
            return
        inner.stored = True
    language = action.language or _language(action.path, text)
    if language == "sh" and is_unknown(text):
        unreadable(guard, call, action.span)
    elif language == "sh":
        inner.via = (*frame.via, call.program)
        inner.arguments = (action.path, *(arg.value for arg in action.args))
        if inner.stored:
            with bounded(guard, call, action):
                shell_text(guard, text, inner, action.span)
        else:
            shell_text(guard, text, inner, action.span)
    elif language:
        stored = replace(call, stored=inner.stored)
        code = Code(language=language, text=text, span=action.span, args=action.args)
        _code(guard, stored, code, inner)
    else:
        skip(guard, call, action, "in a language that the guard does not read")


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


def _git_alias(guard: Evaluator, action: GitAlias, frame: Frame) -> str | None:
    """Follow what git's settings say that a name stands for."""
    alias = frame.world.git_config(f"alias.{action.name}", action.cwd)
    if not alias or f"alias.{action.name}" in guard.entered:
        return None
    text = alias[1:] if alias[0] == "!" else f"git {alias}"
    inner = frame.copy()
    inner.via = (*frame.via, "git alias")
    inner.enter(action.cwd)
    guard.entered.append(f"alias.{action.name}")
    printed = shell_text(guard, f"{text} {action.rest}", inner, action.span)
    guard.entered.pop()
    return printed
