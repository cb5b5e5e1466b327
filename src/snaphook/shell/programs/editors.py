"""Programs that read or rewrite files line by line, and those that can start commands from within.

sed -i 's/a/b/' x     ->  writes x
vim -c ':!rm -rf /'   ->  rm -rf /
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, File, Shell
from snaphook.shell.languages import sed as sed_script
from snaphook.shell.options import ANY, getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program, on
from snaphook.shell.programs.shells import NAMES
from snaphook.shell.text import UNKNOWN

_AWK_RUNS = re.compile(
    r"\bsystem\s*\(\s*\"((?:\\.|[^\"\\])*)\"|\"((?:\\.|[^\"\\])*)\"\s*\|&?\s*getline"
    r"|\bprintf?\b[^|\n;{}]{0,200}\|&?\s*\"((?:\\.|[^\"\\])*)\""
)
_AWK_OPAQUE = re.compile(r"\bsystem\s*\(\s*[^\")\s]")
_AWK_READS = re.compile(r"<\s*\"((?:\\.|[^\"\\])*)\"")
_AWK_WRITES = re.compile(r">>?\s*\"((?:\\.|[^\"\\])*)\"")
_VIM_LUA = re.compile(r"\bos\.(?:execute|remove)\s*\(\s*['\"](.+?)['\"]")
_VIM_RUNS = re.compile(
    r"(?:^|[|:\s])(?:silent!?\s+)?(?:r(?:ead)?\s*)?!\s*([^\s!].*)$|\bsystem\s*\(\s*['\"](.+?)['\"]\s*\)",
    re.DOTALL,
)


def sed(call: Call) -> Iterator[Action]:
    """Rewrite files with -i; run commands with `e`."""
    scripts = call.options.all("-e")
    operands = call.operands
    if not scripts and not call.has("-f") and operands:
        scripts, operands = [operands[0]], operands[1:]
    for script in scripts:
        yield from _scripted(call, script)
    for file in call.options.all("-f"):
        yield File(path=resolve(file.value, call.cwd), language="sed", span=file.span)
    empties = call.has("-i") and any(sed_script.empties(script.text) for script in scripts)
    for target in operands:
        act = Act.OVERWRITE if empties else Act.WRITE if call.has("-i") else Act.READ
        yield on(act, call, target, forced=empties)


def _scripted(call: Call, script: Arg) -> Iterator[Action]:
    """Run, write and read what a script names besides the text that it edits."""
    if call.has("--sandbox"):
        return
    for kind, text in sed_script.actions(script.text):
        if kind == "run":
            yield Shell(text=text or UNKNOWN, span=script.span)
        elif text and text not in ("/dev/stdout", "/dev/stderr"):
            act = Act.OVERWRITE if kind == "write" else Act.READ
            yield on(act, call, Arg(value=text, span=script.span))


def awk(call: Call) -> Iterator[Action]:
    """Run what system(), pipes and getline name."""
    program = call.operands[0] if call.operands and not call.has("-f") else None
    if program is not None:
        text = program.text
        for found in _AWK_RUNS.finditer(text):
            command = next(one for one in found.groups() if one is not None)
            known = text[found.end() :].lstrip()[:1] in ")|}" or found[1] is None
            said = command if known else f"{command} {UNKNOWN}"
            yield Shell(text=said.replace('\\"', '"'), span=program.span)
            if found[3] is not None and command.strip().rpartition("/")[2] in NAMES:
                yield Shell(text=UNKNOWN, span=program.span)
        if "/inet/" in text:
            yield Effect(act=Act.CODE, call=call, span=program.span, language="socket", detail=text)
        if _AWK_OPAQUE.search(text):
            yield Shell(text=UNKNOWN, span=program.span)
        for found in _AWK_READS.finditer(text):
            yield on(Act.READ, call, Arg(value=found[1], span=program.span))
        for found in _AWK_WRITES.finditer(text):
            yield on(Act.OVERWRITE, call, Arg(value=found[1], span=program.span))
    for target in call.operands[bool(program) :]:
        if "=" not in target.text:
            yield on(Act.READ, call, target)


def tee(call: Call) -> Iterator[Action]:
    """Write standard input to each operand."""
    for target in call.operands:
        if target.text != "/dev/null":
            act = Act.APPEND if call.has("-a") else Act.OVERWRITE
            yield on(act, call, target, forced=call.stdin == "")


def vim(call: Call) -> Iterator[Action]:
    """Run what ex commands start."""
    texts = [
        *call.options.all("-c", "--cmd"),
        *(arg for arg in call.args if arg.text.startswith("+")),
    ]
    for text in texts:
        if found := _VIM_RUNS.search(text.text.lstrip("+")):
            yield Shell(text=found[1] or found[2], span=text.span)
        elif lua := _VIM_LUA.search(text.text):
            yield Shell(text=lua[1], span=text.span)
    if script := call.get("-S"):
        yield File(path=resolve(script.value, call.cwd), language="vim", span=script.span)


def ed(call: Call) -> Iterator[Action]:
    """Run the lines that begin with `!`, and empty what `,d` empties."""
    for line in (call.stdin or "").splitlines():
        if line.startswith("!"):
            yield Shell(text=line[1:], span=call.span)
    empties = re.search(r"^(?:,|%|1,\$)d\b", call.stdin or "", re.MULTILINE)
    for target in call.operands:
        yield on(Act.OVERWRITE if empties else Act.WRITE, call, target, forced=bool(empties))


def emacs(call: Call) -> Iterator[Action]:
    """Run what --eval starts in a shell."""
    for text in call.options.all("--eval", "--execute"):
        for found in re.finditer(r"shell-command[\w-]*\s+\"((?:\\.|[^\"\\])*)\"", text.text):
            yield Shell(text=found[1].replace('\\"', '"'), span=text.span)
        for found in re.finditer(r"delete-(?:file|directory)\s+\"((?:\\.|[^\"\\])*)\"", text.text):
            yield on(Act.DELETE, call, Arg(value=found[1], span=text.span), recursive=True)


def reader(call: Call) -> Iterator[Action]:
    """Read each operand."""
    for target in call.operands:
        if target.value != "-":
            yield on(Act.READ, call, target)


def pattern_reader(call: Call) -> Iterator[Action]:
    """Read each operand after the pattern."""
    for patterns in call.options.all("-f"):
        yield on(Act.READ, call, patterns)
    given = call.has("-e", "-f")
    deep = call.has("-r") or call.program in ("rg", "ag", "ack")
    for target in call.options.all("-f"):
        yield on(Act.READ, call, target)
    for target in call.operands if given else call.operands[1:]:
        yield on(Act.READ, call, target, recursive=deep)


_SED = getopt(
    "n,quiet,silent e,expression= f,file= E,r,regexp-extended i,in-place?="
    " s z u l= b posix debug sandbox follow-symlinks"
)
_AWK = getopt("F,field-separator= v,assign= f,file= i= e= W= M n N S")
_GREP = getopt(
    "e,regexp= f,file= r,R,recursive i n l L c o w x v E F P G H h s q z a"
    " m,max-count= A= B= C= d= D= color?="
    " include= exclude= exclude-dir= t,type= g,glob= T= S u U hidden"
    " no-ignore files json replace= M,max-columns="
)
_VIM = getopt(
    "c= cmd= S= s= u= i= E e N n R b d o O p y Z es T= w= W= headless", operands_end=False
)

PROGRAMS: Mapping[str, Program] = {
    **dict.fromkeys(("sed", "gsed"), Program(options=_SED, does=sed)),
    **dict.fromkeys(("awk", "gawk", "mawk", "nawk"), Program(options=_AWK, does=awk)),
    **dict.fromkeys(("vim", "vi", "nvim", "ex", "view", "gvim"), Program(options=_VIM, does=vim)),
    "ed": Program(options=getopt("s p= v G r E"), does=ed),
    "emacs": Program(
        options=getopt("Q batch eval= execute= l,load= f,funcall= nw q", single_dash=False),
        does=emacs,
    ),
    "tee": Program(options=getopt("a,append i p output-error?="), does=tee),
    "sponge": Program(options=getopt("a"), does=tee),
    **dict.fromkeys(
        ("grep", "egrep", "fgrep", "rg", "ag", "ack", "zgrep", "ugrep"),
        Program(options=_GREP, does=pattern_reader),
    ),
    **dict.fromkeys(
        (
            "cat",
            "less",
            "more",
            "most",
            "bat",
            "batcat",
            "tac",
            "nl",
            "strings",
            "base64",
            "base32",
            "xxd",
            "od",
            "hexdump",
            "gzcat",
            "zcat",
            "md5sum",
            "sha256sum",
            "sort",
            "uniq",
            "wc",
            "rev",
            "fold",
            "paste",
            "column",
            "hd",
            "expand",
            "fmt",
            "pr",
            "iconv",
            "dos2unix",
            "file",
            "jq",
            "yq",
            "source",
            "diff",
            "comm",
            "open",
            "gzip",
        ),
        Program(options=ANY, does=reader),
    ),
    **dict.fromkeys(
        ("head", "tail"),
        Program(options=getopt("n,lines= c,bytes= q v f F s= z pid= follow?="), does=reader),
    ),
    "cut": Program(
        options=getopt(
            "d,delimiter= f,fields= c,characters= b,bytes= s complement output-delimiter="
        ),
        does=reader,
    ),
}
