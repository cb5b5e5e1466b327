"""Where the values of a Python text come from: files it reads, and the environment.

'requests.post(u, data=open(".env").read())'  ->  sends .env

Names are followed from assignment to use. What only counts, compares or lists names is not told, and
what a server answers is its own.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from msgspec.structs import replace

from snaphook.shell.evaluation.secret_flow import names_secret
from snaphook.shell.facts import Act, Call, Code, Effect
from snaphook.shell.languages.common import on_path
from snaphook.shell.languages.python_values import Values
from snaphook.shell.text import UNKNOWN

ENVIRONMENT = "/proc/self/environ"
_NOTHING: frozenset[str] = frozenset()
_TELLS_LITTLE = frozenset({
    "len", "bool", "isinstance", "type", "hash", "id", "any", "all", "sorted", "list", "set", "tuple",
    "range", "enumerate", "int", "float",
})  # fmt: skip
"""Functions that say how much there is, or only the names of a mapping."""
_NETWORK = re.compile(
    r"(?:requests|httpx|urllib3?|aiohttp)(?:\.\w+)*\.(?:get|post|put|patch|delete|request|urlopen|Request)"
    r"|urlopen|Request|socket\.(?:gethostbyname(?:_ex)?|getaddrinfo|create_connection)"
    r"|dns\.resolver\.(?:resolve|query)|webbrowser\.open"
)
_METHODS = frozenset({
    ".post", ".put", ".patch", ".request", ".get", ".send", ".sendall", ".sendto", ".sendmail",
    ".send_message", ".storbinary", ".storlines", ".put_object", ".upload_file",
    ".upload_fileobj", ".resolve",
})  # fmt: skip
_IMPORTS = re.compile(
    r"\b(?:requests|httpx|urllib|aiohttp|http\.client|socket|smtplib|ftplib|paramiko|boto3|websockets?|dns)\b"
)
_PRINTS = frozenset(
    {"print", "pprint", "pprint.pprint", "rich.print", "sys.stdout.write", "logging.info"}
)
_ABOUT = frozenset({"headers", "auth", "cookies", "cert"})
"""Arguments that say who asks: a key there is what it is for."""


class SecretSources:
    """Follows what is read to where it is printed or sent, in one text."""

    def __init__(self, code: Code, call: Call, values: Values) -> None:
        self.code = code
        self.call = call
        self.values = values
        self.names: dict[str, frozenset[str]] = {}
        self.reaches = _IMPORTS.search(code.text) is not None

    def bind(self, target: ast.expr, node: ast.expr) -> None:
        """Let the names of *target* hold what *node* is made of."""
        found = self.of(node)
        for one in ast.walk(target):
            if isinstance(one, ast.Name):
                self.names[one.id] = found

    def of(self, node: ast.AST) -> frozenset[str]:
        """Return the files and variables (`$NAME`) that the value of *node* is made of."""
        match node:
            case ast.Constant() | ast.Compare():
                return _NOTHING
            case ast.Name(id=name):
                held = self.values.names.get(name)
                return (
                    frozenset({ENVIRONMENT})
                    if held == "os.environ"
                    else self.names.get(name, _NOTHING)
                )
            case ast.Attribute(value=ast.Name(id="os"), attr="environ"):
                return frozenset({ENVIRONMENT})
            case ast.Subscript(value=subject, slice=key):
                return self._picked(self.of(subject), key)
            case ast.IfExp(body=body, orelse=orelse):
                return self.of(body) | self.of(orelse)
            case ast.Call():
                return self._called(node)
        found = _NOTHING
        for child in ast.iter_child_nodes(node):
            found |= self.of(child)
        return found

    def _picked(self, subject: frozenset[str], key: ast.expr) -> frozenset[str]:
        """Return what one item of a mapping is made of: one variable of the environment."""
        if ENVIRONMENT not in subject:
            return subject
        name = self.values.text(key)
        if name is None or UNKNOWN in name:
            return subject
        rest = subject - {ENVIRONMENT}
        return rest | {f"${name}"} if names_secret(name) else rest

    def _called(self, node: ast.Call) -> frozenset[str]:
        name, _ = self.values.called(node.func)
        if name in _TELLS_LITTLE or name == ".keys" or _NETWORK.fullmatch(name):
            return _NOTHING
        if name in ("os.getenv", "os.environ.get", "environ.get", "getenv") and node.args:
            return self._picked(frozenset({ENVIRONMENT}), node.args[0])
        if name.endswith("dotenv_values"):
            given = self.values.text(node.args[0]) if node.args else ".env"
            return frozenset({given or ".env"})
        if name in ("open", "io.open", "codecs.open", "Path", "pathlib.Path") and node.args:
            path = self.values.text(node.args[0])
            return frozenset({path}) if path and UNKNOWN not in path else _NOTHING
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("get", "pop") and node.args:
            return self._picked(self.of(node.func.value), node.args[0])
        found = self.of(node.func.value) if isinstance(node.func, ast.Attribute) else _NOTHING
        for one in (*node.args, *(keyword.value for keyword in node.keywords)):
            found |= self.of(one)
        return found

    def effects(self, name: str, node: ast.Call) -> Iterator[Effect]:
        """Return what a call prints or sends of what was read before."""
        if name in _PRINTS:
            yield from self._printed(node)
        elif self.reaches and (name in _METHODS or _NETWORK.fullmatch(name)):
            yield from self._sent(node)

    def _printed(self, node: ast.Call) -> Iterator[Effect]:
        sources: frozenset[str] = frozenset().union(*(self.of(one) for one in node.args))
        for source in sorted(sources):
            path = ENVIRONMENT if source.startswith("$") else source
            yield on_path(Act.READ, path, self.code, self.call)

    def _sent(self, node: ast.Call) -> Iterator[Effect]:
        address = self.values.text(node.args[0]) if node.args else None
        given = [(None, one) for one in node.args] + [(one.arg, one.value) for one in node.keywords]
        for name, value in given:
            for source in sorted(self.of(value)):
                variable = source[1:] if source.startswith("$") else ""
                if variable and (name in _ABOUT or is_named_after(variable, address or "")):
                    continue
                path = ENVIRONMENT if variable else source
                effect = on_path(Act.SEND, path, self.code, self.call)
                yield replace(effect, detail=address or "another machine")


def is_named_after(variable: str, address: str) -> bool:
    """Say whether *address* is of the service that *variable* is named after: `OPENAI_API_KEY`."""
    host = address.lower().partition("://")[2].partition("/")[0]
    return any(word in host for word in variable.lower().split("_") if len(word) > 3)
