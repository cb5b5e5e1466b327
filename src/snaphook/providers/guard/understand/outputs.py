"""What some programs print, where that can be known from their words alone.

Call  ->  text

So that `rm -rf "$(echo /)"` and `echo cm0gLXJmIC8= | base64 -d | sh` are what they are.
"""

from __future__ import annotations

import base64
import binascii
import posixpath
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from snaphook.providers.guard.facts import Arg, Call
from snaphook.providers.guard.paths import resolve
from snaphook.providers.guard.programs.batch import found_under
from snaphook.providers.guard.shell.scan import decode_escapes
from snaphook.providers.guard.text import STAR, UNKNOWN, is_known

Output = Callable[[Call, Mapping[str, str]], str]

_DIRECTIVE = re.compile(r"%([-+ #0]*\d*(?:\.\d+)?)([a-zA-Z%])")
_SED_SUBSTITUTE = re.compile(r"s(.)((?:\\.|(?!\1).)*)\1((?:\\.|(?!\1).)*)\1(g?)", re.DOTALL)


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


def cat(call: Call, files: Mapping[str, str]) -> str:
    """Print the files, or standard input."""
    if not call.operands:
        return call.stdin if call.stdin is not None else UNKNOWN
    out = []
    for arg in call.operands:
        if arg.value == "-":
            out.append(call.stdin or UNKNOWN)
        else:
            out.append(files.get(resolve(arg.value, call.cwd), UNKNOWN))
    return "".join(out)


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


def _incoming(call: Call, files: Mapping[str, str]) -> str:
    return cat(call, files) if call.operands else (call.stdin or UNKNOWN)


def decode64(call: Call, files: Mapping[str, str]) -> str:
    """Decode base64 with -d; encoded text is unknown."""
    if not call.has("-d", "-D", "--decode"):
        return UNKNOWN
    return _decoded(_incoming(call, files), lambda text: base64.b64decode(_padded(text)))


def decode32(call: Call, files: Mapping[str, str]) -> str:
    """Decode base32 with -d."""
    if not call.has("-d", "-D", "--decode"):
        return UNKNOWN
    return _decoded(_incoming(call, files), lambda text: base64.b32decode(text))


def xxd(call: Call, files: Mapping[str, str]) -> str:
    """Decode hexadecimal with -r."""
    flags = "".join(arg.text for arg in call.args if arg.text.startswith("-"))
    if "r" not in flags:
        return UNKNOWN
    text = cat(call, files) if call.operands else (call.stdin or UNKNOWN)
    return _decoded(text, lambda hexed: bytes.fromhex("".join(hexed.split())))


def openssl(call: Call, _files: Mapping[str, str]) -> str:
    """Decode base64 with `openssl base64 -d`, `openssl enc -base64 -d`."""
    words = {arg.text for arg in call.args}
    if "-d" in words and words & {"base64", "-base64", "-a"}:
        return _decoded(call.stdin or UNKNOWN, lambda text: base64.b64decode(_padded(text)))
    return UNKNOWN


def _padded(text: str) -> str:
    compact = "".join(text.split())
    return compact + "=" * (-len(compact) % 4)


def _decoded(text: str, decode: Callable[[str], bytes]) -> str:
    if not is_known(text):
        return UNKNOWN
    try:
        decoded = decode(text).decode("utf-8")
    except (ValueError, binascii.Error):
        return UNKNOWN
    return UNKNOWN if "\0" in decoded else decoded


def rev(call: Call, files: Mapping[str, str]) -> str:
    """Print each line backwards."""
    text = _incoming(call, files)
    return "".join(f"{line[::-1]}\n" for line in text.splitlines())


def tac(call: Call, files: Mapping[str, str]) -> str:
    """Print the lines backwards."""
    return "".join(f"{line}\n" for line in reversed(_incoming(call, files).splitlines()))


def tr(call: Call, _files: Mapping[str, str]) -> str:
    """Translate characters, ranges included."""
    text = call.stdin or UNKNOWN
    words = [arg.text for arg in call.args if not re.fullmatch(r"-[dscC]+|--delete", arg.text)]
    if not is_known(text) or not words:
        return text if not words else UNKNOWN
    source = _ranged(words[0])
    if any(re.fullmatch(r"-\w*d\w*|--delete", arg.text) for arg in call.args):
        return "".join(char for char in text if char not in source)
    target = _ranged(words[1]) if len(words) > 1 else source
    table = (
        {ord(a): target[min(at, len(target) - 1)] for at, a in enumerate(source)} if target else {}
    )
    return text.translate(table)


_CLASSES = {
    "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "[:lower:]": "abcdefghijklmnopqrstuvwxyz",
    "[:digit:]": "0123456789",
    "[:space:]": " \t\n\r\f\v",
}


def _ranged(text: str) -> str:
    for name, letters in _CLASSES.items():
        text = text.replace(name, letters)
    text = decode_escapes(text)
    return re.sub(
        r"(.)-(.)",
        lambda found: "".join(
            map(chr, range(ord(found[1]), min(ord(found[2]), ord(found[1]) + 512) + 1))
        ),
        text,
    )


def sed(call: Call, files: Mapping[str, str]) -> str:
    """Substitute plain text; anything else is unknown where it matters."""
    scripts = call.options.all("-e") or list(call.operands[:1])
    text = call.stdin if len(call.operands) <= 1 else cat_of(call.operands[1:], call, files)
    if text is None or len(scripts) != 1:
        return UNKNOWN
    found = _SED_SUBSTITUTE.fullmatch(scripts[0].text)
    if found is None or not is_known(text):
        return UNKNOWN
    try:
        return re.sub(_python(found[2]), lambda _: found[3], text, count=0 if found[4] else 1)
    except re.error:
        return UNKNOWN


