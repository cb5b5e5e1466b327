"""Containers, their images and the data in their volumes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Arg, Call, Span

_ENGINES = ("docker", "podman", "nerdctl")
_HARMS = harms(
    """
    docker|podman|nerdctl system prune|reset
    docker|podman|nerdctl volume rm|remove|prune
    docker|podman|nerdctl image|container|network|pod prune
    docker|podman|nerdctl network|context|secret|config|stack|service|node|plugin|pod|machine rm|remove
    docker|podman|nerdctl manifest|trust rm|revoke
    docker|podman|nerdctl rm|rmi -f|--force|-a|--all
    docker|podman|nerdctl rm -v|--volumes
    docker|podman|nerdctl container|image rm|remove -f|--force
    docker|podman|nerdctl swarm leave
    docker|podman|nerdctl compose down -v|--volumes|--rmi
    docker|podman|nerdctl compose rm -f|-v
    docker-compose|podman-compose down -v|--volumes|--rmi
    docker-compose|podman-compose rm -f|-v
    podman machine rm|reset
    podman unshare|kill --all
    buildah rm|rmi|prune -a
    crictl rm|rmi|rmp|stopp
    ctr images|containers|namespaces|snapshots rm|remove|delete
    lxc|incus delete
    lima|limactl|colima|orb|multipass delete|prune|purge|factory-reset
    vagrant destroy
    minikube|kind|k3d|k0s|kubeadm delete|reset
    kind|k3d delete cluster
    VBoxManage unregistervm|closemedium
    virsh undefine|destroy|vol-delete|pool-destroy|pool-delete
    """
)


def removes(call: Call, scene: RuleContext) -> Span | None:
    """Point at a call that removes volumes, or containers and images by force or in bulk.

    A container that the session itself has started may go.

    Asks: docker system prune -af
    Asks: docker volume rm data
    Asks: docker rm -f web
    Asks: docker rm -fv web
    Asks: docker compose down -v
    Asks: docker-compose down --volumes
    Asks: podman volume prune
    Asks: docker rm -f $(docker ps -aq)
    Asks: docker stop $(docker ps -q)
    Asks: vagrant destroy -f
    Allows: docker ps -a
    Allows: docker build -t app .
    Allows: docker run --rm alpine echo hi
    Allows: docker rm web
    Allows: docker run -d --name t1 redis && docker rm -f t1
    Allows: docker rmi app:old
    Allows: docker stop web
    Allows: docker compose up -d
    Allows: docker compose down
    Allows: docker compose -f dev.yml logs -f
    Allows: docker volume ls
    """
    if call.program in _ENGINES and _is_own(call, scene):
        return None
    found = _HARMS.find(call)
    if found is None and call.program in _ENGINES:
        return _everything(call, scene)
    return found


def _is_own(call: Call, scene: RuleContext) -> bool:
    """Say whether every container that is removed was started by this session, or just before."""
    words = [arg for arg in call.args if arg.value[:1] != "-"]
    words = words[1:] if words and words[0].text == "container" else words
    if len(words) < 2 or words[0].text not in ("rm", "remove", "kill"):
        return False
    if not all(arg.known for arg in words):
        return False
    names = [arg.text for arg in words[1:]]
    just = started(scene.calls) if call.chained else ()
    return all(name in just or scene.memory.has_started(name) for name in names)


def started(calls: Iterable[Call]) -> tuple[str, ...]:
    """Return the names of the containers that *calls* start."""
    return tuple(
        name.text
        for call in calls
        if call.program in _ENGINES and {"run", "create"} & {arg.text for arg in call.operands[:2]}
        for name in call.options.all("--name")
        if name.known
    )


def _everything(call: Call, scene: RuleContext) -> Span | None:
    """Point at `docker rm $(docker ps -aq)`: names that only a listing knows."""
    removing = call.subcommand in ("rm", "rmi", "kill")
    if call.subcommand == "stop":  # a listing with a filter names what is meant
        listed = [one for one in scene.calls if one.program in _ENGINES and one.subcommand == "ps"]
        removing = bool(listed) and not any(one.has("-f", "--filter") for one in listed)
    for arg in call.operands[1:] if removing else ():
        if not arg.known:
            return arg.span
    return None


def opens_the_host(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a container that is given the machine it runs on.

    Asks: docker run --privileged alpine
    Asks: docker run -v /:/host alpine
    Asks: docker run -v /var/run/docker.sock:/var/run/docker.sock alpine
    Asks: docker run --pid=host --mount type=bind,src=/etc,dst=/etc alpine
    Asks: docker run --cap-add SYS_ADMIN alpine
    Allows: docker run -v "$PWD:/app" -w /app node:22 npm test
    Allows: docker run -v ./src:/app nginx
    Allows: docker run --privileged=false nginx
    Allows: docker run --help
    """
    words = [arg.text for arg in call.operands[:2]]
    if not words or only_asks(call) or not {"run", "create", "exec"} & set(words):
        return None
    if call.has("--privileged") and (call.get("--privileged") or call.name).text != "false":
        return call.span
    for name, values in _TOO_MUCH.items():
        for arg in call.options.all(name):
            if values(arg):
                return arg.span
    return None


_SHARED = (
    "/",
    "/etc",
    "/root",
    "/home",
    "/var",
    "/usr",
    "/boot",
    "/dev",
    "/proc",
    "/sys",
    "/Users",
)


def _mounts(arg: Arg) -> bool:
    """Say whether a volume or mount shares the machine itself, or its container engine."""
    fields = dict(field.partition("=")[::2] for field in arg.text.split(","))
    source = fields.get("src") or fields.get("source") or arg.text.partition(":")[0]
    source = source.rstrip("/") or "/"
    return source in _SHARED or "docker.sock" in source or "containerd.sock" in source


def _is_host(arg: Arg) -> bool:
    return arg.text == "host"


def _is_power(arg: Arg) -> bool:
    return arg.text.upper().removeprefix("CAP_") in _POWERS


def _is_disk(arg: Arg) -> bool:
    return arg.text.startswith(("/dev/sd", "/dev/nvme", "/dev/mem", "/dev/kmem", "/dev/disk"))


def _is_unconfined(arg: Arg) -> bool:
    return "unconfined" in arg.text or "disable" in arg.text


_POWERS = ("SYS_ADMIN", "ALL", "SYS_PTRACE", "SYS_MODULE")
_TOO_MUCH: Mapping[str, Callable[[Arg], bool]] = {
    "-v": _mounts,
    "--volume": _mounts,
    "--mount": _mounts,
    "--pid": _is_host,
    "--network": _is_host,
    "--ipc": _is_host,
    "--userns": _is_host,
    "--cap-add": _is_power,
    "--device": _is_disk,
    "--security-opt": _is_unconfined,
}

RULES = (
    Rule(
        id="containers.remove",
        answer=GuardAnswer.ASK,
        says="removes volumes, or containers and images by force or in bulk",
        why="data in volumes has no other copy",
        instead="Remove one container or image by name, after stopping it.",
        programs=tuple(dict.fromkeys((*_ENGINES, *_HARMS.programs))),
        objects_to=removes,
    ),
    Rule(
        id="containers.host",
        answer=GuardAnswer.ASK,
        says="gives a container access to the host",
        why="code in the container can then change anything on this machine",
        instead="Mount only the directory it needs, without --privileged.",
        programs=_ENGINES,
        objects_to=opens_the_host,
    ),
)
