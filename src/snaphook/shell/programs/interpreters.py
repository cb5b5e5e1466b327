"""Interpreters: the text they are given is code of their language.

python3 -c 'import os; os.remove("x")'  ->  Code('python', …)
node - <<EOF …                          ->  Code('node', …)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Code, Effect, File, Runs
from snaphook.shell.options import getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs import runners
from snaphook.shell.programs.program import Program, on
from snaphook.shell.text import is_unknown, plain

_STDIN = frozenset({"-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"})


class Interpreter(NamedTuple):
    """How an interpreter takes its code: the options that hold it, the words before a file."""

    language: str
    texts: tuple[str, ...]
    verbs: tuple[str, ...] = ()
    edits: bool = False


def interpreter(options: str, kind: Interpreter) -> Program:
    """Return the entry of an interpreter."""

    def does(call: Call) -> Iterator[Action]:
        operands = call.operands
        if operands and operands[0].text in kind.verbs:
            operands = operands[1:]
            if call.subcommand == "eval":
                yield from _code(call, operands[0], kind.language) if operands else ()
                return
        texts = call.options.all(*kind.texts)
        for text in texts:
            yield from _code(call, text, kind.language)
        if kind.edits and texts:
            yield from _edited(call, operands)
        elif not texts:
            yield from _run(call, operands, kind.language)

    return Program(options=getopt(options, operands_end=not kind.verbs), does=does)


def _code(call: Call, text: Arg, language: str) -> Iterator[Action]:
    if is_unknown(text.value):
        what = f"the code that {call.program} runs"
        yield Effect(act=Act.OPAQUE, call=call, span=text.span, detail=what)
    yield Code(language=language, text=text.value, span=text.span)


def _run(call: Call, operands: tuple[Arg, ...], language: str) -> Iterator[Action]:
    """Run a file, or what comes in on standard input."""
    if operands and operands[0].value not in _STDIN:
        path = resolve(operands[0].value, call.cwd)
        yield File(path=path, language=language, span=operands[0].span, args=operands[1:])
    elif call.stdin is not None and not call.has("-h", "-v", "-V", "--version", "--help"):
        yield Code(language=language, text=call.stdin, span=call.span)


def _edited(call: Call, operands: tuple[Arg, ...]) -> Iterator[Action]:
    """Read each file with -n or -p; write it back with -i."""
    if call.has("-n", "-p"):
        for target in operands:
            yield on(Act.WRITE if call.has("-i") else Act.READ, call, target)


def python(call: Call) -> Iterator[Action]:
    """Run the text of -c, a module, a file, or what comes in."""
    if call.operands and call.operands[0].text.endswith("manage.py"):
        yield from _managed(call)
    if text := call.get("-c"):
        yield from _code(call, text, "python")
    elif module := call.get("-m"):
        yield from _module(call, module)
    else:
        yield from _run(call, call.operands, "python")


def _managed(call: Call) -> Iterator[Action]:
    """Run code in Django's shell, or SQL in its client."""
    verb = call.operands[1].text if len(call.operands) > 1 else ""
    if verb in ("shell", "shell_plus"):
        for option, value in zip(call.args, call.args[1:], strict=False):
            if option.text in ("-c", "--command"):
                yield Code(language="python", text=value.value, span=value.span)
        if call.stdin is not None:
            yield Code(language="python", text=call.stdin, span=call.span)
    elif verb == "dbshell":
        for text in call.operands[2:]:
            yield Code(language="sql", text=text.value, span=text.span)
        if call.stdin is not None:
            yield Code(language="sql", text=call.stdin, span=call.span)


def _module(call: Call, module: Arg) -> Iterator[Action]:
    """Run a module as the program it is: `python -m pip` is pip."""
    name = plain(module.value)
    if name == "json.tool":
        for target in call.operands[:1]:
            yield on(Act.READ, call, target)
    elif name in _RUN_FILES and call.operands:
        words = call.operands[1:] if call.operands[0].text == "run" else call.operands
        yield from _run(call, words, "python")
    elif name in _MODULES or name.isidentifier() or "." in name:
        base = resolve(name.replace(".", "/"), call.cwd)
        for path in (f"{base}.py", f"{base}/__main__.py"):
            yield File(path=path, language="module", span=module.span, args=call.operands)
        at = next(
            at for at, arg in enumerate(call.args) if arg is module or module.text in arg.text
        )
        yield Runs(args=(replace(module, value=_MODULES.get(name, name)), *call.args[at + 1 :]))