def _python(pattern: str) -> str:
    return pattern if not re.search(r"[\\(){}|+]", pattern) else re.escape(pattern)


def cat_of(args: Sequence[Arg], call: Call, files: Mapping[str, str]) -> str:
    """Return the text of the files named."""
    return "".join(files.get(resolve(arg.value, call.cwd), UNKNOWN) for arg in args)


def head(call: Call, files: Mapping[str, str]) -> str:
    """Print the first or last lines; if the text is one line, all of it."""
    text = _incoming(call, files)
    return text if len(text.splitlines()) <= 1 else UNKNOWN


def find(call: Call, _files: Mapping[str, str]) -> str:
    """Print what may be found, as globs."""
    words = call.args
    at = 0
    while at < len(words) and words[at].text[:1] not in ("-", "(", "!"):
        at += 1
    roots = words[:at]
    found = [found_under(root.value, words[at:]) for root in roots] or [
        found_under(".", words[at:])
    ]
    return "".join(f"{one}\n" for one in found)


def located(call: Call, _files: Mapping[str, str]) -> str:
    """Print where a program lies: somewhere among the system's."""
    names = [arg.text for arg in call.operands]
    asks = call.program != "command" or call.has("-v", "-V")
    return "".join(f"/usr/bin/{name}\n" for name in names) if asks else UNKNOWN


def ls(call: Call, _files: Mapping[str, str]) -> str:
    """Print names in the current directory, or the paths asked for."""
    names = [arg.value for arg in call.operands]
    return "".join(f"{name}\n" for name in names) if names else f"{STAR}\n"


def listed(_call: Call, _files: Mapping[str, str]) -> str:
    """Print names of files here, whichever they are."""
    return f"./{UNKNOWN}\n"


def git(call: Call, _files: Mapping[str, str]) -> str:
    """Print names of files for those subcommands that do."""
    if call.options.starts(("rev-parse", "--show-toplevel")) or call.has("--show-toplevel"):
        return f"{call.cwd}\n"
    if call.subcommand == "ls-files" or call.has("--name-only"):
        return f"./{UNKNOWN}\n"
    return UNKNOWN


def harmless(_call: Call, _files: Mapping[str, str]) -> str:
    """Print shell text that only sets up the environment."""
    return ""


def number(_call: Call, _files: Mapping[str, str]) -> str:
    """Print a number or a date: nothing that could name a file of worth."""
    return "0\n"


def environment(call: Call, _files: Mapping[str, str]) -> str:
    """Print harmless shell text where the call is one known to do so (`brew shellenv`)."""
    words = {arg.text for arg in call.args}
    return "" if words & ENVIRONMENT[call.program] or not ENVIRONMENT[call.program] else UNKNOWN


ENVIRONMENT: Mapping[str, frozenset[str]] = {
    "ssh-agent": frozenset(),
    "keychain": frozenset(),
    "gpg-agent": frozenset(),
    "dircolors": frozenset(),
    "lesspipe": frozenset(),
    "thefuck": frozenset(),
    "starship": frozenset({"init", "completions"}),
    "zoxide": frozenset({"init"}),
    "atuin": frozenset({"init"}),
    "brew": frozenset({"shellenv", "--prefix"}),
    "direnv": frozenset({"hook", "export"}),
    "pyenv": frozenset({"init", "virtualenv-init"}),
    "rbenv": frozenset({"init"}),
    "nodenv": frozenset({"init"}),
    "jenv": frozenset({"init"}),
    "goenv": frozenset({"init"}),
    "fnm": frozenset({"env", "completions"}),
    "mise": frozenset({"activate", "env", "hook-env", "completion"}),
    "conda": frozenset({"shell.bash", "shell.zsh", "shell.posix"}),
    "micromamba": frozenset({"shell"}),
    "nvm": frozenset({"use"}),
    "opam": frozenset({"env"}),
    "minikube": frozenset({"docker-env", "completion"}),
    "docker-machine": frozenset({"env"}),
    "luarocks": frozenset({"path"}),
    "register-python-argcomplete": frozenset(),
    **dict.fromkeys(
        (
            "kubectl",
            "helm",
            "gh",
            "glab",
            "kind",
            "k3d",
            "kustomize",
            "flux",
            "argocd",
            "istioctl",
            "docker",
            "podman",
            "rustup",
            "poetry",
            "uv",
            "pip",
            "npm",
            "pnpm",
            "deno",
            "bun",
            "hugo",
            "eksctl",
            "doctl",
            "flyctl",
            "stern",
            "oc",
            "golangci-lint",
            "goreleaser",
            "cobra-cli",
            "tilt",
            "skaffold",
            "velero",
            "pdm",
            "just",
            "hatch",
            "ruff",
            "ng",
            "vcluster",
            "operator-sdk",
            "nerdctl",
            "vault",
            "gitlab-runner",
            "terraform-docs",
        ),
        frozenset(
            {
                "completion",
                "completions",
                "generate-shell-completion",
                "shell-completion",
                "shell-completions",
                "--completion",
            }
        ),
    ),
}

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
    "base64": decode64,
    "gbase64": decode64,
    "base32": decode32,
    "xxd": xxd,
    "openssl": openssl,
    "rev": rev,
    "tac": tac,
    "tr": tr,
    "sed": sed,
    "head": head,
    "tail": head,
    "find": find,
    "fd": listed,
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
