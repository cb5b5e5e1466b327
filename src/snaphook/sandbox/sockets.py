"""Sockets behind which somebody acts for others: agents for keys, containers, terminals, buses.

/proc/net/unix + environment  ->  paths to hide

The kernel has no rule for sockets that have a path, so each is covered. What a database listens on
stays reachable, and what a command of the same project has made.
"""

import os
import re
from collections.abc import Iterator, Mapping

from . import places

_UNIX = "/proc/net/unix"
_PATH = re.compile(r"(?:unix:(?:path=)?(?://)?)?(/[^,;]+)")


def leading_outside(
    env: Mapping[str, str], *, home: str, project: str, closed: bool = False
) -> set[str]:
    """Return what to cover: folders that hold nothing but such sockets, and single sockets.

    *closed*: the network is, so nobody may look up names for the command either.
    """
    wanted = (*_folders(env), *(places.NAME_SERVICES if closed else ()))
    folders = {path for path in wanted if os.path.isdir(path)}  # noqa: PTH112
    found = {*_named(env), *(path for path in _listening() if _leads_outside(path, home, project))}
    real = {os.path.realpath(path) for path in found if os.path.lexists(path)}
    folders = {os.path.realpath(folder) for folder in folders}
    inside = tuple(f"{folder}/" for folder in folders)
    return folders | {path for path in real if not path.startswith(inside)}


def _folders(env: Mapping[str, str]) -> Iterator[str]:
    yield f"/run/user/{os.getuid()}"
    if env.get("XDG_RUNTIME_DIR", "")[:1] == "/" and env["XDG_RUNTIME_DIR"].count("/") > 1:
        yield env["XDG_RUNTIME_DIR"]
    for name in ("snaphook", "tmux"):
        yield f"/tmp/{name}-{os.getuid()}"  # noqa: S108 - where they live
    yield from (
        "/run/dbus",
        "/run/podman",
        "/run/containerd",
        "/run/screen",
        "/run/libvirt",
        "/run/WSL",
    )


def _named(env: Mapping[str, str]) -> Iterator[str]:
    """Yield the sockets that the environment leads to."""
    for variable in places.SOCKET_VARIABLES:
        value = env.get(variable, "")
        found = _PATH.match(value) if variable != "KUBECONFIG" else None
        if found and not os.path.isdir(found[1]):  # noqa: PTH112 - of folders, see above
            yield found[1]
    yield from ("/run/docker.sock", "/run/snapd.socket", "/run/systemd/private")


def _listening() -> Iterator[str]:
    """Yield every socket with a path that somebody holds open."""
    try:
        with open(_UNIX, encoding="utf-8", errors="surrogateescape") as file:  # noqa: PTH123
            for line in file:
                _, slash, path = line.rstrip("\n").partition(" /")
                if slash:
                    yield f"/{path}"
    except OSError:
        return


def _leads_outside(path: str, home: str, project: str) -> bool:
    if project and path.startswith(f"{project}/"):
        return False
    if path.startswith(places.SAFE_SOCKETS) or ".s.PGSQL." in path or "mysql" in path:
        return False
    if path.startswith(tuple(f"{temp}/" for temp in places.TEMPORARY)) and not path.startswith(
        f"{home}/"
    ):
        return any(word in path for word in places.LEADING_OUTSIDE)
    return True
