"""Which functions of Python's library do what.

shutil.rmtree(path)  ->  deletes path, with all that is in it
subprocess.run(args) ->  runs args
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Code, Effect, File, Runs, Shell, TextOrigin
from snaphook.shell.languages.common import on_path
from snaphook.shell.languages.python_values import Opened, Path, Value, Values
from snaphook.shell.text import UNKNOWN

_ON_PATHS: Mapping[str, tuple[Act, ...]] = {
    "shutil.rmtree": (Act.DELETE,),
    "os.removedirs": (Act.DELETE,),
    "os.remove": (Act.DELETE,),
    "os.unlink": (Act.DELETE,),
    "os.rmdir": (Act.DELETE,),
    "send2trash.send2trash": (Act.DELETE,),
    "os.truncate": (Act.OVERWRITE,),
    "os.rename": (Act.MOVE, Act.WRITE),
    "os.renames": (Act.MOVE, Act.WRITE),
    "os.replace": (Act.MOVE, Act.OVERWRITE),
    "shutil.move": (Act.MOVE, Act.WRITE),
    "shutil.copy": (Act.READ, Act.WRITE),
    "shutil.copy2": (Act.READ, Act.WRITE),
    "shutil.copyfile": (Act.READ, Act.OVERWRITE),
    "shutil.copytree": (Act.READ, Act.WRITE),
    "os.link": (Act.READ, Act.WRITE),
    "os.symlink": (Act.READ, Act.WRITE),
    "os.chmod": (Act.PERMIT,),
    "os.chown": (Act.OWN,),
    "shutil.chown": (Act.OWN,),
    "linecache.getlines": (Act.READ,),
    "fileinput.input": (Act.READ,),
    "runpy.run_path": (Act.READ,),
}
_ON_SUBJECT: Mapping[str, Act] = {
    ".unlink": Act.DELETE,
    ".rmdir": Act.DELETE,
    ".rmtree": Act.DELETE,
    ".write_text": Act.WRITE,
    ".write_bytes": Act.WRITE,
    ".read_text": Act.READ,
    ".read_bytes": Act.READ,
    ".rename": Act.MOVE,
    ".replace": Act.MOVE,
    ".chmod": Act.PERMIT,
}
_TEXTS = frozenset({
    "os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput",
    "commands.getoutput", "commands.getstatusoutput", "asyncio.create_subprocess_shell",
    "popen2.popen2", "pexpect.spawn", "pexpect.run", "sh",
})  # fmt: skip
_WORDS = frozenset({
    "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output",
    "subprocess.Popen", "pty.spawn",
})  # fmt: skip
_STARTS = _TEXTS | _WORDS | {".system", ".popen"}
_OPENS = frozenset({"open", "io.open", "codecs.open", ".open"})
_QUERIES = frozenset({".execute", ".executescript", ".executemany", ".exec_driver_sql"})
_WHOLE = frozenset({"shutil.rmtree", "os.removedirs", "shutil.move", "shutil.copytree"})
_SPREAD = re.compile(
    r"os\.(?:exec|spawn|posix_spawn)(?P<how>[lv]?)p?e?|asyncio\.create_subprocess_exec"
)
_FETCHES = re.compile(
    r"(?:requests|httpx|urllib3?|aiohttp)(?:\.\w+)*\.(?:get|post|put|patch|request|urlopen|urlretrieve)"
    r"|urlopen|http\.client\.HTTPS?Connection"
)


class EffectTable:
    """Turns calls of library functions into deeds of one piece of code."""

    def __init__(self, code: Code, call: Call) -> None:
        self.code = code
        self.call = call

    def opaque(self, what: str) -> Effect:
        """Return that *what* cannot be known before the run."""
        return self._does(Act.OPAQUE, detail=what)

    def runs_file(self, path: str) -> File:
        """Return that the file at *path* is run as Python."""
        return File(path=self._on(Act.READ, path).path, language="python", span=self.code.span)

    def _does(self, act: Act, *, detail: str = "", language: str = "") -> Effect:
        return Effect(
            act=act, call=self.call, span=self.code.span, detail=detail, language=language
        )

    def actions(
        self, name: str, subject: Value | None, node: ast.Call, values: Values
    ) -> Iterator[Action]:
        """Return what calling *name* with the arguments of *node* does."""
        if name in _OPENS:
            yield from self._opened(subject, node, values)
        elif name in _STARTS:
            yield from self._started(name, node, values)
        elif spread := _SPREAD.fullmatch(name):
            yield from self._replaced(spread["how"] or "l", node, values)
        elif isinstance(subject, Path | Opened):
            yield from self._on_subject(name, subject, node, values)
        elif name == "runpy.run_path" and UNKNOWN not in self._first(node, values):
            yield self.runs_file(self._first(node, values))
        elif acts := _ON_PATHS.get(name):
            for act, arg in zip(acts, node.args, strict=False):
                path = values.text(arg) or UNKNOWN
                yield self._on(act, path, recursive=name in _WHOLE)
        else:
            yield from self._elsewhere(name, node, values)

    def _on_subject(
        self, name: str, path: Path | Opened, node: ast.Call, values: Values
    ) -> Iterator[Action]:
        """Return what a method of a path or of an open file does."""
        found = Act.WRITE if name == ".write" else _ON_SUBJECT.get(name)
        if found is not None:
            text = self._text(node, values) if found is Act.WRITE else ""
            yield replace(self._on(found, path, recursive=name == ".rmtree"), detail=text)

    def _elsewhere(self, name: str, node: ast.Call, values: Values) -> Iterator[Action]:
        """Return what is asked of a network, a database or the machine."""
        if _FETCHES.fullmatch(name):
            yield self._does(Act.FETCH, detail=self._first(node, values))
            if name.endswith("urlretrieve") and len(node.args) > 1:
                yield self._on(Act.WRITE, values.text(node.args[1]) or UNKNOWN)
        elif name in _QUERIES:
            yield Code(language="sql", text=self._first(node, values), span=self.code.span)
        elif name == "os.fork" and "while" in self.code.text:
            yield self._does(Act.FORK)
        elif name in (".connect", "socket.create_connection") and "socket" in values.names:
            yield self._does(Act.CODE, language="socket")

    def _first(self, node: ast.Call, values: Values) -> str:
        if node.args:
            return values.text(node.args[0]) or UNKNOWN
        return next((values.text(one.value) or UNKNOWN for one in node.keywords), UNKNOWN)

    def _text(self, node: ast.Call, values: Values) -> str:
        """Return the text that is written, where it is known."""
        text = self._first(node, values)
        return "" if UNKNOWN in text else text

    def _on(self, act: Act, path: str, *, recursive: bool = False) -> Effect:
        return on_path(act, path, self.code, self.call, recursive=recursive)

    def _opened(self, subject: Value | None, node: ast.Call, values: Values) -> Iterator[Action]:
        """Read or write, by the mode."""
        args: Sequence[ast.expr] = node.args
        if isinstance(subject, Path):
            path, mode_at = str(subject), 0
        else:
            path, mode_at = self._first(node, values), 1
        mode = values.text(args[mode_at]) if len(args) > mode_at else None
        for keyword in node.keywords:
            if keyword.arg == "mode":
                mode = values.text(keyword.value)
        mode = mode or "r"
        if "w" in mode:
            yield self._on(Act.WRITE, path)
        elif "a" in mode or "+" in mode or "x" in mode:
            yield self._on(Act.APPEND, path)
        else:
            yield self._on(Act.READ, path)

    def _started(self, name: str, node: ast.Call, values: Values) -> Iterator[Action]:
        given = node.args[0] if node.args else next((one.value for one in node.keywords), None)
        if given is None:
            return
        shell = name not in _WORDS or any(
            one.arg == "shell" and not (isinstance(one.value, ast.Constant) and not one.value.value)
            for one in node.keywords
        )
        words = values.texts(given)
        if shell or len(words) == 1:
            if words[0] == UNKNOWN:
                yield self.opaque("the command that it starts")
            else:
                yield Shell(text=words[0], span=self.code.span, via=self.call.program)
        else:
            yield Runs(args=self._args(words), via=self.call.program)

    def _replaced(self, how: str, node: ast.Call, values: Values) -> Iterator[Action]:
        """Run the program that `os.exec…` and its kin name, with its words."""
        texts = [values.texts(one) for one in node.args]
        words = texts[-1][1:] if how == "v" and len(texts) > 1 else [t[0] for t in texts[2:]]
        if texts:
            yield Runs(args=self._args([texts[0][0], *words]), via=self.call.program)

    def _args(self, words: Sequence[str]) -> tuple[Arg, ...]:
        return tuple(
            Arg(value=one, span=self.code.span, origin=TextOrigin.LITERAL) for one in words
        )
