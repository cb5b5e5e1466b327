"""What the expressions of a Python text stand for, as far as that is known before a run.

'"/" + chr(101) + "tc"'  ->  '/etc'
"""

from __future__ import annotations

import ast
import base64
import binascii
from collections.abc import Callable, Sequence
from posixpath import join

from snaphook.shell.facts import Call
from snaphook.shell.text import STAR, UNKNOWN, globbed
from snaphook.shell.worth import is_build_name

_LONGEST = 20_000
_MOST_WORDS = 200


class Module(str):
    """The dotted name of something imported."""

    __slots__ = ()


class Path(str):
    """A pathlib path."""

    __slots__ = ()


class Opened(str):
    """The path of an open file."""

    __slots__ = ()


Value = str | tuple["Value | None", ...]
"""Text, a dotted name, a path, or a sequence of such."""


class Values:
    """The names of one text and what they hold; nothing where only a run can tell."""

    def __init__(self, call: Call) -> None:
        self.call = call
        self.names: dict[str, Value | None] = {}
        self.stars: list[str] = []

    @staticmethod
    def module(name: str) -> Module:
        """Return *name* as something imported."""
        return Module(name)

    def bind(self, target: ast.expr, node: ast.expr) -> None:
        """Let *target* hold what *node* stands for."""
        if isinstance(target, ast.Name):
            self.names[target.id] = self.value(node)
        elif isinstance(target, ast.Tuple) and isinstance(node, ast.Tuple):
            for one, value in zip(target.elts, node.elts, strict=False):
                self.bind(one, value)

    def bind_each(self, target: ast.expr, node: ast.expr) -> None:
        """Let *target* hold any of what *node* gives in turn."""
        given = self.value(node)
        if isinstance(target, ast.Tuple):
            walks = isinstance(node, ast.Call) and self.called(node.func)[0] in _WALKS
            for one in target.elts[:1]:
                self.bind_each(one, node)
            for one in target.elts[1:]:
                if isinstance(one, ast.Name):
                    self.names[one.id] = STAR if walks else None
        elif isinstance(target, ast.Name):
            if isinstance(given, tuple):
                self.names[target.id] = next((one for one in given if one is not None), None)
            else:
                self.names[target.id] = given

    def extend(self, name: str, values: Sequence[Value | None]) -> None:
        """Let the list *name* hold *values*, too: `words.append(x)`."""
        held = self.names.get(name)
        if isinstance(held, tuple) and len(held) < _MOST_WORDS:
            self.names[name] = (*held, *values)

    def narrowed(self, test: ast.expr) -> dict[str, Value | None]:
        """Return what names hold where *test* is true: `name.endswith(".pyc")`, `name == "x"`."""
        found: dict[str, Value | None] = {}
        for node in ast.walk(test):
            match node:
                case ast.Call(func=ast.Attribute(value=subject, attr="endswith"), args=[ending]):
                    given = self.value(ending)
                    texts = given if isinstance(given, tuple) else (given,)
                    self._narrow(
                        subject, [f"{STAR}{one}" for one in texts if isinstance(one, str)], found
                    )
                case ast.Compare(left=subject, ops=[ast.Eq()], comparators=[other]):
                    text = self.text(other)
                    suffix = isinstance(subject, ast.Attribute) and subject.attr == "suffix"
                    shape = f"{STAR}{text}" if suffix else text
                    self._narrow(subject, [shape] if text and shape else [], found)
        return found

    def _narrow(self, subject: ast.expr, shapes: list[str], found: dict[str, Value | None]) -> None:
        """Note that *subject*, or the path whose name it is, has one of *shapes*; the worst counts."""
        outer = subject.value if isinstance(subject, ast.Attribute) else subject
        if not isinstance(outer, ast.Name) or not shapes:
            return
        held = self.names.get(outer.id)
        if not isinstance(held, str) or STAR not in held:
            return
        shape = next((one for one in shapes if not is_build_name(one)), shapes[0])
        folder = held.rpartition("/")[0]
        text = join(folder, shape) if folder else shape
        found[outer.id] = Path(text) if isinstance(held, Path) else text

    def called(self, node: ast.expr) -> tuple[str, Value | None]:
        """Return the dotted name of what is called, and what it is called on."""
        if isinstance(node, ast.Attribute):
            subject = self.value(node.value)
            if isinstance(subject, Module):
                return f"{subject}.{node.attr}", None
            return f".{node.attr}", subject
        value = self.value(node)
        if isinstance(value, Module):
            return str(value), None
        if isinstance(node, ast.Name):
            return self._starred(node.id) if node.id not in self.names else "", None
        return "", None

    def _starred(self, name: str) -> str:
        """Return *name* as the star imports may have brought it."""
        return f"{self.stars[0]}.{name}" if self.stars and name not in _BUILTINS else name

    def text(self, node: ast.expr | None) -> str | None:
        """Return the text that *node* stands for; parts may be unknown."""
        found = self.value(node) if node is not None else None
        if isinstance(found, tuple):
            return None
        return None if isinstance(found, Module) else found

    def texts(self, node: ast.expr) -> list[str]:
        """Return the words of a list, or the one text that *node* is."""
        found = self.value(node)
        if isinstance(found, tuple):
            return [UNKNOWN if one is None or isinstance(one, tuple) else one for one in found]
        return [UNKNOWN if found is None else found]

    def value(self, node: ast.expr) -> Value | None:
        """Return what *node* stands for; text that grows past all bounds is unknown."""
        found = self._value(node)
        return UNKNOWN if isinstance(found, str) and len(found) > _LONGEST else found

    def _value(self, node: ast.expr) -> Value | None:
        match node:
            case ast.Constant(value=str(text)):
                return text
            case ast.Constant(value=bytes(raw)):
                return raw.decode("utf-8", "replace")
            case ast.Constant(value=int(number)):
                return str(number)
            case ast.Name(id=name):
                return self.names.get(name)
            case ast.Attribute():
                return self._attribute(node)
            case ast.JoinedStr(values=parts):
                return "".join(self._part(part) for part in parts)
            case ast.BinOp():
                return self._operated(node)
            case ast.List(elts=items) | ast.Tuple(elts=items):
                return tuple(self.value(one) for one in items)
            case ast.Call():
                return self._result(node)
            case ast.Subscript():
                return self._item(node)
            case ast.ListComp(elt=elt) | ast.GeneratorExp(elt=elt):
                return self._built(elt, node.generators)
            case ast.IfExp(body=body):
                return self.value(body)
        return None

    def _part(self, part: ast.expr) -> str:
        if isinstance(part, ast.FormattedValue):
            return self.text(part.value) or UNKNOWN
        return self.text(part) or ""

    def _attribute(self, node: ast.Attribute) -> Value | None:
        subject = self.value(node.value)
        if isinstance(subject, Module):
            return Module(f"{subject}.{node.attr}")
        if isinstance(subject, Path) and node.attr == "parent":
            return Path(join(subject, ".."))
        return None

    def _operated(self, node: ast.BinOp) -> Value | None:
        left, right = self.value(node.left), self.value(node.right)
        match node.op:
            case ast.Add():
                if isinstance(left, tuple) and isinstance(right, tuple):
                    return left + right
                if isinstance(left, tuple) or isinstance(right, tuple) or not (left or right):
                    return None
                return (UNKNOWN if left is None else left) + (UNKNOWN if right is None else right)
            case ast.Div() if isinstance(left, Path):
                return Path(join(left, right if isinstance(right, str) else UNKNOWN))
            case ast.Mult() if isinstance(left, str) and isinstance(right, str):
                times = int(right) if right.isdecimal() and len(right) < 9 else _LONGEST
                return left * times if len(left) * times < _LONGEST else None
            case ast.Mod() if isinstance(left, str):
                return _filled(left, right if isinstance(right, tuple) else (right,))
        return None

    def _item(self, node: ast.Subscript) -> Value | None:
        subject = self.value(node.value)
        if isinstance(subject, Module) and subject == "os.environ":
            name = self.text(node.slice)
            return self.call.env.get(name or "") or ("~" if name == "HOME" else UNKNOWN)
        if isinstance(node.slice, ast.Slice) and isinstance(subject, str):
            step = node.slice.step
            backwards = isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub)
            plain = node.slice.lower is None and node.slice.upper is None
            return subject[::-1] if backwards and plain else None
        at = self.text(node.slice)
        if (
            isinstance(subject, tuple)
            and at is not None
            and at.isdigit()
            and int(at) < len(subject)
        ):
            return subject[int(at)]
        return None

    def _built(self, elt: ast.expr, generators: Sequence[ast.comprehension]) -> Value | None:
        """Return what a comprehension over a known list gives: `chr(c) for c in [114, 109]`."""
        source = self.value(generators[0].iter) if len(generators) == 1 else None
        target = generators[0].target
        if not isinstance(source, tuple | str) or not isinstance(target, ast.Name):
            return None
        before = self.names.get(target.id)
        out = []
        for one in source:
            self.names[target.id] = one
            out.append(self.value(elt))
        self.names[target.id] = before
        return tuple(out)

    def _result(self, node: ast.Call) -> Value | None:
        name, subject = self.called(node.func)
        args = [self.value(one) for one in node.args]
        if isinstance(subject, tuple):
            return None
        method = _METHODS.get(name) if subject is not None else None
        if method is not None and subject is not None:
            return method(subject, args)
        function = _FUNCTIONS.get(name)
        return function(args) if function is not None else None


