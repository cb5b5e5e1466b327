"""Node, Perl, Ruby, PHP, Lua, R and their kin: which of their functions do what.

'FileUtils.rm_rf("/")'  ->  deletes /
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from snaphook.shell.facts import Act, Action, Arg, Call, Code, Effect, Runs, Shell
from snaphook.shell.languages.common import on_path
from snaphook.shell.languages.scripted_secrets import LEAKING, leaked
from snaphook.shell.languages.scripts import ScriptCall, ScriptText
from snaphook.shell.languages.tokens import TokenDialect
from snaphook.shell.text import STAR, UNKNOWN, globbed

_C = ("/*", "*/")
_DIALECTS = {
    "node": TokenDialect(("//",), _C, False, r"\$\{([^}]*)\}", "+"),
    "perl": TokenDialect(("#",), None, True, r"\$\{?(\w+)\}?|@\{?(\w+)\}?", "."),
    "ruby": TokenDialect(("#",), None, True, r"\#\{([^}]*)\}", "+"),
    "php": TokenDialect(("//", "#"), _C, True, r"\$(\w+)|\{\$(\w+)\}", "."),
    "lua": TokenDialect(("--",), ("--[[", "]]"), False, "", ".."),
    "r": TokenDialect(("#",), None, False, "", ""),
    "osascript": TokenDialect(("--",), None, False, "", "&"),
    "elixir": TokenDialect(("#",), None, False, r"\#\{([^}]*)\}", "<>"),
    "julia": TokenDialect(("#",), ("#=", "=#"), True, r"\$(\w+)", "*"),
    "groovy": TokenDialect(("//",), _C, False, r"\$\{([^}]*)\}", "+"),
}
_TABLES: Mapping[str, str] = {
    "node": """
        delete   unlink unlinkSync deleteSync
        tree     rm rmSync rmdirSync rmdir removeSync remove rimraf rimrafSync emptyDirSync emptyDir
        tree     removeDir del
        empty    truncateSync truncate
        write    writeFileSync writeFile createWriteStream writeTextFile writeTextFileSync
        append   appendFileSync appendFile
        read     readFileSync readFile createReadStream readTextFile readTextFileSync
        move     renameSync rename cpSync copyFileSync
        permit   chmodSync chmod
        shell    exec execSync execaCommand execCommand shell $
        words    spawn spawnSync execFile execFileSync fork execa execaSync spawnAsync Command
        code     eval Function runInThisContext runInNewContext
        link     symlinkSync symlink
    """,
    "perl": """
        delete   unlink rmdir
        tree     rmtree remove_tree
        write    truncate write_file
        read     slurp read_file
        move     rename move copy
        permit   chmod
        shell    system exec ` readpipe
        open     open sysopen
        code     eval
    """,
    "ruby": """
        delete   rm rm_f unlink delete rmdir safe_unlink
        tree     rm_rf rm_r rmtree remove_dir remove_entry remove_entry_secure
        write    write binwrite truncate
        read     read readlines binread foreach
        move     mv rename move
        permit   chmod chmod_R
        shell    system exec spawn ` popen capture2 capture2e capture3 popen3 sh
        open     open
        code     eval instance_eval class_eval
    """,
    "php": """
        delete   unlink rmdir
        write    file_put_contents ftruncate
        read     file_get_contents readfile file show_source highlight_file
        move     rename copy
        permit   chmod
        shell    system exec shell_exec passthru popen proc_open pcntl_exec `
        open     fopen
        code     eval assert create_function
    """,
    "lua": """
        delete   remove
        move     rename
        shell    execute popen
        open     open
        read     lines dofile
        code     load loadstring
    """,
    "r": """
        delete   remove
        tree     unlink
        read     readLines read.csv readRDS
        write    writeLines saveRDS
        shell    system system2 shell
        code     eval parse
    """,
    "elixir": """
        delete   rm rm! rmdir
        tree     rm_rf rm_rf!
        write    write write!
        read     read read!
        words    cmd
        shell    cmd shell os
        code     eval_string
    """,
    "julia": """
        tree     rm
        shell    `
        read     read
        write    write
    """,
    "groovy": """
        tree     deleteDir
        delete   delete
        shell    execute exec
    """,
    "osascript": "",
}
_WORDS = {
    language: {name: line.split()[0] for line in table.splitlines() for name in line.split()[1:]}
    for language, table in _TABLES.items()
}
_NEEDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "node": {
        "exec": ("child_process", "shelljs", "execa", "zx", "node:child"),
        "rm": ("fs", "shelljs"),
        "del": ("del",),
        "read": (),
        "rename": ("fs",),
        "remove": ("Deno", "fs-extra", "fse."),
        "fork": ("child_process",),
        "shell": ("child_process",),
        "Command": ("Deno",),
        "$": ("zx", "Bun"),
    },
    "lua": {"remove": ("os",), "rename": ("os",), "execute": ("os",), "open": ("io",), "lines": ("io",)},
    "ruby": {
        "rm": ("FileUtils",), "delete": ("File", "Dir", "Pathname"), "read": ("File", "IO", "Pathname"),
        "write": ("File", "IO", "Pathname"), "open": ("File", "IO", "open"), "move": ("FileUtils",),
        "unlink": ("File", "Pathname"), "sh": ("Rake", "FileUtils"), "rename": ("File",),
    },
    "r": {"remove": ("file",), "eval": ("parse",)},
    "elixir": {"read": ("File",), "write": ("File",), "rm": ("File",), "cmd": ("System",), "os": ("os",)},
    "groovy": {"delete": ("File",), "exec": ("Runtime",)},
}  # fmt: skip
_ACTS = {
    "delete": Act.DELETE,
    "write": Act.WRITE,
    "empty": Act.OVERWRITE,
    "append": Act.APPEND,
    "read": Act.READ,
    "move": Act.MOVE,
    "permit": Act.PERMIT,
    "link": Act.READ,
}
_SOCKET = re.compile(
    r"fsockopen|TCPSocket|IO::Socket|socket\W{0,3}\.tcp|net\b.{0,20}\.(?:connect|Socket)"
    r"|use Socket|/inet/tcp",
    re.DOTALL,
)
_DECODES = re.compile(
    r"base64|unpack|atob|gzinflate|str_rot13|fromCharCode|LWP|open-uri|https?:|fetch\("
)
_FORKS = re.compile(r"fork\s{1,4}while|while[\s(1true){]{0,12}fork|loop\s{0,4}\{\s{0,4}fork")
_FINDER = re.compile(
    r"\b(?:to\s+delete|empty\s+(?:the\s+)?trash|erase|shut\s+down)\b", re.IGNORECASE
)
_SAID = re.compile(r'do\s+shell\s+script\s+"((?:\\.|[^"\\])*)"')


def reader(language: str) -> Callable[[Code, Call], Iterator[Action]]:
    """Return the reader of *language*."""

    def read(code: Code, call: Call) -> Iterator[Action]:
        text = code.text
        if language == "osascript":
            if _FINDER.search(text):
                yield on_path(Act.DELETE, UNKNOWN, code, call, recursive=True)
            for said in _SAID.finditer(text):
                yield Shell(text=said[1].replace('\\"', '"'), span=code.span, via="osascript")
            return
        if _SOCKET.search(text) and re.search(r"exec|spawn|system|popen|sh\b|getline", text):
            yield Effect(act=Act.CODE, call=call, span=code.span, language="socket", detail=text)
        words, needs = _WORDS[language], _NEEDS.get(language, {})
        read_files: list[str] = []
        listed = [globbed(shape) for shape in _ANGLES.findall(text)] if language == "perl" else []
        for found in ScriptText(text, _DIALECTS[language]).calls():
            name = found.name.rpartition("::")[2]
            if name == "array_map" and len(found.args) > 1:
                name, found = found.args[0], found._replace(args=found.args[1:])
            kind = words.get(name)
            needed = needs.get(found.name)
            listed += _listed(name, found)
            if kind and (needed is None or any(one in text for one in needed)):
                if kind == "read" and found.args and UNKNOWN not in found.args[0]:
                    read_files.append(found.args[0])
                yield from _told(kind, _one_of(kind, found, listed), code, call)
        if _FORKS.search(text):
            yield Effect(act=Act.FORK, call=call, span=code.span)
        if language in LEAKING:
            yield from leaked(language, code, call, read_files)

    return read


_ANGLES = re.compile(r"<([\w./~-]*\*[\w./*-]*)>")
_LISTS = frozenset(
    {
        "readdirSync",
        "readdir",
        "opendir",
        "scandir",
        "children",
        "entries",
        "each_child",
        "opendirSync",
    }
)
_GLOBS = frozenset({"glob", "globSync", "sync", "globby", "globbySync", "fglob", "bsd_glob"})


def _listed(name: str, found: ScriptCall) -> list[str]:
    """Return what a call lists, as globs: `readdirSync("src")`, `Dir.glob("src/**/*")`."""
    text = found.args[0] if found.args else ""
    if UNKNOWN in text or not text:
        return []
    if name in _LISTS:
        return [f"{text.rstrip('/')}/{STAR}"]
    return [globbed(text)] if name in _GLOBS and "*" in text else []


def _one_of(kind: str, found: ScriptCall, listed: list[str]) -> ScriptCall:
    """Let what is deleted without a known name be any of what was listed before."""
    if (
        kind not in ("delete", "tree")
        or not listed
        or (found.args and UNKNOWN not in found.args[0])
    ):
        return found
    return found._replace(args=[listed[-1], *found.args[1:]])


def _told(kind: str, found: ScriptCall, code: Code, call: Call) -> Iterator[Action]:
    """Return what a call of this kind does."""
    args = list(found.args) or [text for text in (found.receiver,) if kind == "shell" and text]
    if kind == "code":
        yield from _executed(found, code, call)
    elif not args:
        return
    elif kind == "shell":
        yield from _started(args, code, call)
    elif kind == "words":
        yield Runs(args=tuple(Arg(value=one, span=code.span) for one in args), via=call.program)
    elif kind == "open":
        yield from _opened(args, code, call)
    elif kind == "tree":
        yield on_path(Act.DELETE, args[0], code, call, recursive=True)
    else:
        yield on_path(_ACTS[kind], args[0], code, call)
        if kind == "move" and len(args) > 1:
            yield on_path(Act.WRITE, args[1], code, call)


def _started(args: list[str], code: Code, call: Call) -> Iterator[Action]:
    """Run shell text; several texts are the words of one command."""
    words = [one for one in args if one != UNKNOWN]
    if not words:
        what = f"the command that {call.program} starts"
        yield Effect(act=Act.OPAQUE, call=call, span=code.span, detail=what)
    elif len(words) > 1 and " " not in words[0]:
        yield Runs(args=tuple(Arg(value=one, span=code.span) for one in args), via=call.program)
    else:
        yield Shell(text=words[0], span=code.span, via=call.program)


def _opened(args: list[str], code: Code, call: Call) -> Iterator[Action]:
    """Open a file, by its mode: `open(F, ">x")`, `fopen("x", "w")`, `open("|cmd")`."""
    text = next((one for one in args if one != UNKNOWN), "")
    mode = args[-1] if len(args) > 1 and args[-1] != text else ""
    if text[:1] in "<>+|" and len(args) > 2 and text.strip("<>+|-:utf8 ") == "":
        mode, text = text, args[-1]
    if text.startswith("|") or text.endswith("|") or mode in ("-|", "|-"):
        yield Shell(text=text.strip("|"), span=code.span, via=call.program)
        return
    writes = text[:1] == ">" or mode[:1] in ("w", ">")
    act = Act.WRITE if writes else Act.APPEND if mode[:1] == "a" else Act.READ
    yield on_path(act, text.lstrip("<>+ "), code, call)


def _executed(found: ScriptCall, code: Code, call: Call) -> Iterator[Action]:
    """Follow text that the code executes; what is decoded or fetched first is opaque."""
    text = found.args[0] if found.args else UNKNOWN
    if UNKNOWN in text or _DECODES.search(found.raw):
        if found.raw or _DECODES.search(code.text):
            what = "the text that its eval is given"
            yield Effect(act=Act.OPAQUE, call=call, span=code.span, detail=what)
    else:
        yield Code(language=code.language, text=text, span=code.span)


def other(code: Code, call: Call) -> Iterator[Action]:
    """Read a language we have no table for: where it starts programs, its texts may be commands."""
    for found in _TCL.finditer(code.text):
        yield Shell(text=found[1], span=code.span, via=call.program)
    for found in _REMOVES.finditer(code.text):
        yield on_path(Act.DELETE, found[1], code, call, recursive=True)
    if _STARTS.search(code.text):
        for text in _TEXT.findall(code.text):
            if " " in text:
                yield Shell(text=text, span=code.span, via=call.program)


_TCL = re.compile(r"(?:^|[;\n\[])[ \t]*exec[ \t]+([^;\n\]\"]+)")
_REMOVES = re.compile(
    r"(?:RemoveAll|removeItem|deleteDirectory|remove_dir_all)\W+(?:\w+:\s*)?\"([^\"]*)\""
)
_STARTS = re.compile(r"\bexec\b|system|os:cmd|[Pp]rocess|callCommand|popen|\.!|Command")
_TEXT = re.compile(r"\"((?:\\.|[^\"\\]){0,2000})\"")

node, perl, ruby, php = reader("node"), reader("perl"), reader("ruby"), reader("php")
lua, r, osascript = reader("lua"), reader("r"), reader("osascript")
elixir, julia, groovy = reader("elixir"), reader("julia"), reader("groovy")
