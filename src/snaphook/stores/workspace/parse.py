"""Reading YAML: fast, as people mean it, and with a place for whatever cannot be read.

text  ->  plain values, or a StoreError that says where and what to do
"""

import re
from itertools import accumulate
from pathlib import Path
from typing import Any

import yaml

from snaphook.errors import StoreError

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_Base):  # type: ignore[misc]
    """YAML 1.2's idea of a scalar: an id '012' is no number, a time is text, 'no' is a word."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


for _tag, _pattern, _first in (
    ("null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("bool", r"^(?:true|True|TRUE|false|False|FALSE)$", list("tTfF")),
    ("int", r"^[-+]?(?:0|[1-9][0-9]{0,17})$", list("-+0123456789")),
    ("float", r"^[-+]?(?:0|[1-9][0-9]*)?\.[0-9]+(?:[eE][-+]?[0-9]+)?$", list("-+0123456789.")),
    ("merge", r"^(?:<<)$", ["<"]),
):
    _Loader.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(_pattern), _first)


DEPTH = 200
_BRACKETS = re.compile(r"[\[\]{}]")
_INDENTED = re.compile(rf"(?m)^[ ?-]{{{2 * DEPTH}}}")
_ANCHOR = re.compile(r"(?m)(?:^|[\s\[{,])&[^\s,\]}]")


def parse(text: str, *, where: Path | str) -> Any:
    """Return what *text* holds; ``None`` where it holds nothing."""
    try:
        if _deep(text):  # the C loader would end the process
            return yaml.load(text, yaml.SafeLoader)
        return yaml.load(text, _Loader)  # noqa: S506 - it is a safe loader
    except yaml.YAMLError as error:
        raise unreadable(where, error) from error
    except RecursionError as error:
        raise unreadable(where, "it is nested too deeply") from error


def words(value: Any) -> str:
    """Return a scalar as text; of a list or a mapping, which might be endless, nothing."""
    return "" if value is None or isinstance(value, list | dict) else str(value)


def has_anchors(text: str) -> bool:
    """Say whether parts of *text* may stand for one another: written out they could be endless."""
    return _ANCHOR.search(text) is not None


def _deep(text: str) -> bool:
    """Say whether *text* may be nested deeper than any honest file is."""
    if _INDENTED.search(text):
        return True
    if text.count("[") + text.count("{") < DEPTH:
        return False
    steps = (1 if bracket in "[{" else -1 for bracket in _BRACKETS.findall(text))
    return max(accumulate(steps)) >= DEPTH


def unreadable(where: Path | str, why: object) -> StoreError:
    """Return the error for a file that will not be touched, because it cannot be understood."""
    place, what = str(where), str(why)
    if isinstance(why, yaml.MarkedYAMLError) and why.problem_mark is not None:
        place, what = f"{where}:{why.problem_mark.line + 1}", why.problem or what
    elif isinstance(why, yaml.reader.ReaderError):
        what = f"{why.reason} at byte {why.position}"
    return StoreError(
        where=place,
        what=f"is not valid YAML ({' '.join(what.split())})",
        fix="It was not changed. Fix it, or restore a backup: snaphook workspace doctor.",
    )
