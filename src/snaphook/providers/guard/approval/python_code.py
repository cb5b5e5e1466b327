"""Proof that a piece of Python does nothing but compute, read and print.

text  ->  the reason why it is not proved, or nothing

Works by what is allowed: every import, every builtin and every attribute must be known to be
harmless by name. Dynamic ways to reach a name (getattr, eval, __dict__) are refused, so a name that
does not stand in the text cannot be called. In a trusted project its own modules and installed
packages may be imported; their verbs that destroy, send or start something stay refused.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import lru_cache

from msgspec import Struct

from snaphook.lazy import regex

_LONGEST = 40_000
_PURE_TEXT = """
    abc ast base64 binascii bisect calendar cmath collections colorsys contextlib copy dataclasses
    datetime decimal difflib dis enum fractions functools hashlib heapq html io itertools json
    keyword locale math numbers operator pprint random re reprlib statistics string struct sys
    textwrap time token tokenize traceback types typing unicodedata uuid warnings xml zlib csv
    configparser tomllib fnmatch glob pathlib os importlib platform inspect __future__ unittest
    logging argparse secrets
    """
_PURE = frozenset(_PURE_TEXT.split())
_NEVER_TEXT = """
    subprocess socket ssl http urllib ftplib smtplib telnetlib poplib imaplib xmlrpc socketserver
    asyncio multiprocessing threading concurrent ctypes cffi _ctypes mmap shutil tempfile signal pty
    tty fcntl resource pickle shelve marshal dbm sqlite3 code codeop runpy imp pkgutil zipimport
    ensurepip venv pip setuptools distutils webbrowser winreg msvcrt nt posix atexit gc sched
    requests httpx aiohttp urllib3 websocket websockets paramiko fabric invoke sh plumbum pexpect boto3
    botocore google azure kubernetes docker openai anthropic psycopg psycopg2 pymysql mysql redis
    pymongo sqlalchemy peewee cx_Oracle asyncpg celery kafka pika stripe twilio slack_sdk telegram
    selenium playwright scrapy pyautogui keyring dotenv getpass netrc cryptography git github
    psutil pywin32 win32api elasticsearch neo4j snaphook builtins nturl2path antigravity this
    """
_NEVER = frozenset(_NEVER_TEXT.split())
"""Modules that start, send, or open what a proof cannot see into."""
_REFUSED_NAMES_TEXT = """
    eval exec compile __import__ getattr setattr delattr globals locals vars input breakpoint
    __builtins__ __loader__ __spec__ attrgetter methodcaller getmembers Formatter
    """
_REFUSED_NAMES = frozenset(_REFUSED_NAMES_TEXT.split())
_OS_READS_TEXT = """
    path getcwd listdir scandir walk sep linesep pathsep curdir pardir extsep name stat lstat access
    cpu_count getpid uname fspath fsencode fsdecode R_OK W_OK X_OK F_OK altsep
    """
_OS_READS = frozenset(_OS_READS_TEXT.split())
_SYS_READS_TEXT = """
    path version version_info argv stdout stderr stdin executable platform maxsize byteorder
    exit getsizeof getrecursionlimit setrecursionlimit exc_info implementation prefix flags
    """
_SYS_READS = frozenset(_SYS_READS_TEXT.split())
_VERBS = regex(
    r"(?:^|_)(?:system|popen|spawn\w*|exec\w*|fork\w*|kill\w*|terminate|remove\w*|unlink|rmtree|rmdir"
    r"|rename\w*|delete\w*|drop\w*|destroy\w*|purge\w*|truncate|wipe\w*|flush\w*|reset\w*|send\w*|post"
    r"|put|patch|upload\w*|publish\w*|push\w*|request\w*|connect\w*|urlopen|urlretrieve|download\w*"
    r"|write\w*|save\w*|dump|to_csv|to_json|to_excel|to_sql|to_parquet|to_pickle|savez?|savetxt|mkdir"
    r"|makedirs|touch|chmod|chown|symlink\w*|link\w*|hardlink\w*|copy2|copyfile|copytree|move|install"
    r"|deploy\w*|commit|rollback|migrate|call_command|run_command|check_call|check_output|getoutput"
    r"|import_module|load_module|exec_module|load_library|cdll|loads?_pickle|create_all|drop_all"
    r"|environ\w*|getenv|putenv|setenv|expanduser|home|run|Popen|Process|Thread|apply_async|submit"
    r"|bulk_\w*|format_map|__\w+__|f_\w+|tb_\w+|gi_\w+|cr_\w+|func_\w+|mro|modules|eval|extract\w*"
    r"|FileIO|FileHandler|\w*FileHandler|open_code|attrgetter|methodcaller|getmembers\w*|getattr\w*"
    r"|Formatter|get_field|vformat|loadTests\w*|dictConfig|fileConfig|FunctionType|CodeType|locate"
    r"|read_pickle|safe_eval|literal_exec|tofile|memmap)$"
)
"""Attributes that change, send, start or reach something, whatever they are an attribute of."""
_HARMLESS_VERBS_TEXT = """
    __name__ __doc__ __version__ __file__ __class__ __init__ reset_index dropna drop_duplicates
    """
_HARMLESS_VERBS = frozenset(_HARMLESS_VERBS_TEXT.split())
_CHECKED_CALLS = frozenset({"write", "writelines", "write_text", "write_bytes", "dump"})
"""Attributes that are looked at where they are called."""
_READ_MODES = frozenset({"r", "rb", "rt"})
_WRITE_MODES = frozenset({"w", "wb", "wt", "a", "at", "x"})
_STDLIB = frozenset(sys.stdlib_module_names)


class CodeProof(Struct, frozen=True, kw_only=True):
    """What a piece of code does: *reason* says why that is not proved; else only these files count."""

    reason: str = ""
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()


class CodeFinding(Exception):  # noqa: N818 - not an error of anybody's: it ends the walk
    """The first thing that is not proved."""


@lru_cache(maxsize=256)
def prove_python(text: str, *, trusted: bool = False) -> CodeProof:
    """Return what *text* does; *trusted*: it may import the project's own code and write files."""
    if len(text) > _LONGEST:
        return CodeProof(reason="runs Python that is too long to read")
    walk = _Walk(trusted=trusted)
    try:
        walk.check(ast.parse(text))
    except CodeFinding as found:
        return CodeProof(reason=f"runs Python that {found}")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return CodeProof(reason="runs Python that cannot be parsed")
    return CodeProof(reads=tuple(walk.reads), writes=tuple(walk.writes))


