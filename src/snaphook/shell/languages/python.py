"""Python: what a text would delete, write, read or start, found in its syntax tree.

'import shutil; shutil.rmtree("/")'  ->  deletes /

Text is never run. Names are followed through imports and assignments, strings through the ways
people build them (`+`, `%`, f-strings, join, chr, base64). What a name cannot be traced to is
unknown, and code that is executed without being known is opaque.
"""

from __future__ import annotations

import ast
import re
import sys
import warnings
from collections.abc import Iterator

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Call, Code, Effect, File, Shell
from snaphook.shell.languages.python_effects import EffectTable
from snaphook.shell.languages.python_secrets import SecretSources
from snaphook.shell.languages.python_values import Values
from snaphook.shell.limits import PastLimit
from snaphook.shell.paths import resolve
from snaphook.shell.text import UNKNOWN

_DEEPEST = 4
_MAGIC = re.compile(r"^[ \t]*(?:!|%sx|%system)[ \t]*(.*)$", re.MULTILINE)
_DECODES = re.compile(
    r"b64decode|fromhex|unhexlify|decompress|a2b_|marshal|rot.?13|urlopen|requests"
)


def python(code: Code, call: Call) -> Iterator[Action]:
    """Return what *code* would do."""
    for shell in _MAGIC.finditer(code.text) if call.program == "ipython" else ():
        yield Shell(text=shell[1], span=code.span, via="ipython")
    tree = _parsed(code.text)
    if tree is None:
        return
    if code.language == "import":
        tree.body = [one for one in tree.body if _runs_on_import(one)]
    else:
        yield from _imported(tree, code, call)
    values = Values(call)
    reader = _Reader(values, EffectTable(code, call), SecretSources(code, call, values))
    try:
        reader.visit(tree)
    except RecursionError:
        raise PastLimit("nests Python deeper than is followed") from None
    yield from reader.actions


_MOST_IMPORTS = 12


def _imported(tree: ast.Module, code: Code, call: Call) -> Iterator[File]:
    """Return the modules beside the code that it imports: what stands at their top runs as well."""
    names: dict[str, None] = {}
    for node in tree.body:
        if isinstance(node, ast.Import):
            names.update(dict.fromkeys(one.name for one in node.names))
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names[node.module] = None
    for name in list(names)[:_MOST_IMPORTS]:
        if name.partition(".")[0] not in sys.stdlib_module_names:
            path = resolve(f"{name.replace('.', '/')}.py", call.cwd)
            yield File(path=path, language="import", span=code.span)


def _runs_on_import(node: ast.stmt) -> bool:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return False
    return not (isinstance(node, ast.If) and "__name__" in ast.unparse(node.test))


def _parsed(text: str) -> ast.Module | None:
    """Return the tree of *text*; one that only an unknown run spoils is read around it."""
    for attempt in (text, text.replace(UNKNOWN, "_"), _MAGIC.sub("", text)):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return ast.parse(attempt)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


