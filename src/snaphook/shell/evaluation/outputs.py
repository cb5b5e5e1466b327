"""What some programs print, where that can be known from their words alone.

Call  ->  text

So that `rm -rf "$(echo /)"` and `echo cm0gLXJmIC8= | base64 -d | sh` are what they are.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from snaphook.lazy import regex
from snaphook.shell.evaluation import decoders
from snaphook.shell.evaluation.environment import ENVIRONMENT, environment
from snaphook.shell.evaluation.streams import cat, cat_of, incoming
from snaphook.shell.facts import Arg, Call
from snaphook.shell.paths import resolve
from snaphook.shell.syntax.scan import decode_escapes
from snaphook.shell.text import STAR, UNKNOWN, globbed, has_glob, is_known

Output = Callable[[Call, Mapping[str, str]], str]

_DIRECTIVE = regex(r"%([-+ #0]*\d*(?:\.\d+)?)([a-zA-Z%])")
_SED_SUBSTITUTE = regex(
    r"s([^\\\n])((?:\\.|(?!\1)[^\\])*)\1((?:\\.|(?!\1)[^\\])*)\1(g?)", re.DOTALL
)
_LONGEST_EDITED = 4_000


def echo(call: Call, _files: Mapping[str, str]) -> str:
    """Print the words; -e decodes escapes."""
    words = [arg.value for arg in call.args]
    flags = ""
    while words and re.fullmatch(r"-[neE]+", words[0]):
        flags += words.pop(0)
    text = " ".join(words)
    return (decode_escapes(text) if "e" in flags else text) + ("" if "n" in flags else "\n")


def printf(call: Call, _files: Mapping[str, str]) -> str:
    """Print the format, filled."""
    return formatted(call.args)


def formatted(args: Sequence[Arg]) -> str:
    """Return what printf makes of *args*; the format is used again while words are left."""
    words = [arg.value for arg in args if arg.value != "--"]
    if not words:
        return ""
    shape, rest = words[0], words[1:]
    out: list[str] = []
    pattern = decode_escapes(shape)
    wanted = sum(found[2] != "%" for found in _DIRECTIVE.finditer(pattern))
    for _ in range(64):
        taken = iter(rest[:wanted])
        out.append(_DIRECTIVE.sub(lambda found, taken=taken: _filled(found[2], taken), pattern))  # type: ignore[misc]
        rest = rest[wanted:]
        if not rest or not wanted:
            break
    return "".join(out)


def _filled(directive: str, words: Iterator[str]) -> str:
    if directive == "%":
        return "%"
    word = next(words, "")
    return decode_escapes(word) if directive == "b" else word


def stdin(call: Call, files: Mapping[str, str]) -> str:
    """Print what comes in, in one order or another (tee, sort, uniq)."""
    return cat(call, files) if call.program != "tee" else (call.stdin or UNKNOWN)


def pwd(call: Call, _files: Mapping[str, str]) -> str:
    """Print the directory."""
    return f"{call.cwd}\n"


def mktemp(call: Call, _files: Mapping[str, str]) -> str:
    """Print a fresh name in the directory for temporary files."""
    if call.operands and "/" in call.operands[-1].value:
        return re.sub(r"X{3,}", UNKNOWN, call.operands[-1].value) + "\n"
    place = next(
        (arg.value.partition("=")[2] for arg in call.args if arg.value.startswith("--tmpdir=")), ""
    )
    for at, arg in enumerate(call.args[:-1]):
        if arg.value == "-p":
            place = call.args[at + 1].value
    return f"{place or '/tmp'}/tmp.{UNKNOWN}\n"  # noqa: S108 - where mktemp puts it


def dirname(call: Call, _files: Mapping[str, str]) -> str:
    """Print the directory part."""
    return "".join(f"{posixpath.dirname(arg.value.rstrip('/')) or '.'}\n" for arg in call.operands)


def basename(call: Call, _files: Mapping[str, str]) -> str:
    """Print the name part."""
    if not call.operands:
        return UNKNOWN
    name = posixpath.basename(call.operands[0].value.rstrip("/"))
    return (name.removesuffix(call.operands[1].value) if len(call.operands) > 1 else name) + "\n"


def realpath(call: Call, _files: Mapping[str, str]) -> str:
    """Print the path made absolute."""
    return "".join(f"{resolve(arg.value, call.cwd)}\n" for arg in call.operands)


def sed(call: Call, files: Mapping[str, str]) -> str:
    """Substitute plain text; anything else is unknown where it matters."""
    scripts = call.options.all("-e") or list(call.operands[:1])
    text = call.stdin if len(call.operands) <= 1 else cat_of(call.operands[1:], call, files)
    if text is None or len(scripts) != 1:
        return UNKNOWN
    found = _SED_SUBSTITUTE.fullmatch(scripts[0].text)
    if found is None or not is_known(text) or len(text) > _LONGEST_EDITED:
        return UNKNOWN
    if found[2].count("*") > 1:  # trying every way to match may take for ever
        return UNKNOWN
    try:
        return re.sub(_python(found[2]), lambda _: found[3], text, count=0 if found[4] else 1)
    except re.error:
        return UNKNOWN


def _python(pattern: str) -> str:
    return pattern if not re.search(r"[\\(){}|+]", pattern) else re.escape(pattern)


def head(call: Call, files: Mapping[str, str]) -> str:
    """Print the first or last lines; if the text is one line, all of it."""
    text = incoming(call, files)
    return text if len(text.splitlines()) <= 1 else UNKNOWN


def find(call: Call, _files: Mapping[str, str]) -> str:
    """Print what may be found, as globs."""
    from snaphook.shell.programs.search import search  # its family knows how it looks

    return "".join(f"{shape}\n" for _, shape in search(call).found())


def located(call: Call, _files: Mapping[str, str]) -> str:
    """Print where a program lies: somewhere among the system's."""
    names = [arg.text for arg in call.operands]
    asks = call.program != "command" or call.has("-v", "-V")
    return "".join(f"/usr/bin/{name}\n" for name in names) if asks else UNKNOWN


