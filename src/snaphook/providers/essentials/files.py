"""Reading other people's files for a few lines of them; what cannot be read says nothing."""

import heapq
import os
from pathlib import Path
from typing import Any

LARGEST = 4 << 20
"""Bytes of a YAML file that are worth a parser's time."""
LOOKED_AT = 5000
"""Files that are looked at in search of the newest."""


def opening(path: Path, most: int) -> str:
    """Return the first *most* bytes of the file at *path* as text."""
    try:
        with path.open("rb") as file:
            return file.read(most).decode("utf-8", "replace")
    except OSError:
        return ""


def excerpt(text: str, most: int) -> str:
    """Return the telling part of *text*: no headings, marks or blank lines, *most* characters."""
    lines = (line.strip() for line in text.splitlines())
    flat = " ".join(line for line in lines if line and not line.startswith(("#", "<!--", "---")))
    return flat if len(flat) <= most else f"{flat[: most - 1]}…"


def newest(folder: Path, pattern: str, count: int) -> list[Path]:
    """Return the latest files below *folder* that *pattern* fits, the newest first."""
    found: list[tuple[float, str, Path]] = []
    try:
        for number, path in enumerate(folder.glob(pattern)):
            if number >= LOOKED_AT:
                break
            found.append((os.stat(path).st_mtime, path.name, path))  # noqa: PTH116 - many of them
    except OSError:
        pass
    return [path for _, _, path in heapq.nlargest(count, found)]


def read_yaml(path: Path) -> dict[str, Any]:
    """Return the mapping in the file at *path*; nothing where there is none."""
    held = read_yaml_any(path)
    return held if isinstance(held, dict) else {}


def read_yaml_any(path: Path) -> Any:
    """Return what the file at *path* holds; ``None`` where it holds nothing that can be read."""
    import yaml  # few sessions have a file for it

    try:
        if path.stat().st_size > LARGEST:
            return None
        safe = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        return yaml.load(path.read_bytes(), Loader=safe)  # noqa: S506 - it is
    except (OSError, yaml.YAMLError):
        return None
