"""What a text mentions by name: files, symbols, tasks, people, commands, errors.

text  ->  Entity, …

Pure. Better to miss a name than to take a plain word for one: a name that is everywhere links
nothing.
"""

import re
from collections.abc import Iterator

from .values import Entity, EntityKind

_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://\S+")
_CODE = re.compile(r"`([^`\n]+)`")
_FILE = re.compile(
    r"(?<![\w@/.~-])(?:~|\.{1,2})?/?(?:[\w.@+-]+/)*[\w.@+-]*[\w+-]\.(?:[a-z][a-z0-9]{0,4}|lock)"
    r"(?![\w/(])"
)
_WRITTEN = (
    "bash c cc cfg cjs conf cpp cs css csv env go gradle h hpp html ini ipynb java js json "
    "jsonl jsx kt lock log lua md mjs php pl proto ps1 py pyi rb rs rst scala scss sh sql "
    "svelte svg swift tf toml ts tsx txt vue xml yaml yml zig"
)
_NAMED = re.compile(r"\b(?:Dockerfile|Makefile|Justfile|Procfile|CMakeLists\.txt|\.gitignore)\b")
_TASK = re.compile(r"\b([A-Z][A-Z0-9]{1,9}-\d{1,6}(?:-\d{1,6})*)\b|(?<![\w&/])#(\d{1,6})\b")
_NO_TASK = frozenset({"UTF", "SHA", "ISO", "RFC", "AES", "RSA", "X", "HTTP", "BASE", "CVE", "UCS"})
_HANDLE = re.compile(r"(?<![\w.`/@])@([A-Za-z][\w-]{1,38})(?![\w/.(-])")
_ERROR = re.compile(r"\b(?:[A-Z]\w*(?:Error|Exception|Warning|Fault)|E[A-Z]{4,12})\b")
_SYMBOL = re.compile(
    r"(?<![\w./-])(?:[A-Za-z_]\w*\.)*(?:[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|"
    r"_*[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+)(?:\(\))?(?![\w/])"
)
_CODE_SYMBOL = re.compile(r"[A-Za-z_][\w:]*(?:\.[A-Za-z_]\w*)*(?:\(\))?")
_RUN = (
    "alembic ansible apt aws az bash brew bun bundle cargo cmake composer curl deno docker "
    "dotnet eslint flask gcc gcloud gh git go gradle gunicorn helm java jest just kubectl ls "
    "make mypy mvn nc node nox npm npx nvm pip pipx pnpm poetry pre-commit psql pytest python "
    "python3 rails rake redis-cli rg rsync ruff rustc rustup scp sed sh snaphook sqlite3 ssh "
    "systemctl tar terraform tox tsc uv uvicorn vite vitest wget yarn"
)
_EXTENSIONS = frozenset(_WRITTEN.split())
_PROGRAMS = frozenset(_RUN.split())
_MOST = 12
"""So many of one text are kept."""


def entities(text: str) -> tuple[Entity, ...]:
    """Return what *text* mentions, each once, in order of kind."""
    plain = _URL.sub(" ", text)
    code = _CODE.findall(plain)
    found = dict.fromkeys(
        Entity(kind=kind, name=name)
        for kind, name in (
            *_files(plain),
            *_tasks(plain),
            *((EntityKind.ERROR, name) for name in _ERROR.findall(plain)),
            *_commands(code),
            *((EntityKind.HANDLE, name) for name in _HANDLE.findall(_CODE.sub(" ", plain))),
            *_symbols(plain, code),
        )
    )
    return tuple(found)[:_MOST]


def command_entity(command: str) -> Entity | None:
    """Return the program and subcommand that *command* runs, if it is one we know."""
    words = command.strip().removeprefix("$ ").split()
    while words and "=" in words[0]:
        words = words[1:]
    if not words or words[0] not in _PROGRAMS:
        return None
    second = words[1] if len(words) > 1 and re.fullmatch(r"[a-z][\w:-]*", words[1]) else ""
    return Entity(kind=EntityKind.COMMAND, name=f"{words[0]} {second}".strip())


def _files(text: str) -> Iterator[tuple[EntityKind, str]]:
    for match in _FILE.finditer(text):
        name = match.group().removeprefix("./")
        if name.rsplit(".", 1)[-1] in _EXTENSIONS and not name.startswith("."):
            yield EntityKind.FILE, name
    for name in _NAMED.findall(text):
        yield EntityKind.FILE, name


def _tasks(text: str) -> Iterator[tuple[EntityKind, str]]:
    for name, number in _TASK.findall(text):
        if number:
            yield EntityKind.TASK, f"#{number}"
        elif name.split("-")[0] not in _NO_TASK:
            yield EntityKind.TASK, name


def _commands(code: list[str]) -> Iterator[tuple[EntityKind, str]]:
    for snippet in code:
        found = command_entity(snippet)
        if found and " " in snippet.strip():
            yield found.kind, found.name


def _symbols(text: str, code: list[str]) -> Iterator[tuple[EntityKind, str]]:
    names = [snippet for snippet in code if _CODE_SYMBOL.fullmatch(snippet)]
    names += _SYMBOL.findall(_FILE.sub(" ", text))
    for name in names:
        bare = name.removesuffix("()")
        extension = bare.rsplit(".", 1)[-1] if "." in bare else ""
        known = bare in _PROGRAMS or extension in _EXTENSIONS or _ERROR.fullmatch(bare)
        if len(bare) > 2 and not known:
            yield EntityKind.SYMBOL, bare
