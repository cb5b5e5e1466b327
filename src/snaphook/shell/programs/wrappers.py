"""Programs that run another program: what matters is the command inside.

sudo -u root nice -n 5 rm -rf /  ->  rm -rf /, as root, via sudo and nice
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from snaphook.shell.facts import Act, Action, Arg, Call, Runs, Shell
from snaphook.shell.options import getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program, on

_ASSIGNMENT = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


def inner(call: Call, skip: int = 0) -> tuple[tuple[Arg, ...], dict[str, str]]:
    """Return the command after *skip* operands, and the variables set before it."""
    words = call.operands[skip:]
    env: dict[str, str] = {}
    at = 0
    while at < len(words) and (found := _ASSIGNMENT.fullmatch(words[at].value)):
        env[found[1]] = found[2]
        at += 1
    return words[at:], env


def wrapper(
    options: str = "",
    *,
    skip: int = 0,
    root: bool = False,
    remote: str = "",
    subcommands: tuple[str, ...] = (),
) -> Program:
    """Return the entry of a program that runs the words after its options (and *skip* more).

    With *subcommands*, only after one of these (`poetry run`, `mise exec`).
    """
    if subcommands:
        deeper = getopt(options, operands_end=False)
        grammar = getopt("", subcommands=dict.fromkeys(subcommands, deeper))
    else:
        grammar = getopt(options, operands_end=True)

    def does(call: Call) -> Iterator[Action]:
        if subcommands and call.subcommand not in subcommands:
            return
        words, env = inner(call, skip + bool(subcommands))
        while words and words[0].value.startswith("-"):  # `setarch x86_64 -R rm`
            words = words[1:]
        yield Runs(args=after_options(call, words), env=env, root=root, remote=remote)

    return Program(options=grammar, does=does)


def after_options(call: Call, words: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """Return the inner command with its own options, which follow its first word unsorted."""
    if not words:
        return ()
    for at, arg in enumerate(call.args):
        if arg is words[0]:
            return call.args[at:]
    return words


def sudo(call: Call) -> Iterator[Action]:
    """Run a command as another user, root unless told otherwise."""
    user = call.get("-u")
    root = user is None or user.text in ("root", "#0")
    if call.has("-e") or call.program == "sudoedit":
        for target in call.operands:
            yield on(Act.OVERWRITE, call, target)
        return
    words, env = inner(call)
    cwd = call.get("-D")
    place = resolve(cwd.value, call.cwd) if cwd else None
    if words:
        yield Runs(args=words, env=env, root=root, cwd=place)
    elif call.has("-s", "-i") and call.stdin is not None:
        yield Shell(text=call.stdin, span=call.span, root=root)


def su(call: Call) -> Iterator[Action]:
    """Run a shell as another user."""
    command = call.get("-c")
    root = not call.operands or call.operands[0].text in ("root", "-")
    if command:
        yield Shell(text=command.value, span=command.span, root=root)
    elif call.stdin is not None:
        yield Shell(text=call.stdin, span=call.span, root=root)


def runuser(call: Call) -> Iterator[Action]:
    """Run a command (-u) or a shell (-c) as another user."""
    if call.get("-u"):
        yield Runs(args=after_options(call, call.operands), root=False)
    else:
        yield from su(call)


def env(call: Call) -> Iterator[Action]:
    """Run a command with variables set."""
    place = call.get("-C")
    cwd = resolve(place.value, call.cwd) if place else None
    for split in call.options.all("-S"):
        at = next(n for n, arg in enumerate(call.args) if arg.value.endswith(split.value))
        rest = call.args[at + 1 :]
        yield Shell(text=split.value + _quoted(rest), span=split.span, cwd=cwd)
        return
    lone_dash = bool(call.operands) and call.operands[0].value == "-"  # the same as -i
    words, variables = inner(call, skip=lone_dash)
    if lone_dash or call.has("-i"):  # nothing is left of the variables, the home directory included
        variables = {"HOME": "", **variables}
    if words:
        yield Runs(args=words, env=variables, cwd=cwd)


def _quoted(words: tuple[Arg, ...]) -> str:
    return "".join(
        f" '{word.value}'" if "'" not in word.value else f" {word.value}" for word in words
    )


def flock(call: Call) -> Iterator[Action]:
    """Run a command while a lock is held."""
    if command := call.get("-c"):
        yield Shell(text=command.value, span=command.span)
    elif len(call.operands) > 2 and call.operands[1].value in ("-c", "--command"):
        yield Shell(text=call.operands[2].value, span=call.operands[2].span)
    else:
        yield Runs(args=call.operands[1:])


def text_of_operands(call: Call) -> Iterator[Action]:
    """Run the operands, joined, as shell text (watch, hyperfine, concurrently)."""
    if call.program == "watch":
        if call.has("-x"):
            yield Runs(args=call.operands)
        elif call.operands:
            yield Shell(text=" ".join(a.value for a in call.operands), span=call.operands[0].span)
            if len(call.operands) > 1:
                yield Runs(args=call.operands)
        return
    for text in (*call.operands, *call.options.all("--prepare", "--setup", "--cleanup")):
        if " " in text.value:
            yield Shell(text=text.value, span=text.span)


def text_of_option(*names: str) -> Callable[[Call], Iterator[Action]]:
    """Return a deed-teller for programs that take shell text in an option, or words."""

    def does(call: Call) -> Iterator[Action]:
        found = False
        for text in call.options.all(*names):
            found = True
            yield Shell(text=text.value, span=text.span)
        if not found and call.operands:
            yield Runs(args=call.operands)

    return does


def script(call: Call) -> Iterator[Action]:
    """Record a shell, or the command that -c (Linux) or the words after the file (BSD) give."""
    if command := call.get("-c"):
        yield Shell(text=command.value, span=command.span)
    elif len(call.operands) > 1:
        yield Runs(args=after_options(call, call.operands[1:]))
    elif call.stdin is not None:
        yield Shell(text=call.stdin, span=call.span)


def exec_builtin(call: Call) -> Iterator[Action]:
    """Run the operands in place of the shell, or through `command`, unless it only asks."""
    if call.program == "command" and call.has("-v", "-V"):
        return
    if call.operands:
        yield Runs(args=call.operands)


def busybox(call: Call) -> Iterator[Action]:
    """Run the applet named first."""
    if call.args and not call.args[0].value.startswith("-"):
        yield Runs(args=call.args)


def strip_dashes(call: Call) -> Iterator[Action]:
    """Run what follows `--`, or after a subcommand (direnv exec DIR, aws-vault exec PROFILE)."""
    for at, arg in enumerate(call.args):
        if arg.value == "--":
            yield Runs(args=call.args[at + 1 :])
            return
    skipped = {"direnv": 2, "aws-vault": 2, "conda": 1, "mamba": 1, "micromamba": 1}
    if call.subcommand in ("exec", "run"):
        words = call.operands[skipped.get(call.program, 1) :]
        yield Runs(args=after_options(call, words))


def nix(call: Call) -> Iterator[Action]:
    """Run the command of nix-shell --run, nix develop -c."""
    for text in call.options.all("--run", "--command") if call.program == "nix-shell" else ():
        yield Shell(text=text.value, span=text.span)
    for at, arg in enumerate(call.args):
        if call.program == "nix" and arg.value in ("-c", "--command"):
            yield Runs(args=call.args[at + 1 :])
            return


def tmux(call: Call) -> Iterator[Action]:
    """Run the command of a new session or window; keys sent count as typed."""
    verb = call.subcommand
    words = call.operands[1:]
    if verb in ("send-keys", "send"):
        typed = " ".join(a.value for a in words if a.text not in ("Enter", "C-m"))
        yield Shell(text=typed, span=call.span)
    elif words and verb in (
        "new",
        "new-session",
        "new-window",
        "neww",
        "split-window",
        "run",
        "run-shell",
    ):
        yield Shell(text=" ".join(a.value for a in words), span=words[0].span)


def screen(call: Call) -> Iterator[Action]:
    """Run the command of a detached screen; text stuffed into one counts as typed."""
    for at, arg in enumerate(call.args):
        if arg.value == "stuff" and at + 1 < len(call.args):
            yield Shell(text=call.args[at + 1].value, span=arg.span)
            return
    if call.operands:
        yield Runs(args=call.operands)


_SUDO = (
    "A,askpass b,background B,bell E e,edit H,set-home i,login K k l,list n,non-interactive N P"
    " S,stdin s,shell V v u,user= g,group= C,close-from= D,chdir= h,host= p,prompt= R,chroot="
    " r,role= T,command-timeout= t,type= U,other-user= preserve-env?="
)
_EXEC = "a= c l"

PROGRAMS: Mapping[str, Program] = {
    "sudo": Program(options=getopt(_SUDO, operands_end=True), does=sudo),
    "sudoedit": Program(options=getopt(_SUDO, operands_end=True), does=sudo),
    "doas": Program(options=getopt("n s L u= C= a=", operands_end=True), does=sudo),
    "pkexec": wrapper("u,user= disable-internal-agent", root=True),
    "gosu": wrapper("", skip=1),
    "su-exec": wrapper("", skip=1),
    "setpriv": wrapper("reuid= regid= groups= clear-groups init-groups"),
    "su": Program(options=getopt("c,command= s,shell= l,login m p g= G= w= P f"), does=su),
    "runuser": Program(
        options=getopt("c,command= u,user= s,shell= l,login m p g= G= w="),
        does=runuser,
    ),
    "env": Program(
        options=getopt(
            "i,ignore-environment 0,null u,unset= C,chdir= S,split-string= v,debug P="
            " block-signal?= default-signal?= ignore-signal?= list-signal-handling",
            operands_end=True,
        ),
        does=env,
    ),
    "genv": Program(
        options=getopt("i u,unset= C,chdir= S,split-string= v", operands_end=True), does=env
    ),
    "exec": Program(options=getopt(_EXEC, operands_end=True), does=exec_builtin),
    "command": Program(options=getopt("p v V", operands_end=True), does=exec_builtin),
    "builtin": Program(options=getopt("", operands_end=True), does=exec_builtin),
    "nohup": wrapper(),
    "setsid": wrapper("c,ctty f,fork w,wait"),
    "nice": wrapper("n,adjustment="),
    "gnice": wrapper("n,adjustment="),
    "ionice": wrapper("c,class= n,classdata= p,pid= t,ignore"),
    "chrt": wrapper("b f i o r R a p v m T= P= D=", skip=1),
    "taskset": wrapper("a p c,cpu-list", skip=1),
    "numactl": wrapper("m,membind= N,cpunodebind= C,physcpubind= i,interleave= l,localalloc p="),
    "timeout": wrapper("k,kill-after= s,signal= preserve-status foreground v,verbose f p", skip=1),
    "gtimeout": wrapper("k,kill-after= s,signal= preserve-status foreground v,verbose", skip=1),
    "time": wrapper("p a,append f,format= o,output= v,verbose q,quiet l h"),
    "stdbuf": wrapper("i,input= o,output= e,error="),
    "unbuffer": wrapper("p"),
    "chronic": wrapper("e v"),
    "caffeinate": wrapper("d i m s u t= w="),
    "systemd-inhibit": wrapper("what= who= why= mode= list"),
    "systemd-run": wrapper(
        "user system scope unit,u= p,property= description= slice= r,remain-after-exit E,setenv="
        " uid= gid= nice= d,same-dir working-directory= t,pty P,pipe q,quiet G,collect S,shell"
        " on-calendar= on-active= on-boot= timer-property= wait no-block M= H= service-type="
    ),
    "strace": wrapper("o= e= p= s= a= u= E= P= S= O= b= I= X= f F c C d i k q r t T v V x y Z D n"),
    "ltrace": wrapper("o= e= p= s= a= u= n= l= x= D= F= f c C S i r t T V h L"),
    "valgrind": wrapper("tool= log-file= q v leak-check= track-origins= error-exitcode="),
    "gdb": wrapper("args batch q ex= x="),
    "perf": wrapper("e= o= g F= a", subcommands=("stat", "record", "trace")),
    "catchsegv": wrapper(),
    "fakeroot": wrapper("s= i= u l= b="),
    "fakechroot": wrapper(),
    "proot": wrapper("r,rootfs= b,bind= w,cwd= q= 0,root-id", remote="proot"),
    "chroot": wrapper("userspec= groups= skip-chdir", skip=1, remote="chroot"),
    "unshare": wrapper(
        "m u i n p U C T f r c S,setuid= G,setgid= R,root= w,wd= map-root-user fork"
        " mount-proc?= propagation= kill-child?="
    ),
    "nsenter": wrapper("t,target= m,mount?= u?= i?= n?= p?= U?= C?= r?= w?= F S= G= a,all"),
    "bwrap": wrapper("bind= ro-bind= dev-bind= proc= dev= tmpfs= dir= chdir= setenv= unshare-all"),
    "firejail": wrapper("quiet noprofile profile= net= private?="),
    "sandbox-exec": wrapper("f= n= p= D="),
    "dbus-run-session": wrapper("config-file= dbus-daemon="),
    "dbus-launch": wrapper("exit-with-session sh-syntax"),
    "xvfb-run": wrapper("a,auto-servernum e= f= l n= p= s,server-args= w="),
    "rlwrap": wrapper("a= b= c C= D= f= H= i l= m= N n o P= p= r R s= S= t="),
    "proxychains": wrapper("q f="),
    "proxychains4": wrapper("q f="),
    "cpulimit": wrapper("l,limit= p= e= z b f i m v"),
    "setarch": wrapper("R B F I L S T X Z 3 v", skip=1),
    **dict.fromkeys(("linux32", "linux64", "torsocks", "torify", "nocorrect", "noglob"), wrapper()),
    "arch": wrapper("x86_64 arm64 32 64 c d= e= h"),
    "cgexec": wrapper("g= sticky"),
    "trickle": wrapper("d= u= s"),
    "pv": Program(options=getopt("p t e r b n q s= l L= N= i= w= H= f c B=")),
    "cross-env": wrapper(),
    "cross-env-shell": Program(does=text_of_operands),
    "dotenvx": Program(does=strip_dashes),
    "op": Program(does=strip_dashes),
    "doppler": Program(does=strip_dashes),
    "infisical": Program(does=strip_dashes),
    "chamber": Program(does=strip_dashes),
    "teller": Program(does=strip_dashes),
    "envchain": wrapper("", skip=1),
    "aws-vault": Program(
        options=getopt("d,duration= n,no-session region= mfa-token="), does=strip_dashes
    ),
    "direnv": Program(does=strip_dashes),
    "mise": Program(options=getopt("C,cd= E,env= q j,jobs="), does=strip_dashes),
    "rtx": Program(does=strip_dashes),
    "asdf": wrapper("", subcommands=("exec",)),
    "pyenv": wrapper("", subcommands=("exec",)),
    "rbenv": wrapper("", subcommands=("exec",)),
    "nodenv": wrapper("", subcommands=("exec",)),
    "conda": Program(
        options=getopt("n,name= p,prefix= no-capture-output live-stream cwd="), does=strip_dashes
    ),
    "mamba": Program(options=getopt("n,name= p,prefix="), does=strip_dashes),
    "micromamba": Program(options=getopt("n,name= p,prefix="), does=strip_dashes),
    "poetry": wrapper("C,directory= P,project= n q v", subcommands=("run",)),
    "pdm": wrapper("p,project=", subcommands=("run",)),
    "hatch": wrapper("e,env= p,project=", subcommands=("run",)),
    "rye": wrapper("", subcommands=("run",)),
    "pipenv": wrapper("", subcommands=("run",)),
    "pixi": wrapper("e,environment= manifest-path=", subcommands=("run",)),
    "bundle": wrapper("", subcommands=("exec",)),
    "flock": Program(
        options=getopt(
            "x,e,exclusive s,shared n,nb,nonblock w,timeout= E= c,command= o u F v",
            operands_end=True,
        ),
        does=flock,
    ),
    "watch": Program(
        options=getopt("n,interval= d?= b e g c t x,exec p q= r w", operands_end=True),
        does=text_of_operands,
    ),
    "hyperfine": Program(
        options=getopt(
            "w,warmup= m= M= r,runs= p,prepare= c,cleanup= s,setup= i N S= n="
            " export-json= export-markdown="
        ),
        does=text_of_operands,
    ),
    "concurrently": Program(options=getopt("n,names= c= k r p= g m="), does=text_of_operands),
    "nodemon": Program(
        options=getopt("x,exec= w,watch= e,ext= i,ignore= q"), does=text_of_option("-x")
    ),
    "watchexec": wrapper("e,exts= w,watch= i,ignore= r,restart c d= n N s= f= p"),
    "entr": wrapper("c d n p r s z a x"),
    "script": Program(
        options=getopt("c,command= q,quiet a,append e,return f,flush t?= O= I= B= E= T= m= k r p"),
        does=script,
    ),
    "busybox": Program(options=getopt("", operands_end=True), does=busybox),
    "toybox": Program(options=getopt("", operands_end=True), does=busybox),
    "nix-shell": Program(options=getopt("p,packages run= command= pure I= A= attr="), does=nix),
    "nix": Program(does=nix),
    "tmux": Program(
        options=getopt("L= S= f= t= s= n= c= d D A P x= y= F= h v b l e= p="), does=tmux
    ),
    "screen": Program(
        options=getopt("S= d m D r R x X p= L c= t= s= e= q U A", operands_end=True), does=screen
    ),
}
