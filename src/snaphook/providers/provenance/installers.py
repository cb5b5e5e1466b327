"""Commands that install something by name.

pip install acme-fix==1.2  ->  package 'acme-fix'
"""

import re
from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Call

from .values import Value

_VERBS: Mapping[str, frozenset[str]] = {
    name: frozenset(verbs.split())
    for names, verbs in {
        "pip pip3 pipx": "install download wheel run inject upgrade",
        "poetry pdm rye hatch pixi": "add",
        "uv": "add install run",
        "npm pnpm yarn bun cnpm": "install i add exec x dlx create init in isntall global",
        "cargo": "install add binstall",
        "go": "install get run",
        "gem": "install",
        "bundle": "add",
        "composer": "require",
        "brew port": "install tap",
        "apt apt-get aptitude dnf yum zypper snap flatpak choco scoop winget opkg": "install",
        "apk": "add",
        "conda mamba micromamba": "install create",
        "dotnet": "add tool",
        "nix-env nix": "install profile -i -iA shell run",
        "luarocks cpan cpanm opam stack cabal hex mix raco deno": "install",
        "docker podman nerdctl": "run pull create",
        "helm": "install upgrade repo",
        "kubectl": "apply create",
        "gh": "extension",
        "code cursor codium": "--install-extension",
        "claude codex gemini": "mcp plugin plugins extensions",
        "ansible-galaxy": "install",
        "terraform": "get",
        "dart flutter": "pub",
        "pod": "install",
        "swift": "package",
        "asdf mise": "install use plugin",
    }.items()
    for name in names.split()
}
RUNNERS = frozenset(["npx", "uvx", "bunx", "pnpx"])
_SKIPPED_TEXT = """
    install i add exec x dlx create init global run pull pip tool package plugin plugins
    extension extensions mcp profile repo upgrade download wheel require get shell in use inject
    tap apply pub cask isntall
"""
_SKIPPED = frozenset(_SKIPPED_TEXT.split())
_TAKES_VALUE_TEXT = """
    -r --requirement --constraint --target --prefix --cwd --directory --python --name --volume --network
    --workdir --entrypoint --env --mount --platform --group --transport --namespace
"""
_TAKES_VALUE = frozenset(_TAKES_VALUE_TEXT.split())
"""Options whose value is no package, whichever program takes them. Short ones mean different things to
different programs; a value that is looked up in vain costs nothing, a package passed over does."""
_NAME = re.compile(r"@?[A-Za-z0-9][\w.~/-]*")
INDEXES = (
    "-i", "--index-url", "--extra-index-url", "--index", "--default-index", "-f", "--find-links",
    "--registry",
    "--source", "--repo", "--trusted-host", "--channel", "-c", "--git", "--url",
)  # fmt: skip


_GROUPS = frozenset(
    "global pip tool package plugin plugins extension extensions mcp profile repo pub container image".split()  # noqa: SIM905
)
"""Words between a program and its verb: ``uv pip install``, ``gh extension install``."""
_UNDOES = frozenset("list ls remove rm uninstall show info search get inspect update".split())  # noqa: SIM905
_ONE = frozenset(["run", "exec", "x", "dlx", "create", "init"])
"""Verbs that name one package; what follows are its own arguments."""
_ADDED = ("--with", "--from", "--package", "-p", "--with-requirements")
"""Options that name a package beside it."""
_URLS_ONLY = frozenset(["kubectl"])
"""Programs whose operands are names of their own; only an address is somebody else's."""


def packages(call: Call) -> Iterator[Value]:
    """Yield what *call* installs, and the indexes it takes it from."""
    words = [arg.text for arg in call.args]
    if call.program in RUNNERS:
        names = [_bare(arg.text) for arg in call.operands[:1]]
    else:
        names = _installed(call.program, words)
    kind = "image" if call.program in ("docker", "podman", "nerdctl") else "package"
    yield from (Value(kind=kind, text=name) for name in names if name)
    if not names and call.program not in _VERBS and call.program not in RUNNERS:
        return
    for at, word in enumerate(words):
        option, _, value = word.partition("=")
        if option in INDEXES or option == "--from":
            value = value or (words[at + 1] if at + 1 < len(words) else "")
            if "://" in value or value.startswith("git+"):
                yield Value(kind="package index", text=value)


def _installed(program: str, words: list[str]) -> list[str]:
    """Return the names of what ``program words`` installs."""
    if program == "pacman":
        return _names(words[1:]) if words and words[0].startswith("-S") else []
    verbs, operands = _VERBS.get(program), _operands(words)
    flagged = verbs and any(word in verbs for word in words if word.startswith("-"))
    if not verbs or not (flagged or operands):
        return []
    at = 0
    while not flagged and at + 1 < len(operands) and operands[at] in _GROUPS:
        at += 1
    verb = operands[at] if operands else ""
    if not flagged and (verb in _UNDOES or not (verb in verbs or (at and verb in _INSTALLS))):
        return []
    rest = operands if flagged else operands[at + 1 :]
    return [*_of(program, verb, rest), *_beside(words)]


_INSTALLS = frozenset(["install", "add", "create", "add-json", "i", "run", "pull"])


def _of(program: str, verb: str, rest: list[str]) -> list[str]:
    if program in _URLS_ONLY:
        return [word for word in rest if "://" in word]
    if program == "uv" and verb == "run":
        return []  # a program of the project; what is added to it stands behind --with
    if program == "helm":
        rest = rest[1:2]  # the first is the name that the release gets here
    if verb in _ONE or program in ("docker", "podman", "nerdctl"):
        rest = rest[:1]
    return _names(rest)


def _beside(words: list[str]) -> list[str]:
    added = [
        word.partition("=")[2] or (words[at + 1] if at + 1 < len(words) else "")
        for at, word in enumerate(words)
        if word.partition("=")[0] in _ADDED
    ]
    return [name for word in added for one in word.split(",") if (name := _bare(one))]


def _operands(words: list[str]) -> list[str]:
    operands = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _TAKES_VALUE:
            skip = True
        elif not word.startswith("-"):
            operands.append(word)
    return operands


def _names(words: list[str]) -> list[str]:
    return [name for word in _operands(words) if word not in _SKIPPED and (name := _bare(word))]


def _bare(word: str) -> str:
    """Return the name in ``foo[extra]>=1.2``, ``@scope/foo@1``, ``foo:latest``; a path has none."""
    if word.startswith((".", "/", "~", "file:", "$", "-")) or word.endswith(
        (".txt", ".whl", ".lock")
    ):
        return ""
    if "://" in word or word.startswith("git+"):
        return word
    name = re.split(r"[\[<>=!~;,\s]|(?<=.)@|(?<=\w):", word, maxsplit=1)[0]
    return name if _NAME.fullmatch(name) else ""
