"""Programs that copy, move, link or unpack: what they replace, and what they take away.

mv ~/Documents /tmp  ->  moves away ~/Documents
cp /dev/null x       ->  overwrites x
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, Shell
from snaphook.shell.options import getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program, on

_EMPTY = frozenset({"/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"})


def _ends(call: Call) -> tuple[tuple[Arg, ...], Arg | None]:
    """Return what is taken, and where it goes."""
    target = call.get("-t")
    operands = call.operands
    if target:
        return operands, target
    return (operands[:-1], operands[-1]) if len(operands) > 1 else (operands, None)


def _landing(target: Arg, source: Arg) -> Arg:
    """Return where a copy of *source* ends up: under its own name where *target* is a folder."""
    if not target.value.endswith("/") or source.value.endswith(("/", "/.")):
        return target
    return replace(target, value=f"{target.value}{source.value.rpartition('/')[2]}")


def cp(call: Call) -> Iterator[Effect]:
    """Read the sources; overwrite the target, empty it when the source is nothing."""
    sources, target = _ends(call)
    for source in sources:
        yield on(Act.READ, call, source, recursive=call.has("-r"))
    if target is None:
        return
    empties = any(source.text in _EMPTY for source in sources)
    if call.has("-n"):
        return
    act, forced = (Act.OVERWRITE if empties else Act.WRITE), empties or call.has("-f")
    for source in sources:
        yield on(act, call, _landing(target, source), forced=forced)


def mv(call: Call) -> Iterator[Effect]:
    """Take the sources away; write the target."""
    sources, target = _ends(call)
    for source in sources:
        yield on(Act.MOVE, call, source, recursive=True)
    if target is not None:
        if target.text == "/dev/null":
            for source in sources:
                yield on(Act.DELETE, call, source, recursive=True, forced=True)
        for source in sources:
            yield on(Act.WRITE, call, _landing(target, source), forced=call.has("-f"))


def ln(call: Call) -> Iterator[Effect]:
    """Make a link; with -f, in place of what was there."""
    sources, target = _ends(call)
    if target is not None:
        act = Act.LINK if call.has("-f") else Act.WRITE
        yield on(act, call, target, forced=call.has("-f"))
    for source in sources:
        path = resolve(source.value, call.cwd)
        yield Effect(act=Act.READ, call=call, span=source.span, path=path, detail="link")


def install(call: Call) -> Iterator[Effect]:
    """Copy with permissions, or make directories."""
    if call.has("-d"):
        return
    sources, target = _ends(call)
    for source in sources:
        yield on(Act.READ, call, source)
        if target is not None:
            yield on(Act.WRITE, call, _landing(target, source))


def rsync(call: Call) -> Iterator[Action]:
    """Copy; with --delete, take away at the target what the source lacks."""
    sources, target = _ends(call)
    if rsh := call.get("-e"):
        yield Shell(text=rsh.value, span=rsh.span)
    if call.has("--dry-run"):
        return
    if call.has("--remove-source-files"):
        for source in sources:
            yield on(Act.DELETE, call, source, recursive=True, forced=True)
    for source in sources:
        if target is not None and re.match(r"(?:[\w.-]+@)?[\w.-]+:(?!/?$)", source.text):
            name = source.text.rpartition("/")[2].rpartition(":")[2]
            folder = target.text.endswith((".", "/"))
            path = f"{target.value.rstrip('/')}/{name}" if folder else target.value
            yield Effect(act=Act.FETCH, call=call, span=source.span, detail=source.text)
            yield on(Act.OVERWRITE, call, replace(target, value=path))
    for source in sources:
        if ":" not in source.text:
            yield on(Act.READ, call, source, recursive=True)
    if target is not None:
        deletes = any(name.startswith("--del") for name, _ in call.options.given)
        yield on(Act.DELETE if deletes else Act.WRITE, call, target, recursive=True, forced=deletes)


def tar(call: Call) -> Iterator[Action]:
    """Pack or unpack; --remove-files deletes, some options run commands."""
    for option in call.options.all("--checkpoint-action"):
        name, _, text = option.value.partition("=")
        if name == "exec":
            yield Shell(text=text, span=option.span)
    for option in call.options.all("--to-command", "-I", "--info-script", "--rsh-command"):
        yield Shell(text=option.value, span=option.span)
    place = call.get("-C")
    cwd = resolve(place.value, call.cwd) if place else call.cwd
    bundled = not call.args or not call.args[0].value.startswith("-")
    mode = call.operands[0].text if bundled and call.operands else ""
    operands = call.operands[1 + ("f" in mode) if bundled else 0 :]
    archive = call.get("-f") or (
        call.operands[1] if "f" in mode and len(call.operands) > 1 else None
    )
    if call.has("--remove-files"):
        for target in operands:
            yield Effect(
                act=Act.DELETE,
                call=call,
                span=target.span,
                path=resolve(target.value, cwd),
                recursive=True,
                forced=True,
            )
    if call.has("-c") or "c" in mode:
        for target in operands:
            yield Effect(
                act=Act.READ,
                call=call,
                span=target.span,
                path=resolve(target.value, cwd),
                recursive=True,
            )
        if archive is not None and archive.text != "-":
            yield on(Act.WRITE, call, archive)
    elif call.has("-x") or "x" in mode:
        yield Effect(act=Act.WRITE, call=call, span=call.span, path=cwd, recursive=True)


def unzip(call: Call) -> Iterator[Effect]:
    """Unpack into the directory of -d."""
    if call.has("-l", "-t", "-v", "-p", "-Z"):
        return
    place = call.get("-d")
    path = resolve(place.value, call.cwd) if place else call.cwd
    yield Effect(act=Act.WRITE, call=call, span=call.span, path=path, recursive=True)


def seven_zip(call: Call) -> Iterator[Effect]:
    """Pack; -sdel deletes what was packed."""
    if any(arg.text == "-sdel" for arg in call.args):
        for target in call.operands[2:]:
            yield on(Act.DELETE, call, target, recursive=True, forced=True)


def zip_(call: Call) -> Iterator[Effect]:
    """Pack; -m moves the files into the archive."""
    for target in call.operands[1:]:
        yield on(Act.DELETE if call.has("-m") else Act.READ, call, target, recursive=True)


_CP = getopt(
    "r,R,recursive f,force n,no-clobber i,interactive a,archive b,backup?="
    " t,target-directory= T,no-target-directory"
    " u,update?= v,verbose p preserve?= d L P H l,link s,symbolic-link"
    " S,suffix= x Z reflink?= parents c X"
)

PROGRAMS: Mapping[str, Program] = {
    "cp": Program(options=_CP, does=cp),
    "gcp": Program(options=_CP, does=cp),
    "mv": Program(options=_CP, does=mv),
    "gmv": Program(options=_CP, does=mv),
    "ln": Program(
        options=getopt(
            "s,symbolic f,force n,no-dereference i b r,relative t,target-directory="
            " T,no-target-directory v h S= L P"
        ),
        does=ln,
    ),
    "install": Program(
        options=getopt(
            "d,directory m,mode= o,owner= g,group= t,target-directory= T D v s b C p S="
        ),
        does=install,
    ),
    "rsync": Program(
        options=getopt(
            "a,archive v,verbose z,compress r,recursive l p t g o D u,update"
            " n,dry-run e,rsh= P h q H A X c"
            " delete delete-before delete-during,del delete-delay delete-after"
            " delete-excluded delete-missing-args"
            " remove-source-files exclude= include= exclude-from= include-from="
            " files-from= filter= f= progress stats"
            " rsync-path= password-file= port= bwlimit= max-delete= log-file="
            " partial inplace backup-dir= b,backup"
            " T,temp-dir= compare-dest= link-dest= chmod= chown= info="
            " ignore-existing existing size-only"
        ),
        does=rsync,
    ),
    "tar": Program(
        options=getopt(
            "c,create x,extract,get t,list r,append u,update A f,file= C,directory="
            " z,gzip j,bzip2 J,xz v,verbose p k O,to-stdout"
            " remove-files checkpoint?= checkpoint-action= to-command="
            " I,use-compress-program= F,info-script="
            " rsh-command= exclude= T,files-from= X= strip-components= transform="
            " owner= group= mode= P,absolute-names"
            " overwrite keep-old-files wildcards zstd a,auto-compress W h"
        ),
        does=tar,
    ),
    "unzip": Program(options=getopt("d= o n q l t v p j a P= x="), does=unzip),
    **dict.fromkeys(("7z", "7za", "7zz"), Program(does=seven_zip)),
    "zip": Program(options=getopt("r m q 9 x= i= u d e j y P=", abbreviates=False), does=zip_),
}
for _name in ("gtar", "bsdtar"):
    PROGRAMS = {**PROGRAMS, _name: PROGRAMS["tar"]}