def ls(call: Call, _files: Mapping[str, str]) -> str:
    """Print names in the current directory, or the paths asked for; of a folder, what is in it."""
    whole = call.has("-d", "--directory")
    names = [arg.value if whole or _names_files(arg) else STAR for arg in call.operands]
    return "".join(f"{name}\n" for name in names) if names else f"{STAR}\n"


def _names_files(arg: Arg) -> bool:
    """Say whether a word of ls is a glob or has an ending, so that ls prints it as it is."""
    return has_glob(arg.value) or "." in arg.text.rpartition("/")[2].lstrip(".")


def fd(call: Call, _files: Mapping[str, str]) -> str:
    """Print what may be found, as globs."""
    from snaphook.shell.programs.batch import sought  # its family knows how it looks

    return "".join(f"{shape}\n" for shape in sought(call))


def git(call: Call, _files: Mapping[str, str]) -> str:
    """Print names of files for those subcommands that do."""
    if call.options.starts(("rev-parse", "--show-toplevel")) or call.has("--show-toplevel"):
        return f"{call.cwd}\n"
    if call.subcommand == "ls-files":
        return _tracked(call)
    return f"./{UNKNOWN}\n" if call.has("--name-only") else UNKNOWN


def _tracked(call: Call) -> str:
    """Print what `git ls-files` may name: everything, or what is under the paths given."""
    if call.has("-d", "--deleted"):
        return ""
    paths = [arg for arg in call.operands[1:] if arg.value[:1] != ":"]
    if not paths:
        return f"{STAR}\n"
    shaped = [globbed(arg.value) for arg in paths]
    return "".join(f"{one}\n" if has_glob(one) else f"{one.rstrip('/')}/{STAR}\n" for one in shaped)


def harmless(_call: Call, _files: Mapping[str, str]) -> str:
    """Print shell text that only sets up the environment."""
    return ""


def number(_call: Call, _files: Mapping[str, str]) -> str:
    """Print a number or a date: nothing that could name a file of worth."""
    return "0\n"


OUTPUTS: Mapping[str, Output] = {
    **dict.fromkeys(ENVIRONMENT, environment),
    "echo": echo,
    "printf": printf,
    "cat": cat,
    "tee": stdin,
    "sort": stdin,
    "uniq": stdin,
    "sponge": stdin,
    "pwd": pwd,
    "mktemp": mktemp,
    "dirname": dirname,
    "basename": basename,
    "realpath": realpath,
    "readlink": realpath,
    "base64": decoders.decode64,
    "gbase64": decoders.decode64,
    "base32": decoders.decode32,
    "xxd": decoders.xxd,
    "openssl": decoders.openssl,
    "rev": decoders.rev,
    "tac": decoders.tac,
    "tr": decoders.tr,
    "sed": sed,
    "head": head,
    "tail": head,
    "find": find,
    "fd": fd,
    "fdfind": fd,
    "which": located,
    "command": located,
    "ls": ls,
    "git": git,
    "date": number,
    "nproc": number,
    "id": number,
    "seq": number,
    "true": harmless,
}