class _Walk:
    """Looks at every node once."""

    def __init__(self, *, trusted: bool) -> None:
        self.trusted = trusted
        self.reads: list[str] = []
        self.writes: list[str] = []
        self.files: set[str] = set()
        """Names bound to files that were opened to write, by a path in the text."""

    def check(self, tree: ast.Module) -> None:
        """Raise for the first thing in *tree* that is not proved."""
        nodes = list(ast.walk(tree))
        self.files = set(_opened_names(nodes))
        for node in nodes:
            match node:
                case ast.Import():
                    for alias in node.names:
                        self._module(alias.name)
                case ast.ImportFrom():
                    self._import_from(node)
                case ast.Name():
                    _name(node)
                case ast.Attribute():
                    _attribute(node)
                case ast.Call():
                    self._call(node)
                case ast.MatchClass():
                    raise CodeFinding("matches attributes")  # reaches a name without spelling a.b
                case ast.Constant(value=str(text)):
                    self._text(text)

    def _module(self, name: str) -> None:
        top = name.partition(".")[0]
        if top in _NEVER or name in ("importlib.util", "importlib.machinery", "logging.config"):
            raise CodeFinding(f"imports {name}")
        if top not in _PURE and (top in _STDLIB or not self.trusted):
            raise CodeFinding(f"imports {top}")

    def _import_from(self, node: ast.ImportFrom) -> None:
        if node.level and not self.trusted:
            raise CodeFinding("imports code beside it")
        if node.module:
            self._module(node.module)
        for alias in node.names:
            if alias.name == "*" and (not self.trusted or node.module in ("os", "sys")):
                raise CodeFinding("imports every name of a module")
            _reached(node.module or "", alias.name)

    def _call(self, node: ast.Call) -> None:
        match node.func:
            case ast.Name(id="open"):
                self._opened(node)
            case ast.Attribute(attr="open" | "read_text" | "read_bytes", value=value):
                self._path_read(node, value)
            case ast.Attribute(attr="write_text" | "write_bytes", value=value):
                self._path_written(value)
            case ast.Attribute(attr="write" | "writelines", value=value):
                self._written(value)
            case ast.Attribute(attr="dump"):
                self._dumped(node)
            case ast.Attribute(attr="replace") if len(node.args) == 1 and not node.keywords:
                raise CodeFinding("may move a file")
            case ast.Attribute(attr="basicConfig") if node.keywords:
                if any(one.arg in (None, "filename", "handlers") for one in node.keywords):
                    raise CodeFinding("writes a log file")

    def _text(self, text: str) -> None:
        """Refuse names that reach into objects; note what looks like the path of a file."""
        if text != "__main__" and _DUNDER.search(text):
            raise CodeFinding(f"names {text!r}")
        if len(text) < _LONGEST_PATH and _PATH.search(text):
            self.reads.append(text)

    def _opened(self, node: ast.Call) -> None:
        """Take a file that the text names; one whose name is worked out is not proved."""
        mode = _mode(node)
        path = _literal(node.args[0]) if node.args else None
        if path is None:
            raise CodeFinding("opens a file whose name it works out")
        if mode in _READ_MODES:
            self.reads.append(path)
        elif mode in _WRITE_MODES and self.trusted:
            self.writes.append(path)
        else:
            raise CodeFinding("opens a file to write it")

    def _path_read(self, node: ast.Call, value: ast.expr) -> None:
        given = [_literal(one) for one in node.args]
        if len(given) > 1 or any(one not in _READ_MODES for one in given):
            raise CodeFinding("opens a file to write it")
        if any(one.arg in (None, "mode", "opener") for one in node.keywords):
            raise CodeFinding("opens a file to write it")
        if (path := _path_literal(value)) is None:
            raise CodeFinding("reads a file whose name it works out")
        self.reads.append(path)

    def _path_written(self, value: ast.expr) -> None:
        path = _path_literal(value)
        if path is None or not self.trusted:
            raise CodeFinding("writes a file")
        self.writes.append(path)

    def _written(self, target: ast.expr) -> None:
        """Refuse a write to anything but the standard streams and files named in the text."""
        if isinstance(target, ast.Name) and target.id in self.files:
            return
        streams = isinstance(target, ast.Attribute) and target.attr in ("stdout", "stderr")
        if isinstance(target, ast.Call) and isinstance(target.func, ast.Name):
            streams = target.func.id == "open"  # the call itself is looked at
        if not streams:
            raise CodeFinding("writes to a file")

    def _dumped(self, node: ast.Call) -> None:
        """Take json.dump to a file that the text names."""
        to = node.args[1] if len(node.args) == 2 else None
        if isinstance(to, ast.Name) and to.id in self.files:
            return
        raise CodeFinding("writes to a file")