Arguments = Sequence[Value | None]
_WALKS = frozenset({"os.walk", "os.fwalk", ".walk"})
_BUILTINS = frozenset(dir(__builtins__)) | {"open", "exec", "eval", "print", "chr", "getattr"}


def _word(args: Arguments, at: int = 0) -> str:
    found = args[at] if at < len(args) else None
    return found if isinstance(found, str) else UNKNOWN


def _filled(shape: str, values: Sequence[Value | None]) -> str:
    for value in values:
        for mark in ("%s", "%d", "%r", "{}"):
            if mark in shape:
                shape = shape.replace(mark, value if isinstance(value, str) else UNKNOWN, 1)
                break
    return shape


def _joined(glue: str, args: Arguments) -> str | None:
    parts = args[0] if args else None
    if parts is None or len(glue) * len(parts) > _LONGEST:
        return None
    return glue.join(one if isinstance(one, str) else UNKNOWN for one in parts)


def _replaced(text: str, old: str, new: str) -> str | None:
    return text.replace(old, new) if text.count(old) * len(new) <= _LONGEST else None


def _decoded(args: Arguments) -> str | None:
    try:
        return base64.b64decode(_word(args)).decode("utf-8", "replace")
    except (binascii.Error, ValueError):
        return None


def _unhexed(args: Arguments) -> str | None:
    try:
        return bytes.fromhex(_word(args)).decode("utf-8", "replace")
    except ValueError:
        return None


