"""What people may change about automatic approval.

[approve] of snaphook.toml  ->  ApproveSettings
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

SettingError = tuple[tuple[str | int, ...], str, str]
"""Where in the table, what is wrong, and what to do next."""

LEVELS = ("off", "read-only", "project")
"""Each approves all that the one before it does, and more."""


class ApproveSettings(Struct, frozen=True, kw_only=True):
    """Which calls run without a prompt of the host."""

    level: Literal["off", "read-only", "project"] = "off"
    """`read-only` approves what provably only reads; `project` also work inside a trusted project."""
    projects: tuple[str, ...] = ()
    """Folders whose code you trust, for `level = "project"`: `~/code/app`, `~/work/*`."""
    never: tuple[str, ...] = ()
    """Programs that are never approved automatically: `git`, `make`."""

    @staticmethod
    def find_errors(table: Mapping[str, Any]) -> Iterator[SettingError]:
        """Yield what the types cannot tell: folders that would make everything trusted."""
        for at, path in enumerate(_texts(table.get("projects"))):
            if path.rstrip("/*") in ("", "~", "/home", "/Users", "/root"):
                what = f"'{path}' would trust the code of every folder in it"
                yield ("projects", at), what, "Name the project's folder: ~/code/app."
            elif not path.startswith(("/", "~/")):
                what = f"'{path}' is a relative path"
                yield ("projects", at), what, "Start it with / or ~/: ~/code/app."

    @staticmethod
    def find_warnings(table: Mapping[str, Any]) -> Iterator[SettingError]:
        """Yield what works and is hardly meant."""
        if table.get("level") == "project" and not table.get("projects"):
            what = 'no project is trusted, so this approves the same as "read-only"'
            yield ("level",), what, 'List folders in projects: projects = ["~/code/app"].'

    @staticmethod
    def join(
        merged: dict[str, Any], table: Mapping[str, Any], *, layer: str, free: bool
    ) -> Iterator[tuple[str | int, ...]]:
        """Take into *merged* what *table* of a higher layer says; yield the keys it may not say.

        A repository never raises its own level: its files may only lower it and name more programs.
        """
        del layer
        for key, value in table.items():
            if key == "never" and isinstance(value, list):
                old = merged.get(key, [])
                merged[key] = [*old, *(one for one in value if one not in old)]
            elif free or (key == "level" and _is_lower(merged, value)):
                merged[key] = value
            else:
                yield (key,)


def _is_lower(merged: Mapping[str, Any], value: object) -> bool:
    old = merged.get("level", "off")
    return value in LEVELS and old in LEVELS and LEVELS.index(str(value)) <= LEVELS.index(str(old))


def _texts(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