_RUN_FILES = frozenset(
    {"coverage", "pdb", "cProfile", "profile", "trace", "runpy", "ipdb", "debugpy"}
)
_MODULES = {"pip._internal": "pip", "IPython": "ipython", "twine.cli": "twine"}
_PYTHON = Program(
    options=getopt(
        "c= m= W= X= b B d E h,help i I O q s S u v V,version x t check-hash-based-pycs=",
        operands_end=True,
    ),
    does=python,
)
_BOTH = {"-pe": "-p", "-ep": "-p"}
"""node reads these two letters as one option: print what the code gives."""
_NODE = interpreter(
    "e,eval= p,print= r,require= import= loader= c,check i,interactive input-type= env-file="
    " C,conditions= title= max-old-space-size= inspect?= inspect-brk?= watch test h v",
    Interpreter(language="node", texts=("-e", "-p")),
)
_NODE = replace(_NODE, options=replace(_NODE.options, names={**_NODE.options.names, **_BOTH}))
_RUNNERS = interpreter(
    "e,eval= p,print= r,preload= c,config= A,allow-all ext= env-file= T,transpile-only"
    " O,compiler-options= P,project= skip-project",
    Interpreter(language="node", texts=("-e", "-p"), verbs=("eval", "run", "repl")),
)


def deno(call: Call) -> Iterator[Action]:
    """Run code; a script given by its address is code nobody has read."""
    yield from runners.deno(call)
    yield from _RUNNERS.does(call) if _RUNNERS.does else ()


_PERL = interpreter(
    "e= E= n p i?= l?= a F= w W M= m= I= 0?= s S t T u U v V c C?= d?= D?= x?= h",
    Interpreter(language="perl", texts=("-e", "-E"), edits=True),
)
_RUBY = interpreter(
    "e= n p i?= l a F= w W?= r= I= C= E= K= s S T?= U v V c d x h version enable= disable=",
    Interpreter(language="ruby", texts=("-e",), edits=True),
)
_PHP = interpreter(
    "r,run= f,file= B,process-begin= R,process-code= E,process-end= d,define= c= n a i l m v w z="
    " S= t= s",
    Interpreter(language="php", texts=("-r", "-B", "-R", "-E")),
)
_LUA = interpreter("e= l= i v E W", Interpreter(language="lua", texts=("-e",)))
_R = interpreter(
    "e= slave vanilla quiet no-save no-restore silent",
    Interpreter(language="r", texts=("-e",)),
)
_OTHER = interpreter("e= cp=", Interpreter(language="other", texts=("-e",)))
_ERL = replace(
    interpreter("", Interpreter(language="other", texts=("-eval",))),
    options=getopt("eval= noshell s= run=", single_dash=True),
)
_E = "e,eval= r,require= S= v version i b"


def coverage(call: Call) -> Iterator[Action]:
    """Run a script while its lines are counted."""
    if call.subcommand == "run":
        yield from _run(call, call.operands[1:], "python")


def flask(call: Call) -> Iterator[Action]:
    """Run what comes in as code of the application's shell."""
    if call.subcommand == "shell" and call.stdin is not None:
        yield Code(language="python", text=call.stdin, span=call.span)


PROGRAMS: Mapping[str, Program] = {
    "coverage": Program(options=getopt("a,append branch source= omit= include= p m"), does=coverage),
    "flask": Program(options=getopt("A,app= e,env-file="), does=flask),
    **dict.fromkeys(
        (
            "python", "python2", "python3", "py", "pypy", "pypy3", "ipython", "python2.7",
            *(f"python3.{minor}" for minor in range(6, 16)),
        ),
        _PYTHON,
    ),
    **dict.fromkeys(("node", "nodejs"), _NODE),
    **dict.fromkeys(("deno", "bun"), replace(_RUNNERS, does=deno)),
    **dict.fromkeys(("tsx", "ts-node", "esno", "swc-node"), _RUNNERS),
    "perl": _PERL,
    **dict.fromkeys(("ruby", "jruby", "irb"), _RUBY),
    "php": _PHP,
    **dict.fromkeys(("lua", "luajit", "lua5.4", "lua5.3", "lua5.1"), _LUA),
    **dict.fromkeys(("Rscript", "R"), _R),
    "osascript": interpreter("e= l= s= i", Interpreter(language="osascript", texts=("-e",))),
    "elixir": interpreter(_E, Interpreter(language="elixir", texts=("-e",))),
    "julia": interpreter(_E, Interpreter(language="julia", texts=("-e",))),
    "groovy": interpreter(_E, Interpreter(language="groovy", texts=("-e",))),
    **dict.fromkeys(("scala", "swift", "ghc", "runghc", "jshell", "tclsh", "racket"), _OTHER),
    "guile": interpreter("c= l= s", Interpreter(language="other", texts=("-c",))),
    "erl": _ERL,
}  # fmt: skip
