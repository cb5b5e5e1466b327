"""Programs of package managers and environments that run another program.

npx rimraf ~       ->  rimraf ~
uv run rm -rf src  ->  rm -rf src
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, Runs, Shell
from snaphook.shell.options import getopt
from snaphook.shell.programs.program import Program

Does = Callable[[Call], Iterator[Action]]


def command(*verbs: str, text: str = "", skip: int = 0) -> Does:
    """Return a deed-teller for what runs the words after one of *verbs*, or at once without any.

    *text* names the option that takes shell text instead; *skip* words come before the command.
    """

    def does(call: Call) -> Iterator[Action]:
        if verbs and call.subcommand not in verbs:
            return
        if text and (given := call.get(text)):
            yield Shell(text=given.value, span=given.span)
        elif words := call.operands[bool(verbs) + skip :]:
            yield Runs(args=_unversioned(_onward(call, words[0])))

    return does


def _onward(call: Call, first: Arg) -> tuple[Arg, ...]:
    """Return the words of *call* from *first* on, the inner command's options among them."""
    return next(call.args[at:] for at, arg in enumerate(call.args) if arg is first)


def _unversioned(words: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """Return *words* with the version taken off the first: `rimraf@5` is rimraf."""
    name, at, _ = words[0].value.rpartition("@")
    return (replace(words[0], value=name), *words[1:]) if at and name else words


def uv(call: Call) -> Iterator[Action]:
    """Run a command, or a Python script given by name or on standard input."""
    if call.subcommand == "tool" and call.options.starts(("tool", "run")):
        yield from command(*("tool",), skip=1)(call)
        return
    words = call.operands[1:]
    if call.subcommand != "run" or not words:
        return
    onward = _onward(call, words[0])
    if words[0].text == "-" or words[0].text.endswith((".py", ".pyw")):
        onward = (replace(words[0], value="python"), *onward)
    yield Runs(args=onward)


def deno(call: Call) -> Iterator[Action]:
    """Run a script; one given by its address is code nobody has read."""
    words = [word for word in call.operands if word.text.startswith(("http://", "https://"))]
    if call.subcommand in ("run", "install", "x") and words:
        span = words[0].span
        yield Effect(act=Act.FETCH, call=call, span=span, detail=words[0].text)
        yield Effect(act=Act.OPAQUE, call=call, span=span, detail="a script from an address")


def last_is_text(*verbs: str) -> Does:
    """Return a deed-teller for what takes shell text as its last word, after one of *verbs*."""

    def does(call: Call) -> Iterator[Action]:
        if len(call.operands) > 1 and call.subcommand in verbs:
            yield Shell(text=call.operands[-1].value, span=call.operands[-1].span)

    return does


def after_dashes(call: Call) -> Iterator[Action]:
    """Run what follows `--`."""
    for at, arg in enumerate(call.args):
        if arg.value == "--" and at + 1 < len(call.args):
            yield Runs(args=call.args[at + 1 :])
            return


def salt(call: Call) -> Iterator[Action]:
    """Run the text of `cmd.run` on the minions."""
    if len(call.operands) > 2 and call.operands[1].text.startswith("cmd."):
        text = call.operands[2]
        yield Shell(text=text.value, span=text.span, remote="salt")


def expect(call: Call) -> Iterator[Action]:
    """Run the programs that a script of one line spawns."""
    if given := call.get("-c"):
        for line in given.value.replace(";", "\n").splitlines():
            verb, _, words = line.strip().partition(" ")
            if verb in ("spawn", "exec", "system"):
                yield Shell(text=words, span=given.span)


def _after(verbs: str, options: str = "", text: str = "", own: str = "") -> Program:
    """Return the entry of a program with options of its *own* whose *verbs* take a command."""
    names = verbs.split()
    grammar = getopt(own, subcommands=dict.fromkeys(names, getopt(options)))
    return Program(options=grammar, does=command(*names, text=text))


def _first(options: str = "", *, skip: int = 0, text: str = "") -> Program:
    """Return the entry of a program that takes *options* and then a command."""
    return Program(options=getopt(options, operands_end=True), does=command(skip=skip, text=text))


_NPX = "p,package= y,yes q,quiet c,call= w,workspace= n no-install prefer-offline"
_UV = getopt(
    "with= with-editable= with-requirements= p,python= extra= group= only-group= package="
    " env-file= directory= project= index= index-url= extra-index-url= f,find-links= from="
    " m,module s,script isolated no-project no-sync frozen locked all-extras dev no-dev q v"
)

PROGRAMS: Mapping[str, Program] = {
    "npx": _first(_NPX, text="-c"),
    "bunx": _first("bun silent p,package="),
    "pnpx": _first("p,package= s,silent"),
    "npm": _after("exec x", _NPX, text="-c", own="prefix= w,workspace= s,silent"),
    "pnpm": _after("exec dlx", "c,shell-mode package=", own="C,dir= F,filter= r,recursive w"),
    "yarn": _after("exec dlx node", "p,package= q,quiet", own="cwd="),
    "uv": Program(options=getopt("", subcommands={"run": _UV, "tool": _UV}), does=uv),
    "uvx": _first("from= with= p,python= index-url= isolated q"),
    "pipx": _after("run", "spec= python= pip-args= no-cache"),
    "guix": Program(does=after_dashes),
    "ssh-agent": _first("a= c D d E= k P= s t="),
    "faketime": _first("f m p=", skip=1),
    "snaphook-sandbox": _first("hooks trial without=", skip=1),
    "prlimit": _first(
        "c,core?= d,data?= e,nice?= f,fsize?= m,rss?= n,nofile?= s,stack?= t,cpu?= u,nproc?= v,as?="
    ),
    "dtach": Program(options=getopt("E z r= A= a= c= n= N=", operands_end=True), does=command()),
    "abduco": Program(options=getopt("f r q e= a= A= c= n=", operands_end=True), does=command()),
    "sops": Program(does=last_is_text("exec-env", "exec-file")),
    "salt": Program(options=getopt("G E L C N t= timeout="), does=salt),
    "expect": Program(options=getopt("c= f= b d D= i v"), does=expect),
}