def _reached(module: str, name: str) -> None:
    """Refuse what *module* offers under *name*, where that is known to do something."""
    if module == "os" and name not in _OS_READS:
        raise CodeFinding(f"uses os.{name}")
    if module == "sys" and name not in _SYS_READS:
        raise CodeFinding(f"uses sys.{name}")
    if module == "importlib" and name not in ("metadata", "resources", "reload"):
        raise CodeFinding(f"uses importlib.{name}")
    if name in _REFUSED_NAMES or (_VERBS.search(name) and name not in _HARMLESS_VERBS):
        raise CodeFinding(f"uses {name}")


def _name(node: ast.Name) -> None:
    name = node.id
    if name in _REFUSED_NAMES or (name.startswith("__") and name not in _DUNDER_NAMES):
        raise CodeFinding(f"uses {name}")
    if name == "open" and isinstance(node.ctx, ast.Store):
        raise CodeFinding("binds open")


def _attribute(node: ast.Attribute) -> None:
    name = node.attr
    if isinstance(node.value, ast.Name) and node.value.id in ("os", "sys", "importlib"):
        _reached(node.value.id, name)
    elif name not in _HARMLESS_VERBS and name not in _CHECKED_CALLS and _VERBS.search(name):
        raise CodeFinding(f"uses .{name}")


_DUNDER = regex(r"^__\w+__$")
_DUNDER_NAMES = frozenset({"__name__", "__file__", "__doc__"})
_PATH = regex(r"^[^\s\0]*[/.][^\s\0]*$")
_LONGEST_PATH = 300


def _opened_names(nodes: list[ast.AST]) -> Iterator[str]:
    """Yield the names that only ever stand for an opened file: with open(…) as f, f = open(…)."""
    bound: dict[str, list[bool]] = {}
    for node in nodes:
        match node:
            case ast.withitem(context_expr=value, optional_vars=ast.Name(id=name)):
                bound.setdefault(name, []).append(_is_open(value))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                bound.setdefault(name, []).append(_is_open(value))
            case ast.Name(id=name, ctx=ast.Store()):
                bound.setdefault(name, []).append(True)
            case ast.arg(arg=name):
                bound.setdefault(name, []).append(False)
    stored = [
        node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    for name, opened in bound.items():
        # each binding is counted twice: once as the statement, once as the stored name
        if all(opened) and len(opened) == 2 * stored.count(name):
            yield name


def _is_open(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "open"


def _mode(node: ast.Call) -> str | None:
    """Return the mode that a call of open names; nothing where only the run can tell."""
    given: ast.expr | None = node.args[1] if len(node.args) > 1 else None
    for keyword in node.keywords:
        if keyword.arg in (None, "opener", "file"):
            return None
        if keyword.arg == "mode":
            given = keyword.value
    if any(isinstance(one, ast.Starred) for one in node.args):
        return None
    return "r" if given is None else _literal(given)


def _literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _path_literal(node: ast.expr) -> str | None:
    """Return the path of Path("a"), pathlib.Path("a") / "b"."""
    match node:
        case ast.Call(func=ast.Name(id="Path") | ast.Attribute(attr="Path"), args=[one]):
            return _literal(one)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            first, second = _path_literal(left), _literal(right)
            return f"{first}/{second}" if first is not None and second is not None else None
    return None
