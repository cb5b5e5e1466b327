"""The files that a command names.

command + root  ->  paths inside the project

An approval of settings that call ``.claude/hooks/check.sh`` means that script as well, so it is
part of what is hashed. Names are found without running or parsing the shell: every word that is an
existing file of the project counts, rather one too many than one too few.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PROJECT_VARIABLES = ("CLAUDE_PROJECT_DIR", "WAVE_PROJECT_DIR", "SNAPHOOK_PROJECT_DIR")

_VARIABLE = re.compile(rf"\$\{{?(?:{'|'.join(PROJECT_VARIABLES)})\}}?")
_BREAKS = re.compile(r"[\s;&|<>()`=,]+")


def named_files(command: str, root: Path) -> Iterator[Path]:
    """Yield the files under *root* that *command* names."""
    plain = _VARIABLE.sub(lambda _: str(root), command.replace('"', "").replace("'", ""))
    for word in _BREAKS.split(plain):
        if "/" not in word and "." not in word:
            continue
        path = root / word
        if _is_inside(path, root):
            yield path


def commands_in(value: Any) -> Iterator[str]:
    """Yield every text under a ``hooks`` table that may be run: commands and their arguments."""
    if isinstance(value, Mapping):
        for name, inside in value.items():
            if name == "command" and isinstance(inside, str):
                yield inside
            elif name == "args" and isinstance(inside, list):
                yield " ".join(str(item) for item in inside)
            else:
                yield from commands_in(inside)
    elif isinstance(value, list):
        for item in value:
            yield from commands_in(item)


def _is_inside(path: Path, root: Path) -> bool:
    try:
        return path.is_file() and path.resolve().is_relative_to(root.resolve())
    except (OSError, ValueError):
        return False
