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


def packages(call: Call) -> Iterator[Value]:
    """Yield what *call* installs, and the indexes it takes it from."""
    words = [arg.text for arg in call.args]
    if call.program in RUNNERS:
        named = call.operands[:1]
        yield from (Value(kind="package", text=_bare(arg.text)) for arg in named if _bare(arg.text))
    elif not _installs(call, words):
        return
    else:
        kind = "image" if call.program in ("docker", "podman", "nerdctl") else "package"
        names = _names(words)
        for name in names if kind == "package" else names[:1]:
            yield Value(kind=kind, text=name)
    for at, word in enumerate(words):
        option, _, value = word.partition("=")
        if option in INDEXES or option == "--from":
            value = value or (words[at + 1] if at + 1 < len(words) else "")
            if "://" in value or value.startswith("git+"):
                yield Value(kind="package index", text=value)


def _installs(call: Call, words: list[str]) -> bool:
    verbs = _VERBS.get(call.program)
    if verbs is None:
        return False
    return any(word in verbs for word in words[:3]) or (
        call.program == "pacman" and words[0].startswith("-S")
    )


def _names(words: list[str]) -> list[str]:
    names = []
    skip = False
    for word in words:
        if skip:
            skip = False
        elif word in _TAKES_VALUE:
            skip = True
        elif not word.startswith("-") and word not in _SKIPPED and (name := _bare(word)):
            names.append(name)
    return names


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
