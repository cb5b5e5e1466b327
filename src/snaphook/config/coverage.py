"""What an approval has to cover so that only what was approved runs.

command, Python file, Node file  ->  files of the project, and names that must stay unused

A name that is looked up in the project before it is found elsewhere is covered as well: whoever
creates such a file later would have it run instead.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

MOST_FILES = 2_000
_RELATIVE = re.compile(r"""(?:require|import|from)\s*\(?\s*["'](\.{1,2}/[^"']+)["']""")
_ENDINGS = ("", ".js", ".mjs", ".cjs", ".ts", ".mts", ".json", "/index.js", "/index.ts")
_NODE = frozenset((".js", ".mjs", ".cjs", ".ts", ".mts"))


class Coverage(Struct, frozen=True, kw_only=True):
    """The files that run, the names that must stay unused, and what nobody can tell."""

    files: frozenset[Path] = frozenset()
    absent: frozenset[Path] = frozenset()
    unknown: tuple[str, ...] = ()

    def __or__(self, other: "Coverage") -> "Coverage":
        return Coverage(
            files=self.files | other.files,
            absent=(self.absent | other.absent) - self.files - other.files,
            unknown=tuple(dict.fromkeys((*self.unknown, *other.unknown))),
        )


Cover: TypeAlias = Callable[[str, Path], Coverage]
"""Says what a command, run in a folder, covers."""


def follow(
    start: Iterable[Path], root: Path, *, bases: tuple[Path, ...] = (), shadows: bool = True
) -> Coverage:
    """Return *start* and what those files load from the project, however indirectly.

    *bases*: where Python looks besides the folder of the file that is run. *shadows*: whether a file
    there comes before an installed module of the same name.
    """
    files: set[Path] = set()
    absent: set[Path] = set()
    unknown: list[str] = []
    first = [path for path in start if is_inside(path, root)]
    scripts = (path.parent for path in first if path.suffix == ".py" or _is_python(path))
    folders = tuple(dict.fromkeys([*bases, *scripts]))
    waiting = list(first)
    while waiting:
        path = waiting.pop()
        if path in files:
            continue
        if len(files) >= MOST_FILES:
            unknown.append(f"more than {MOST_FILES} files")
            break
        files.add(path)
        try:
            for found in loads(path, folders):
                if is_inside(found, root):
                    waiting.append(found)
                elif shadows and not _is_there(found):
                    absent.add(found)
        except (SyntaxError, ValueError, OSError, RecursionError) as problem:
            unknown.append(f"what {path} loads ({type(problem).__name__})")
    inside = frozenset(one for one in absent if one.is_relative_to(root)) - files
    return Coverage(files=frozenset(files), absent=inside, unknown=tuple(unknown))


def loads(path: Path, folders: Iterable[Path]) -> Iterator[Path]:
    """Yield every place where *path* would look for what it imports."""
    if path.suffix == ".py" or _is_python(path):
        yield from _python(path, tuple(folders))
    elif path.suffix in _NODE:
        for name in _RELATIVE.findall(path.read_text(encoding="utf-8", errors="replace")):
            yield from (Path(f"{path.parent / name}{ending}") for ending in _ENDINGS)


def module_places(module: str, folder: Path) -> Iterator[Path]:
    """Yield the files that importing *module* from *folder* would run, there or not."""
    parts = module.split(".")
    for end in range(1, len(parts) + 1):
        here = folder.joinpath(*parts[:end])
        yield from (here / "__init__.py", here.with_suffix(".py"))
    yield folder.joinpath(*parts) / "__main__.py"


def is_inside(path: Path, root: Path) -> bool:
    """Return whether *path* is a file that lies in *root*, by its name or where a link leads."""
    try:
        return path.is_file() and (
            path.is_relative_to(root) or path.resolve().is_relative_to(root.resolve())
        )
    except (OSError, ValueError):
        return False


def imported(code: str | bytes, folders: tuple[Path, ...], path: Path) -> Iterator[Path]:
    """Yield where Python *code*, which stands in *path*, looks for what it imports."""
    tree = ast.parse(code)
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                modules = [one.name for one in names]
                bases: Iterable[Path] = folders
            case ast.ImportFrom(module=module, names=names, level=0):
                modules = [str(module), *(f"{module}.{one.name}" for one in names)]
                bases = folders
            case ast.ImportFrom(module=module, names=names, level=level):
                start = f"{module}." if module else ""
                modules = [f"{start}{one.name}" for one in names] + ([module] if module else [])
                bases = [path.parents[level - 1]]
            case _:
                continue
        for base in bases:
            for module in modules:
                yield from module_places(module, base)


def _python(path: Path, folders: tuple[Path, ...]) -> Iterator[Path]:
    if (package := path.parent / "__init__.py").is_file():
        yield package
    yield from imported(path.read_bytes(), folders, path)


def _is_python(path: Path) -> bool:
    """Return whether a file without an ending says that Python runs it."""
    if path.suffix or not path.is_file():
        return False
    with path.open("rb") as file:
        return b"python" in file.readline(200).partition(b"#!")[2]


def _is_there(path: Path) -> bool:
    return path.exists() or path.is_symlink()
