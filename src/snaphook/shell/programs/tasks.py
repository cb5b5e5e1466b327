"""Programs that run tasks which a file of the project names.

make clean     ->  the recipe of 'clean' in ./Makefile
npm run build  ->  the script 'build' in ./package.json
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Action, Arg, Call, Code, File
from snaphook.shell.options import getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program, Teller
from snaphook.shell.text import UNKNOWN

_LIFECYCLE = ("test", "t", "start", "stop", "restart", "tst")
_NPM_OWN = frozenset(
    (
        *("add", "audit", "bin", "cache", "ci", "config", "create", "dedupe", "dlx", "exec", "i"),
        *("import", "info", "init", "install", "link", "list", "ls", "login", "outdated", "pack"),
        *("patch", "prune", "publish", "rebuild", "remove", "root", "store", "unlink", "up", "x"),
        *("update", "upgrade", "version", "view", "why", "workspace", "workspaces", "node", "set"),
    )
)
"""What yarn, pnpm and bun understand themselves; any other first word is a script's name."""


def make(call: Call) -> Iterator[Action]:
    """Run the targets of a makefile."""
    folder = call.get("-C")
    cwd = resolve(folder.value, call.cwd) if folder else call.cwd
    if call.has("-n", "--just-print", "--question"):
        return
    named = call.get("-f")
    if named and named.text in ("-", "/dev/stdin"):
        text = call.stdin or UNKNOWN
        yield Code(language="make", text=text, span=named.span, args=call.operands)
        return
    for name in [named.value] if named else ["GNUmakefile", "makefile", "Makefile"]:
        yield _file(call, resolve(name, cwd), "make", call.operands)


def package(call: Call) -> Iterator[Action]:
    """Run a script of package.json."""
    folder = call.get("--prefix", "--cwd", "-C", "--dir")
    cwd = resolve(folder.value, call.cwd) if folder else call.cwd
    words = call.operands
    if words and words[0].text in ("run", "run-script", "rum", "urn"):
        words = words[1:]
    elif not words or not _is_script(call.program, words[0].text):
        return
    if words and call.program != "npm":  # npm keeps the options before `--` to itself
        at = next(at for at, arg in enumerate(call.args) if arg is words[0])
        words = tuple(arg for arg in call.args[at:] if arg.value != "--")
    yield _file(call, resolve("package.json", cwd), "scripts", words)


def _is_script(program: str, word: str) -> bool:
    return word in _LIFECYCLE or (program != "npm" and word not in _NPM_OWN)


def composer(call: Call) -> Iterator[Action]:
    """Run a script of composer.json."""
    words = call.operands
    if words and words[0].text in ("run", "run-script"):
        words = words[1:]
    if words:
        yield _file(call, resolve("composer.json", call.cwd), "scripts", words)


def just(call: Call) -> Iterator[Action]:
    """Run the recipes of a justfile."""
    if call.has("--list", "--dry-run", "--show", "--summary"):
        return
    for name in ("justfile", "Justfile", ".justfile"):
        yield _file(call, resolve(name, call.cwd), "just", call.operands)


def task(call: Call) -> Iterator[Action]:
    """Run the tasks of a Taskfile."""
    if call.has("--list", "--dry", "--summary"):
        return
    for name in ("Taskfile.yml", "Taskfile.yaml", "taskfile.yml"):
        yield _file(call, resolve(name, call.cwd), "taskfile", call.operands)


def _file(call: Call, path: str, language: str, words: tuple[Arg, ...]) -> File:
    return File(path=path, language=language, span=call.span, args=words)


_MAKE = Program(
    options=getopt(
        "f,file,makefile= C,directory= j,jobs?= k n,just-print,dry-run,recon q,question s B i e"
        " I,include-dir= o= W= l?= O?= w r R t v"
    ),
    does=make,
)
_TASK = Program(options=getopt("d,dir= t,taskfile= n,dry l,list p,parallel f,force s"), does=task)

PROGRAMS: Mapping[str, Program] = {
    "make": _MAKE,
    "gmake": _MAKE,
    "composer": Program(does=composer),
    "just": Program(
        options=getopt("f,justfile= d,working-directory= n,dry-run l,list s= set="), does=just
    ),
    "task": _TASK,
    "go-task": _TASK,
}
SCRIPTS: Mapping[str, Teller] = dict.fromkeys(("npm", "pnpm", "yarn", "bun"), package)
"""Programs that do more than run scripts."""
