"""What people may change about the sandbox.

[sandbox] of snaphook.toml  ->  SandboxSettings
"""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from .proxy.hosts import read_entry

Flaw = tuple[tuple[str | int, ...], str, str]
"""Where in the table, what is wrong, and what to do next."""

_STRICTER: Mapping[str, tuple[object, ...]] = {
    "mode": ("off", "unknown", "always"),
    "network": ("open", "allowlist", "off"),
    "trial": (True, False),
    "trial_network": (True, False),
    "allow_registries": (True, False),
}
"""The values of a key, each stricter than the one before it."""
_ADDS = ("deny_read", "deny_write")
"""Lists that only ever make the sandbox stricter, so that everybody may add to them."""


class SandboxSettings(Struct, frozen=True, kw_only=True):
    """Which commands are confined, and to what."""

    mode: Literal["off", "unknown", "always"] = "unknown"
    """`unknown` confines commands that run code the guard has not read, `always` all that can be."""
    network: Literal["open", "allowlist", "off"] = "open"
    """What a confined command may reach: everything, package registries and `allow_hosts`, or nothing."""
    allow_hosts: tuple[str, ...] = ()
    """Hosts for `network = "allowlist"`: `example.org`, `*.example.org`, `localhost:5432`."""
    allow_registries: bool = True
    """With an allowlist, let the package registries of this machine be reached, too."""
    allow_paths: tuple[str, ...] = ()
    """Folders and files that may be written besides the project, temporary files and caches."""
    allow_read: tuple[str, ...] = ()
    """Secret files that may be read: `~/.npmrc`."""
    allow_env: tuple[str, ...] = ()
    """Variables that would be taken out of the environment, and stay: `GITHUB_TOKEN`."""
    deny_read: tuple[str, ...] = ()
    """More files and folders that cannot be read."""
    deny_write: tuple[str, ...] = ()
    """More files and folders of the project that cannot be changed."""
    trial: bool = False
    """Where the guard would ask because it cannot know, run the command in an overlay first."""
    trial_network: bool = False
    """Let trials use the network as `network` says; otherwise they have none."""

    @staticmethod
    def find_errors(table: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield what the types cannot tell: paths that open everything, hosts that cannot match."""
        for name in ("allow_paths", "allow_read", "deny_read", "deny_write"):
            for at, path in enumerate(_texts(table.get(name))):
                if what := _path_flaw(name, path):
                    yield (name, at), what, "Name a folder or a file: ~/data, ../shared, /srv/x."
        for at, host in enumerate(_texts(table.get("allow_hosts"))):
            try:
                read_entry(host)
            except ValueError as error:
                fix = "Write a name without scheme or path: example.org, *.example.org, localhost:5432."
                yield ("allow_hosts", at), str(error), fix

    @staticmethod
    def find_warnings(table: Mapping[str, Any]) -> Iterator[Flaw]:
        """Yield what works and is hardly meant."""
        empty = not table.get("allow_hosts") and table.get("allow_registries") is False
        if table.get("network") == "allowlist" and empty:
            what = "an empty allowlist blocks all hosts"
            yield ("network",), what, 'Fill allow_hosts, or say network = "off".'
        if table.get("allow_hosts") and table.get("network", "open") != "allowlist":
            what = 'allow_hosts is used only with network = "allowlist"'
            yield ("allow_hosts",), what, 'Say network = "allowlist".'

    @staticmethod
    def join(
        merged: dict[str, Any], table: Mapping[str, Any], *, layer: str, free: bool
    ) -> Iterator[tuple[str | int, ...]]:
        """Take into *merged* what *table* of a higher layer says; yield the keys it may not say."""
        del layer
        for key, value in table.items():
            if key in _ADDS and isinstance(value, list):
                old = merged.get(key, [])
                merged[key] = [*old, *(one for one in value if one not in old)]
            elif free or _is_stricter(key, merged, value):
                merged[key] = value
            else:
                yield (key,)


def _is_stricter(key: str, merged: Mapping[str, Any], value: object) -> bool:
    order = _STRICTER.get(key, ())
    default = getattr(SandboxSettings(), key, None)
    old = merged.get(key, default)
    return old in order and value in order and order.index(value) > order.index(old)


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _path_flaw(name: str, path: str) -> str:
    bare = path.rstrip("/")
    if not path or "\0" in path:
        return "an empty path"
    if name == "allow_paths" and bare in (
        "",
        "~",
        "..",
        "/home",
        "/etc",
        "/usr",
        "/root",
        "/Users",
    ):
        return f"'{path}' would make everything in it writable"
    if any(char in path for char in "*?["):
        return f"'{path}' is a pattern; only files and folders are supported"
    return ""
