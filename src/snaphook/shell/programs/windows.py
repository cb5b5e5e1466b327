r"""PowerShell and cmd, for hosts on Windows: the basic set.

powershell -Command "Remove-Item -Recurse -Force C:\\"  ->  deletes C:/
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, File, Runs, Shell
from snaphook.shell.options import ANY, getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program
from snaphook.shell.text import UNKNOWN

_VALUED = (
    "executionpolicy",
    "windowstyle",
    "version",
    "workingdirectory",
    "inputformat",
    "outputformat",
)
_PARAMETERS = ("command", "encodedcommand", "executionpolicy", "file", *_VALUED[1:])
_UNCHECKED = ("bypass", "unrestricted")


def powershell(call: Call) -> Iterator[Action]:
    """Run the text of -Command or -EncodedCommand, the file of -File, or standard input."""
    words = call.args
    at = 0
    while at < len(words):
        word, following = words[at], words[at + 1 :]
        match _parameter(word.text):
            case "":
                yield from _text(_joined(words[at:]), word, call)
                return
            case "command":
                yield from _text(_joined(following), word, call)
                return
            case "encodedcommand":
                yield from _text(_decoded(following[0].text if following else ""), word, call)
                yield Effect(act=Act.OPAQUE, call=call, span=word.span, detail="encoded text")
                return
            case "file" if following:
                path = resolve(following[0].value, call.cwd)
                yield File(path=path, language="powershell", span=word.span)
                return
            case "executionpolicy" if following and following[0].text.lower() in _UNCHECKED:
                yield Effect(act=Act.OPAQUE, call=call, span=word.span, detail="an unsigned script")
                at += 1
            case name if name in _VALUED:
                at += 1
        at += 1
    if call.stdin is not None:
        yield from _text(call.stdin, call.name, call)


def _parameter(text: str) -> str:
    """Return the parameter that *text* is short for: `-enc` is encodedcommand; nothing if none."""
    if not text.startswith(("-", "/")):
        return ""
    name = text.lower().lstrip("-/")
    if name == "ep":
        return "executionpolicy"
    if name == "ec":
        return "encodedcommand"
    found = [one for one in _PARAMETERS if one.startswith(name)]
    return found[0] if found else name or "-"


def _joined(words: tuple[Arg, ...]) -> str:
    return " ".join(word.value for word in words)


def _decoded(text: str) -> str:
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4)).decode("utf-16-le")
    except (ValueError, binascii.Error):
        return UNKNOWN


def _text(text: str, word: Arg, call: Call) -> Iterator[Action]:
    """Yield PowerShell's text as the shell's: slashes turned, its escapes and operators set aside."""
    if text in ("", "-") and call.stdin is not None:
        text = call.stdin
    text = text.replace("\\", "/").replace("`", "")
    text = re.sub(r"\$env:(\w+)", r"${\1}", text)
    text = re.sub(r"[(){}@]", " ; ", re.sub(r"\$\{(\w+)\}", r"$\1", text))
    text = re.sub(r"(?:^|(?<=[;|&]))\s*&\s+", " ", text)
    yield Shell(text=text, span=word.span, dialect="powershell")


def cmd(call: Call) -> Iterator[Action]:
    """Run the text after /c or /k."""
    for at, word in enumerate(call.args):
        if word.text.lower() in ("/c", "/k", "/r"):
            rest = " ".join(one.value for one in call.args[at + 1 :])
            yield Shell(text=rest.replace("\\", "/"), span=word.span, dialect="cmd")
            return


def remove_item(call: Call) -> Iterator[Effect]:
    """Delete what is named: Remove-Item, del, rd and their aliases."""
    flags = [arg.text.lower() for arg in call.args if arg.text.startswith("-")]
    if "-whatif" in flags:
        return
    switches = [arg.text.lower() for arg in call.args if re.fullmatch(r"/[a-zA-Z]", arg.text)]
    recursive = (
        any(len(flag) > 1 and "-recurse".startswith(flag) for flag in flags) or "/s" in switches
    )
    forced = any(len(flag) > 2 and "-force".startswith(flag) for flag in flags) or "/q" in switches
    targets = [
        arg
        for arg in call.args
        if not arg.text.startswith("-") and not re.fullmatch(r"/[a-zA-Z]", arg.text)
    ]
    if not targets and call.upstream:
        targets = [arg for one in call.upstream for arg in one.args if not arg.text.startswith("-")]
        targets = targets or [Arg(value=UNKNOWN, span=call.span)]
        recursive = True
    for target in targets:
        yield Effect(
            act=Act.DELETE,
            call=call,
            span=target.span,
            path=_path(target, call),
            recursive=recursive,
            forced=forced,
        )


def _path(target: Arg, call: Call) -> str:
    r"""Return a Windows path in our spelling: `C:\\Users` is `/c/Users`."""
    text = target.value.replace("\\", "/")
    if found := re.match(r"([A-Za-z]):/?(.*)", text, re.DOTALL):
        return resolve(f"/c/{found[2]}", call.cwd)
    if re.match(r"HK\w+:?", text):
        return f"/c/registry/{text}"
    return resolve(text, call.cwd)


def invoke(call: Call) -> Iterator[Action]:
    """Run text: Invoke-Expression, iex."""
    text = " ".join(arg.value for arg in call.args if not arg.text.startswith("-"))
    yield from _text(text or call.stdin or UNKNOWN, call.name, call)


def fetch(call: Call) -> Iterator[Action]:
    """Download: Invoke-WebRequest, iwr, irm."""
    for arg in call.args:
        if "://" in arg.text:
            yield Effect(act=Act.FETCH, call=call, span=arg.span, detail=arg.text)


def osascript(call: Call) -> Iterator[Action]:
    """Run what `do shell script` names."""
    for text in call.options.all("-e"):
        if re.search(r"\b(?:delete|empty trash|erase)\b", text.text):
            yield Effect(act=Act.DELETE, call=call, span=text.span, path=UNKNOWN, recursive=True)
        for found in re.finditer(r'do shell script\s+"((?:\\.|[^"\\])*)"', text.text):
            root = "administrator privileges" in text.text
            yield Shell(text=found[1].replace('\\"', '"'), span=text.span, root=root)


def start(call: Call) -> Iterator[Action]:
    """Start a program: Start-Process, start."""
    words = tuple(arg for arg in call.args if not arg.text.startswith(("-", "/")))
    if words:
        yield Runs(args=words)


PROGRAMS: Mapping[str, Program] = {
    **dict.fromkeys(("powershell", "pwsh"), Program(options=ANY, does=powershell)),
    "cmd": Program(options=ANY, does=cmd),
    **dict.fromkeys(
        ("remove-item", "ri", "del", "erase", "rd"), Program(options=ANY, does=remove_item)
    ),
    **dict.fromkeys(("invoke-expression", "iex"), Program(options=ANY, does=invoke)),
    **dict.fromkeys(
        ("invoke-webrequest", "iwr", "invoke-restmethod", "irm", "start-bitstransfer"),
        Program(options=ANY, does=fetch),
    ),
    **dict.fromkeys(("start-process", "saps"), Program(options=ANY, does=start)),
    "osascript": Program(options=getopt("e= l= s= i"), does=osascript),
}
