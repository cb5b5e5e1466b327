"""The shell's own commands: those that change where the shell stands.

Call + Frame  ->  Frame

Each returns what it prints, or `None` when a program of that name should be looked up too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from snaphook.lazy import regex
from snaphook.shell.evaluation.assign import assign
from snaphook.shell.evaluation.follow import follow, shell_text, unreadable
from snaphook.shell.evaluation.outputs import formatted
from snaphook.shell.evaluation.state import Frame
from snaphook.shell.facts import Call, File
from snaphook.shell.paths import resolve
from snaphook.shell.text import SECRET, UNKNOWN, is_unknown

if TYPE_CHECKING:
    from snaphook.shell.evaluation.evaluate import Evaluator

Builtin = Callable[["Evaluator", Call, Frame], str | None]

_NAME = regex(r"[A-Za-z_]\w*", re.ASCII)
_STDIN = frozenset({"/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


def cd(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Change the directory; without a word, go home."""
    target = next(
        (arg.value for arg in call.args if arg.value not in ("-P", "-L", "-e", "--")), None
    )
    if target is None:
        frame.enter(_text(frame, "HOME"))
    elif target == "-":
        frame.enter(_text(frame, "OLDPWD"))
    else:
        frame.enter(resolve(target, frame.cwd))
    return ""


def pushd(guard: Evaluator, call: Call, frame: Frame) -> str:
    """Change the directory and remember the old one."""
    held = frame.get("DIRSTACK")
    frame.variables["DIRSTACK"] = (frame.cwd, *(held if isinstance(held, tuple) else ()))
    return cd(guard, call, frame)


def popd(_guard: Evaluator, _call: Call, frame: Frame) -> str:
    """Go back to where pushd came from."""
    held = frame.get("DIRSTACK")
    if isinstance(held, tuple) and held:
        frame.enter(held[0])
        frame.variables["DIRSTACK"] = held[1:]
    else:
        frame.enter(UNKNOWN)
    return ""


def _text(frame: Frame, name: str) -> str:
    held = frame.get(name)
    return held if isinstance(held, str) else UNKNOWN


def eval_(guard: Evaluator, call: Call, frame: Frame) -> str:
    """Follow the words, joined, as text of this very shell."""
    if not call.args:
        return ""
    text = " ".join(arg.value for arg in call.args if arg.value != "--")
    if is_unknown(text):
        return unreadable(guard, call, call.args[0].span)
    return shell_text(guard, text, frame, call.args[0].span, here=True)


def source(guard: Evaluator, call: Call, frame: Frame) -> str:
    """Follow a file's text in this very shell."""
    if not call.args:
        return ""
    target = call.args[0]
    path = resolve(target.value, frame.cwd)
    frame.loaded = frame.loaded or guard.holds_secret(path)
    if target.value in _STDIN or target.value == "-":
        return shell_text(guard, frame.stdin or "", frame, target.span, here=True)
    if is_unknown(guard.files.get(path, "")):
        return unreadable(guard, call, target.span)
    if path in guard.files:
        return shell_text(guard, guard.files[path], frame, target.span, here=True)
    follow(guard, call, [File(path=path, language="sh", span=target.span)], frame)
    return ""


def declare(guard: Evaluator, call: Call, frame: Frame) -> str:
    """Set the variables named, exported or not; `-n` makes one a name for another."""
    frame.loaded = frame.loaded or any(SECRET in arg.value for arg in call.args)
    nameref = call.program in ("declare", "local", "typeset") and call.has("-n")
    for arg in call.args:
        name, equals, value = arg.value.partition("=")
        name = name.rstrip("+")
        if not _NAME.fullmatch(name):
            continue
        if guard.entered and call.program in ("local", "declare", "typeset"):
            frame.make_local(name)
        if nameref:
            frame.variables[f"&{name}"] = value
        elif equals and value == "" and (held := guard.arrays.pop(arg.span, None)) is not None:
            frame.variables[name] = held
        elif equals:
            assign(frame, name, value)
        if call.program == "export":
            text = frame.get(name)
            frame.env[name] = text if isinstance(text, str) else UNKNOWN
    return ""


def unset(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Forget variables and functions: an unset variable is empty."""
    for arg in call.operands:
        frame.functions.pop(arg.text, None)
        if not call.has("-f"):
            frame.variables[arg.text] = ()
    return ""


def read(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Set variables from standard input."""
    names = [arg.text for arg in call.operands if _NAME.fullmatch(arg.text)] or ["REPLY"]
    line = UNKNOWN if frame.stdin is None else frame.stdin.split("\n", 1)[0]
    words = line.split(None, len(names) - 1)
    for at, name in enumerate(names):
        frame.variables[name] = (
            words[at] if at < len(words) else (UNKNOWN if UNKNOWN in line else "")
        )
    return ""


def mapfile(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Set an array from standard input."""
    name = next((arg.text for arg in reversed(call.operands)), "MAPFILE")
    text = UNKNOWN if frame.stdin is None else frame.stdin
    frame.variables[name] = tuple(text.splitlines()[:64]) or (UNKNOWN,)
    return ""


def printf(_guard: Evaluator, call: Call, frame: Frame) -> str | None:
    """Set a variable with -v; else print."""
    if len(call.args) > 2 and call.args[0].value == "-v":
        frame.variables[call.args[1].text] = formatted(call.args[2:])
        return ""
    return None


def trap(guard: Evaluator, call: Call, frame: Frame) -> str:
    """Remember the text that a signal or the end of the shell runs; it is followed last."""
    if len(call.operands) > 1 and call.operands[0].value not in ("-", ""):
        guard.traps.append((call.operands[0], frame))
    return ""


def alias(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Remember other names for commands."""
    for arg in call.args:
        name, equals, text = arg.value.partition("=")
        if equals:
            frame.aliases[name] = text
    return ""


def set_(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Set the positional arguments after `--`."""
    for at, arg in enumerate(call.args):
        if arg.value == "--" or not arg.value.startswith(("-", "+")):
            given = call.args[at + 1 :] if arg.value == "--" else call.args[at:]
            if not (arg.value != "--" and at and call.args[at - 1].value in ("-o", "+o")):
                frame.arguments = (frame.arguments[0], *(one.value for one in given))
            break
    return ""


def shift(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Drop the first positional arguments."""
    count = int(call.operands[0].text) if call.operands and call.operands[0].text.isdigit() else 1
    frame.arguments = (frame.arguments[0], *frame.arguments[1 + count :])
    return ""


def nothing(_guard: Evaluator, _call: Call, _frame: Frame) -> str:
    """Change nothing that matters here."""
    return ""


def hash_(_guard: Evaluator, call: Call, frame: Frame) -> str:
    """Remember `-p path name`: the name now runs the path."""
    if call.args and call.args[0].value == "-p" and len(call.args) > 2:
        frame.aliases[call.args[2].text] = call.args[1].value
    return ""


BUILTINS: Mapping[str, Builtin] = {
    "cd": cd,
    "chdir": cd,
    "pushd": pushd,
    "popd": popd,
    "eval": eval_,
    "source": source,
    ".": source,
    "export": declare,
    "declare": declare,
    "local": declare,
    "readonly": declare,
    "typeset": declare,
    "unset": unset,
    "read": read,
    "mapfile": mapfile,
    "readarray": mapfile,
    "printf": printf,
    "trap": trap,
    "alias": alias,
    "set": set_,
    "shift": shift,
    "hash": hash_,
    ":": nothing,
    "true": nothing,
    "false": nothing,
    "test": nothing,
    "[": nothing,
}
