"""Read one settings file into plain tables and lists.

SettingsFile  ->  bytes  ->  SettingsDocument

The quick readers do the work; only when they refuse is the place of the mistake worked out.
"""

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from .problems import Problem, ProblemLevel, SettingsError
from .settings_files import SettingsFile

_MOST = 8 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"


class SettingsDocument(Struct, frozen=True, kw_only=True):
    """A file as it was read: its bytes, and what they say."""

    place: SettingsFile
    raw: bytes
    data: dict[str, Any]

    @property
    def file(self) -> str:
        """Return the file's path, as messages show it."""
        return str(self.place.path)


class Malformed(Exception):  # noqa: N818 - it says what the text is
    """The text is not the format that its name promises."""

    def __init__(self, what: str, fix: str, line: int = 0, column: int = 0) -> None:
        super().__init__(what)
        self.what, self.fix, self.line, self.column = what, fix, line, column


def read(place: SettingsFile) -> SettingsDocument:
    """Return what *place* holds; a ConfigError says what keeps it from being read."""
    raw = read_bytes(place.path)
    try:
        return SettingsDocument(place=place, raw=raw, data=parse(raw, place.path))
    except Malformed as bad:
        raise SettingsError.of([_problem(place.path, bad)]) from None


def read_bytes(path: Path) -> bytes:
    """Return the bytes of *path*; anything but a readable file of sane size is a ConfigError."""
    try:
        if not path.is_file():
            what = "is not a file" if path.exists() else "is a broken symbolic link"
            raise _refused(path, what, "Put a settings file there, or remove it.")
        if path.stat().st_size > _MOST:
            raise _refused(
                path, "is larger than 8 MiB", "Settings files are small: check the path."
            )
        return path.read_bytes()
    except (OSError, ValueError) as why:
        reason = getattr(why, "strerror", None) or str(why)
        fix = "Make it readable, or remove it."
        raise _refused(path, f"cannot be read ({reason})", fix) from None


def parse(raw: bytes, path: Path) -> dict[str, Any]:
    """Return the table that *raw* spells, or raise Malformed; no bytes are an empty table."""
    raw = raw.removeprefix(_BOM)
    if not raw.strip():
        return {}
    data = _parse_toml(raw) if path.suffix == ".toml" else _parse_json(raw)
    if isinstance(data, dict):
        return data
    raise Malformed(
        f"has {_kind(data)} at the top level; expected a table",
        'Put everything into one pair of braces: {"hooks": {…}}.',
        1,
        1,
    )


def _parse_json(raw: bytes) -> Any:
    try:
        return msgspec.json.decode(raw)
    except RecursionError:
        raise Malformed("is nested too deeply", "Remove some levels of nesting.", 1, 1) from None
    except (msgspec.DecodeError, ValueError):
        from .diagnose import json_mistake

        raise json_mistake(raw) from None


def _parse_toml(raw: bytes) -> Any:
    import tomllib

    try:
        return tomllib.loads(raw.decode())
    except UnicodeDecodeError as bad:
        line = raw.count(b"\n", 0, bad.start) + 1
        raise Malformed("is not UTF-8 text", "Save it as UTF-8.", line, 1) from None
    except RecursionError:
        raise Malformed("is nested too deeply", "Remove some levels of nesting.", 1, 1) from None
    except ValueError as bad:  # a TOMLDecodeError, or a date or number that Python cannot hold
        from .diagnose import toml_mistake

        raise toml_mistake(raw.decode(), str(bad)) from None


def _kind(value: object) -> str:
    return {list: "a list", str: "a text", bool: "true or false", type(None): "null"}.get(
        type(value), "a number"
    )


def _problem(path: Path, bad: Malformed) -> Problem:
    return Problem(
        code="syntax",
        level=ProblemLevel.ERROR,
        file=str(path),
        pointer=(),
        what=bad.what,
        fix=bad.fix,
        line=bad.line,
        column=bad.column,
    )


def _refused(path: Path, what: str, fix: str) -> SettingsError:
    problem = _problem(path, Malformed(what, fix))
    return SettingsError.of([msgspec.structs.replace(problem, code="unreadable")])
