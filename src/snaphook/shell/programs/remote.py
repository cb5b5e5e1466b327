"""Programs that run a command somewhere else: another host, a container, a virtual machine.

ssh web 'rm -rf /'  ->  rm -rf /, on web
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from snaphook.shell.facts import Action, Arg, Call, Runs, Shell
from snaphook.shell.options import getopt
from snaphook.shell.programs.program import Program
from snaphook.shell.text import plain


def ssh(call: Call) -> Iterator[Action]:
    """Run the words after the host as shell text there; hidden commands run here."""
    for option in call.options.all("-o"):
        key, _, value = option.value.partition("=")
        if key.strip().lower() in ("proxycommand", "localcommand", "knownhostscommand"):
            yield Shell(text=value, span=option.span)
    if not call.operands:
        return
    host, words = call.operands[0], call.operands[1:]
    if words and words[0].value == "--":
        words = words[1:]
    if words:
        text = " ".join(word.value for word in words)
        yield Shell(text=text, span=words[0].span, remote=plain(host.value))
    elif call.stdin is not None:
        yield Shell(text=call.stdin, span=call.span, remote=plain(host.value))


def container(call: Call) -> Iterator[Action]:
    """Run a command in a container: docker run|exec, compose run|exec, and their kin."""
    words = list(call.operands)
    if words and words[0].text in ("compose", "container"):
        words = words[1:]
    if len(words) < 2 or words[0].text not in ("run", "exec", "debug", "create"):
        return
    image = words[1]
    command = _from(call, words[2:])
    entry = call.get("--entrypoint")
    if entry:
        command = (entry, *command)
    if command:
        yield Runs(args=command, remote=f"container {image}")
    elif call.stdin is not None and call.has("-i"):
        yield Shell(text=call.stdin, span=call.span, remote=f"container {image}")


def _from(call: Call, words: list[Arg]) -> tuple[Arg, ...]:
    """Return the words from the first of *words* on, options of the inner command included."""
    if not words:
        return ()
    for at, arg in enumerate(call.args):
        if arg is words[0]:
            return call.args[at:]
    return tuple(words)


def pod(call: Call) -> Iterator[Action]:
    """Run a command in a pod: kubectl exec, run, debug."""
    if call.subcommand not in ("exec", "run", "debug", "rsh"):
        return
    for at, arg in enumerate(call.args):
        if arg.value == "--" and at + 1 < len(call.args):
            yield Runs(args=call.args[at + 1 :], remote="pod")
            return
    if call.subcommand in ("exec", "rsh") and len(call.operands) > 2:
        yield Runs(args=_from(call, list(call.operands[2:])), remote="pod")


def text_after(*path: str, option: str = "", skip: int = 0) -> Callable[[Call], Iterator[Action]]:
    """Return a deed-teller for tools whose subcommand *path* runs shell text elsewhere."""

    def does(call: Call) -> Iterator[Action]:
        if not call.options.starts(path):
            return
        if option and (text := call.get(option)):
            yield Shell(text=text.value, span=text.span, remote=call.program)
            return
        for at, arg in enumerate(call.args):
            if arg.value == "--":
                yield Runs(args=call.args[at + 1 :], remote=call.program)
                return
        if words := _from(call, list(call.operands[len(path) + skip :])):
            yield Shell(
                text=" ".join(word.value for word in words), span=words[0].span, remote=call.program
            )

    return does


def ansible(call: Call) -> Iterator[Action]:
    """Run the arguments of the shell and command modules on many hosts."""
    module = call.get("-m")
    if (text := call.get("-a")) and (module is None or module.text in ("shell", "command", "raw")):
        yield Shell(text=text.value, span=text.span, remote="ansible")


_DOCKER_RUN = (
    "i,interactive t,tty d,detach rm v,volume= e,env= env-file= w,workdir="
    " u,user= p,publish= P name="
    " network,net= entrypoint= platform= mount= privileged cap-add="
    " cap-drop= security-opt= h,hostname="
    " add-host= device= gpus= m,memory= cpus= l,label= restart= init pid="
    " ipc= uts= userns= tmpfs= pull= read-only"
    " volumes-from= link= shm-size= ulimit= log-driver= log-opt= dns="
    " expose= runtime= cidfile= c= a= index= T no-deps"
    " detach-keys= service-ports quiet-pull"
)
_DOCKER = (
    "H,host= c,context= D,debug l,log-level= tls tlscacert= tlscert= tlskey= tlsverify config="
    " f,file= p,project-name= profile= env-file= project-directory="
)
_RUN = getopt(_DOCKER_RUN, abbreviates=False)
_DOCKERS = getopt(
    _DOCKER,
    subcommands={
        "run": _RUN,
        "exec": _RUN,
        "create": _RUN,
        "compose": getopt(
            "f,file= p,project-name= profile= env-file= project-directory= "
            + _DOCKER_RUN.replace(" p,publish=", " publish="),
            abbreviates=False,
        ),
        "container": _RUN,
        "inspect": getopt("f,format= type= s,size", abbreviates=False),
    },
    abbreviates=False,
)
_KUBECTL = getopt(
    "n,namespace= c,container= context= kubeconfig= cluster= user="
    " s,server= token= as= as-group= i,stdin t,tty"
    " l,selector= f,filename= o,output= k,kustomize= image= p,patch= type="
    " field-selector= grace-period="
    " cascade?= timeout= request-timeout= replicas= A,all-namespaces"
    " R,recursive all force now wait?= dry-run?="
    " ignore-not-found?= target= profile= v= sort-by= template= show-labels"
    " w,watch since= tail= previous"
)

PROGRAMS: Mapping[str, Program] = {
    "ssh": Program(
        options=getopt(
            "4 6 A a C f G g K k M N n q s T t V v X x Y y B= b= c= D= E= e= F= I="
            " i= J= L= l= m="
            " O= o= p= Q= R= S= W= w=",
            operands_end=True,
        ),
        does=ssh,
    ),
    "autossh": Program(options=getopt("M= f N o= i= p= L= R= D= l=", operands_end=True), does=ssh),
    "mosh": Program(options=getopt("ssh= server= p=", operands_end=True), does=ssh),
    "sshpass": Program(
        options=getopt("p= f= d= e v P=", operands_end=True),
        does=lambda call: iter((Runs(args=call.operands),)),
    ),
    "docker": Program(options=_DOCKERS, does=container),
    "podman": Program(options=_DOCKERS, does=container),
    "nerdctl": Program(options=_DOCKERS, does=container),
    "docker-compose": Program(
        options=getopt(
            "f,file= p,project-name= profile= env-file=", subcommands={"run": _RUN, "exec": _RUN}
        ),
        does=container,
    ),
    "podman-compose": Program(options=_DOCKERS, does=container),
    "kubectl": Program(options=_KUBECTL, does=pod),
    "oc": Program(options=_KUBECTL, does=pod),
    "k3s": Program(does=lambda call: iter((Runs(args=call.args),))),
    "microk8s": Program(does=lambda call: iter((Runs(args=call.args),))),
    "lxc": Program(does=text_after("exec", skip=1)),
    "incus": Program(does=text_after("exec", skip=1)),
    "multipass": Program(does=text_after("exec", skip=1)),
    "vagrant": Program(options=getopt("c,command="), does=text_after("ssh", option="-c")),
    "limactl": Program(does=text_after("shell", skip=1)),
    "colima": Program(does=text_after("ssh")),
    "wsl": Program(options=getopt("d,distribution= u,user= e,exec cd="), does=text_after()),
    "wsl.exe": Program(options=getopt("d,distribution= u,user= e,exec cd="), does=text_after()),
    "adb": Program(options=getopt("s= d e"), does=text_after("shell")),
    "heroku": Program(options=getopt("a,app= r,remote="), does=text_after("run")),
    "flyctl": Program(
        options=getopt("C,command= a,app="), does=text_after("ssh", "console", option="-C")
    ),
    "fly": Program(
        options=getopt("C,command= a,app="), does=text_after("ssh", "console", option="-C")
    ),
    "railway": Program(does=text_after("run")),
    "nomad": Program(does=text_after("alloc", "exec", skip=1)),
    "ansible": Program(
        options=getopt("m,module-name= a,args= i,inventory= b,become u,user= l,limit= f= k K e="),
        does=ansible,
    ),
    "pdsh": Program(options=getopt("w= x= R= l= f= g="), does=text_after()),
    "pssh": Program(options=getopt("h= H= l= p= t= o= e= i A"), does=text_after()),
    "dsh": Program(options=getopt("m= g= a M c"), does=text_after()),
    "machinectl": Program(does=text_after("shell", skip=1)),
}
