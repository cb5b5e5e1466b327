"""Databases, locks and kept files are opened by ``snaphook.storage`` and by nobody else.

A store that does it by hand loses what the package knows: that closing a descriptor drops SQLite's locks,
that a rename lasts only when the folder is synced, and that a file is its owner's alone.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SRC = Path(__file__).parents[2] / "src" / "snaphook"
EXCEPTIONS: dict[str, tuple[set[str], str]] = {
    "cli/guard/prompt.py": ({"fcntl"}, "asks the terminal, by ioctl"),
    "daemon/socket_path.py": (
        {"os.open"},
        "the Python client imports next to nothing, not even pathlib",
    ),
    "sandbox/appeared.py": ({"shutil.move"}, "moves what a command made out of the project"),
    "sandbox/apply.py": (
        {"os.fsync", "os.replace", "shutil.copy2"},
        "puts a project's files in place, links and permissions as they are, by its own journal",
    ),
    "stores/eventlog/tidy.py": (
        {"open for writing"},
        "gzip writes a draft, synced and moved by us",
    ),
    "stores/snapshots/restore.py": (
        {"symlink_to", "tempfile.NamedTemporaryFile"},
        "brings back links; git reads settings from a temporary file",
    ),
    "stores/workspace/backups.py": ({"os.link", "shutil.copy2"}, "a version is kept by a link"),
    "stores/workspace/journal.py": ({"os.link"}, "a version is kept by a link"),
    "testing/agents/program.py": ({"write_text"}, "settings of agents that a test drives"),
}
"""What a module may do all the same, and why."""
MODULES = {"fcntl", "msvcrt", "filelock", "portalocker", "fasteners"}
CALLS = {
    *(f"sqlite3.{name}" for name in ("connect", "Connection")),
    *(
        "apsw.Connection",
        "psycopg.connect",
        "psycopg.Connection.connect",
        "psycopg_pool.ConnectionPool",
    ),
    *(
        f"os.{name}"
        for name in ("open", "replace", "rename", "renames", "link", "fsync", "fdatasync")
    ),
    *(f"tempfile.{name}" for name in ("mkstemp", "NamedTemporaryFile")),
    *(f"shutil.{name}" for name in ("copy", "copy2", "copyfile", "move")),
}
METHODS = {"write_text", "write_bytes", "rename", "touch", "hardlink_to", "symlink_to"}


def sources() -> Iterator[Path]:
    for path in sorted(SRC.rglob("*.py")):
        if not path.is_relative_to(SRC / "storage"):
            yield path


def by_hand(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of everything in *tree* that only the storage package may do."""
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, a.name) for a in names if a.name in MODULES)
            case ast.ImportFrom(module=str(module), names=names):
                if module in MODULES:
                    yield node.lineno, module
                asked = {f"{module}.{a.name}" for a in names} & CALLS
                yield from ((node.lineno, name) for name in asked)
            case ast.Call():
                yield from ((node.lineno, name) for name in _called(node))


def _called(call: ast.Call) -> Iterator[str]:
    name = ast.unparse(call.func)
    if name in CALLS:
        if name != "os.open" or _opens_a_kept_file(call):
            yield name
    elif isinstance(call.func, ast.Attribute) and call.func.attr in METHODS:
        yield call.func.attr
    elif isinstance(call.func, ast.Attribute) and call.func.attr == "replace":
        # Path.replace has one argument; str.replace has two, and the others take keywords.
        if len(call.args) == 1 and not call.keywords:
            yield "Path.replace"
    elif name.rpartition(".")[2] == "open" and _writes(call):
        yield "open for writing"


def _opens_a_kept_file(call: ast.Call) -> bool:
    """Say whether an ``os.open`` is for writing, and not of a device."""
    path, *flags = map(ast.unparse, call.args)
    to_write = any(flag in " ".join(flags) for flag in ("O_WRONLY", "O_RDWR", "O_CREAT", "flags"))
    return to_write and not path.startswith(("os.devnull", "'/dev/"))


def _writes(call: ast.Call) -> bool:
    given = [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]
    modes = [arg.value for arg in given if isinstance(arg, ast.Constant) and type(arg.value) is str]
    return any(set(mode) <= set("rwaxbt+") and set(mode) & set("wax+") for mode in modes if mode)


def found() -> dict[str, list[tuple[int, str]]]:
    """Return what each module does by hand."""
    return {
        path.relative_to(SRC).as_posix(): list(by_hand(ast.parse(path.read_text("utf-8"))))
        for path in sources()
    }


def test_only_the_storage_package_opens_locks_and_writes():
    wrong = [
        f"{module}:{line}: {name}"
        for module, uses in found().items()
        for line, name in uses
        if name not in EXCEPTIONS.get(module, (set(), ""))[0]
    ]

    assert wrong == [], "use snaphook.storage: sqlite, postgres, lock, files, appending, in_place"


def test_no_exception_outlives_its_reason():
    uses = {module: {name for _, name in each} for module, each in found().items()}

    for module, (names, why) in EXCEPTIONS.items():
        assert why
        assert module not in uses or names <= uses[module], f"{module} no longer needs {names}"


@pytest.mark.parametrize(
    "line",
    [
        "import fcntl",
        "from filelock import FileLock",
        "db = sqlite3.connect(path)",
        "from sqlite3 import connect",
        "db = psycopg.connect(url)",
        "os.close(os.open(path, os.O_CREAT))",
        "draft.replace(path)",
        "os.replace(draft, path)",
        "path.write_text('x')",
        "path.open('ab')",
        "open(path, mode='w')",
        "gzip.open(draft, 'wb')",
        "os.fsync(fd)",
    ],
)
def test_a_store_that_does_it_by_hand_is_found(line):
    assert list(by_hand(ast.parse(line)))


@pytest.mark.parametrize(
    "line",
    [
        "text.replace('a', 'b')",
        "replace(event, name='x')",
        "moment.replace(microsecond=0)",
        "path.open('rb')",
        "path.open(encoding='utf-8')",
        "files.replace(path, raw)",
        "webbrowser.open(url)",
        "os.open(path, os.O_RDONLY | os.O_NOFOLLOW)",
        "os.open(os.devnull, os.O_RDWR)",
    ],
)
def test_reading_and_replacing_text_are_free(line):
    assert not list(by_hand(ast.parse(line)))
