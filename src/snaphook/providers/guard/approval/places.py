"""Where a call may read and write to be approved.

path + World  ->  the reason why not, or nothing
"""

from __future__ import annotations

from functools import lru_cache

from snaphook.lazy import regex
from snaphook.providers.guard.path_classes import PathClass, PathClasses
from snaphook.providers.guard.secrets import secret
from snaphook.shell.text import UNKNOWN, plain

_INSIDE = frozenset({PathClass.PROJECT, PathClass.INSIDE, PathClass.BUILT, PathClass.TEMP})
_SYSTEM = (
    "/usr/", "/bin/", "/sbin/", "/lib/", "/lib64/", "/opt/", "/etc/", "/var/log/", "/nix/store/",
    "/proc/cpuinfo", "/proc/meminfo", "/proc/version", "/proc/loadavg", "/proc/uptime",
    "/proc/filesystems", "/proc/mounts", "/sys/class/", "/sys/devices/system/", "/sys/fs/cgroup/",
)  # fmt: skip
"""Files of the machine that every user may read, secrets aside."""
_DEVICES = frozenset(
    {"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/tty", "/dev/zero"}
)
_TOOLS = regex(
    r"/\.(?:cargo/registry|rustup|pyenv|nvm|rbenv|asdf|local/lib|local/share/(?:uv|mise|pnpm)|cache"
    r"|m2/repository|gradle/caches|npm/_cacache|deno|bun/install)/"
)
"""Where toolchains keep source text that agents look things up in."""
_KEPT_DOTS = frozenset(
    {".gitignore", ".gitattributes", ".dockerignore", ".editorconfig", ".prettierrc", ".eslintrc.json",
     ".prettierignore", ".eslintignore", ".coveragerc", ".flake8", ".pylintrc", ".python-version",
     ".nvmrc", ".node-version", ".tool-versions", ".storybook", ".changeset", ".vitepress"}
)  # fmt: skip
"""Hidden files of a project that no program runs by itself."""
_STEERING = frozenset(
    {"snaphook.toml", "snaphook.local.toml", "claude.md", "agents.md", "gemini.md", "qwen.md"}
)
"""Files of a project that tell an agent or this program what to do."""


class Places:
    """Which paths a call may touch; one for each call, with the path classes that the guard has found."""

    __slots__ = ("_classes", "_project", "home")

    def __init__(self, classes: PathClasses) -> None:
        self._classes = classes
        self._project = classes.world.project
        self.home = classes.world.home

    def unreadable(self, path: str, *, whole: bool = False) -> str:
        """Return why the contents of *path* are not read without asking."""
        if path in _DEVICES or path.startswith("/dev/fd/"):
            return ""
        if UNKNOWN in path:
            return "reads a file whose name is known only at run time"
        if kind := secret(path, whole=whole):
            return f"reads {kind} ({plain(path)})"
        place = self._classes.of(path)
        if place in _INSIDE:
            real = self._classes.world.real(plain(path))
            kind = secret(real) if real != path else None
            return f"reads {kind} ({real})" if kind else ""
        if path.startswith(_SYSTEM) or _TOOLS.search(path):
            return ""
        return f"reads outside the project ({plain(path)})"

    def has_tool(self, name: str, cwd: str) -> bool:
        """Say whether the project has installed the Node program *name*."""
        world = self._classes.world
        folders = {cwd, self._project}
        return any(world.exists(f"{one}/node_modules/.bin/{name}") is True for one in folders)

    def not_inside(self, path: str) -> str:
        """Return why *path* does not lie in the project itself."""
        inside = path.startswith(f"{self._project}/") and self._classes.has_project
        return "" if inside else f"{plain(path)} lies outside the project"

    def unwritable(self, path: str) -> str:
        """Return why *path* is not written without asking: outside, hidden, or steering."""
        if path in _DEVICES:
            return ""
        if UNKNOWN in path:
            return "writes a file whose name is known only at run time"
        if self._classes.of(path) not in _INSIDE:
            return f"writes outside the project ({plain(path)})"
        if kind := secret(path):
            return f"writes {kind} ({plain(path)})"
        real = self._classes.world.real(plain(path))
        return _steers(real.removeprefix(self._project))


@lru_cache(maxsize=512)
def _steers(rest: str) -> str:
    """Return why a file of the project is special: git, an editor, a shell or an agent obeys it."""
    for name in rest.split("/"):
        if name[:1] == "." and name not in _KEPT_DOTS:
            return f"writes a hidden file ({rest.lstrip('/')})"
        if name.lower() in _STEERING:
            return f"writes instructions for agents ({rest.lstrip('/')})"
    return ""