class _Reader(ast.NodeVisitor):
    """Goes through a tree in the order it would run, and notes what its calls do."""

    def __init__(self, values: Values, tell: EffectTable, secrets: SecretSources) -> None:
        self.values = values
        self.secrets = secrets
        self.tell = tell
        self.actions: list[Action] = []
        self.depth = 0
        self.alone: ast.expr | None = None

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            self.values.names[one.asname or one.name.partition(".")[0]] = self.values.module(
                one.name if one.asname else one.name.partition(".")[0]
            )

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        for one in node.names:
            dotted = f"{node.module}.{one.name}"
            if one.name == "*":
                self.values.stars.append(node.module or "")
            self.values.names[one.asname or one.name] = self.values.module(dotted)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        for target in node.targets:
            self.values.bind(target, node.value)
            self.secrets.bind(target, node.value)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.visit(node.value)
            self.values.bind(node.target, node.value)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> None:
        self.visit(node.value)
        self.values.bind(node.target, node.value)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self.values.bind_each(node.target, node.iter)
        self.secrets.bind(node.target, node.iter)
        for one in (*node.body, *node.orelse):
            self.visit(one)

    def visit_If(self, node: ast.If) -> None:
        """Go through both branches; in the first, names are what the test says they are."""
        self.visit(node.test)
        before = dict(self.values.names)
        self.values.names.update(self.values.narrowed(node.test))
        for one in node.body:
            self.visit(one)
        for name, value in before.items():
            if name in self.values.narrowed(node.test):
                self.values.names[name] = value
        for one in node.orelse:
            self.visit(one)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.value)
        if isinstance(node.target, ast.Name) and isinstance(node.op, ast.Add):
            joined = ast.BinOp(left=node.target, op=node.op, right=node.value)
            self.values.names[node.target.id] = self.values.value(joined)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        self.visit(node.iter)
        self.values.bind_each(node.target, node.iter)
        self.secrets.bind(node.target, node.iter)
        for test in node.ifs:
            self.visit(test)
            self.values.names.update(self.values.narrowed(test))

    def visit_ListComp(self, node: ast.ListComp) -> None:
        for one in node.generators:
            self.visit(one)
        self.visit(node.elt)

    visit_SetComp = visit_GeneratorExp = visit_ListComp  # type: ignore[assignment]  # noqa: N815

    def visit_With(self, node: ast.With) -> None:
        for item in node.items:
            self.visit(item.context_expr)
            if item.optional_vars is not None:
                self.values.bind(item.optional_vars, item.context_expr)
                self.secrets.bind(item.optional_vars, item.context_expr)
        for one in node.body:
            self.visit(one)

    def visit_Expr(self, node: ast.Expr) -> None:
        """Remember a call that stands alone: `open(path, "w")` with nothing written."""
        self.alone = node.value
        self.visit(node.value)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        name, subject = self.values.called(node.func)
        self._grown(name, node)
        if name in ("exec", "eval", "builtins.exec", "builtins.eval") and node.args:
            self._executed(node.args[0])
            return
        if name == "map" and len(node.args) > 1:
            name, subject = self.values.called(node.args[0])
            node = ast.Call(func=node.args[0], args=node.args[1:], keywords=[])
        self.actions += self.secrets.effects(name, node)
        for action in self.tell.actions(name, subject, node, self.values):
            emptied = node is self.alone and isinstance(action, Effect) and action.act is Act.WRITE
            self.actions.append(
                replace(action, act=Act.OVERWRITE) if emptied and name == "open" else action
            )

    def _grown(self, name: str, node: ast.Call) -> None:
        """Follow what a list is given before it is run: `words.append("src")`."""
        if name not in (".append", ".extend", ".insert") or not node.args:
            return
        if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Name):
            given = self.values.value(node.args[-1])
            more = given if name == ".extend" and isinstance(given, tuple) else (given,)
            self.values.extend(node.func.value.id, more)

    def _executed(self, node: ast.expr) -> None:
        """Follow text that the code itself executes."""
        if isinstance(node, ast.Call) and self.values.called(node.func)[0] == "compile":
            node = node.args[0] if node.args else node
        if (path := _file_read(node, self.values)) is not None:
            self.actions.append(self.tell.runs_file(path))
            return
        if _DECODES.search(ast.unparse(node)):
            self.actions.append(self.tell.opaque("text that it first decodes and then executes"))
        text = self.values.text(node)
        tree = None if text is None or UNKNOWN in text else _parsed(text)
        if tree is None or self.depth >= _DEEPEST:
            self.actions.append(self.tell.opaque("the text that its exec or eval is given"))
            return
        self.depth += 1
        self.visit(tree)
        self.depth -= 1


def _file_read(node: ast.expr, values: Values) -> str | None:
    """Return the path of `open(path).read()` or `Path(path).read_text()`, where it is known."""
    match node:
        case ast.Call(func=ast.Attribute(value=subject, attr="read" | "read_text" | "read_bytes")):
            path = values.text(subject)
            return path if path and UNKNOWN not in path else None
    return None