def _chr(args: Arguments) -> str | None:
    text = _word(args)
    return chr(int(text)) if text.isdigit() and int(text) < 0x110000 else None


def _bytes(args: Arguments) -> str | None:
    numbers = args[0] if args else None
    if isinstance(numbers, tuple):
        return "".join(_chr((one,)) or UNKNOWN for one in numbers)
    return _word(args)


def _path(args: Arguments) -> Path:
    return Path(join(*(_word(args, at) for at in range(len(args))))) if args else Path(".")


def _getattr(args: Arguments) -> Value | None:
    subject = args[0] if args else None
    return Module(f"{subject}.{_word(args, 1)}") if isinstance(subject, Module) else None


_FUNCTIONS: dict[str, Callable[[Arguments], Value | None]] = {
    "chr": _chr,
    "str": lambda args: _word(args),
    "bytes": _bytes,
    "bytearray": _bytes,
    "list": lambda args: args[0] if args else None,
    "sorted": lambda args: args[0] if args else None,
    "reversed": lambda args: args[0][::-1] if args and isinstance(args[0], str) else None,
    "getattr": _getattr,
    "__import__": lambda args: Module(_word(args)),
    "importlib.import_module": lambda args: Module(_word(args)),
    "base64.b64decode": _decoded,
    "base64.decodebytes": _decoded,
    "base64.urlsafe_b64decode": _decoded,
    "bytes.fromhex": _unhexed,
    "bytearray.fromhex": _unhexed,
    "binascii.unhexlify": _unhexed,
    "binascii.a2b_base64": _decoded,
    "os.path.expanduser": lambda args: _word(args),
    "os.path.expandvars": lambda args: _word(args).replace("$HOME", "~"),
    "os.path.abspath": lambda args: _word(args),
    "os.path.realpath": lambda args: _word(args),
    "os.path.join": lambda args: join(*(_word(args, at) for at in range(len(args)))),
    "os.getcwd": lambda _: ".",
    "os.getenv": lambda args: "~" if _word(args) == "HOME" else UNKNOWN,
    "os.environ.get": lambda args: "~" if _word(args) == "HOME" else UNKNOWN,
    "os.listdir": lambda _: STAR,
    "os.scandir": lambda args: join(_word(args) if args else ".", STAR),
    "os.walk": lambda args: _word(args),
    "glob.glob": lambda args: globbed(_word(args)),
    "glob.iglob": lambda args: globbed(_word(args)),
    "tempfile.mkdtemp": lambda _: "/tmp/tmp",  # noqa: S108 - where it would be
    "tempfile.gettempdir": lambda _: "/tmp",  # noqa: S108
    "pathlib.Path": _path,
    "pathlib.PosixPath": _path,
    "pathlib.Path.home": lambda _: Path("~"),
    "pathlib.Path.cwd": lambda _: Path("."),
    "shlex.split": lambda args: tuple(_word(args).split()),
    "open": lambda args: Opened(_word(args)),
}
_METHODS: dict[str, Callable[[str, Arguments], Value | None]] = {
    ".join": _joined,
    ".format": lambda text, args: _filled(text, args),
    ".replace": lambda text, args: _replaced(text, _word(args), _word(args, 1)),
    ".lower": lambda text, _: text.lower(),
    ".upper": lambda text, _: text.upper(),
    ".strip": lambda text, _: text.strip(),
    ".decode": lambda text, _: text,
    ".encode": lambda text, _: text,
    ".split": lambda text, args: tuple(text.split((_word(args) if args else None) or None)),
    ".expanduser": lambda text, _: Path(text),
    ".resolve": lambda text, _: Path(text),
    ".absolute": lambda text, _: Path(text),
    ".joinpath": lambda text, args: Path(join(text, *(_word(args, at) for at in range(len(args))))),
    ".iterdir": lambda text, _: Path(join(text, STAR)),
    ".glob": lambda text, args: Path(join(text, globbed(_word(args)))),
    ".rglob": lambda text, args: Path(join(text, globbed(_word(args)))),
}
