"""Find the settings files that count here.

Environment  ->  Places, lowest layer first

A project's root is the nearest folder, upwards, that holds a settings file or ``.git``.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from snaphook.shell.repository import DEEP

from .environment import Environment
from .settings import Dialect, Layer

NATIVE = "snaphook.toml"
NATIVE_LOCAL = "snaphook.local.toml"
WAVE = ".wave/settings.json"
WAVE_LOCAL = ".wave/settings.local.json"
CLAUDE = ".claude/settings.json"
CLAUDE_LOCAL = ".claude/settings.local.json"

PROJECT_FILES: tuple[tuple[Layer, Dialect, str], ...] = (
    (Layer.PROJECT, Dialect.SNAPHOOK, NATIVE),
    (Layer.PROJECT, Dialect.WAVE, WAVE),
    (Layer.PROJECT, Dialect.CLAUDE, CLAUDE),
    (Layer.LOCAL, Dialect.SNAPHOOK, NATIVE_LOCAL),
    (Layer.LOCAL, Dialect.WAVE, WAVE_LOCAL),
    (Layer.LOCAL, Dialect.CLAUDE, CLAUDE_LOCAL),
)
NEAR = 12
"""Folders above a project that are watched for settings that appear; deeper trees are rare."""
_HOME_MARKERS = (".git", NATIVE, NATIVE_LOCAL)
_MARKERS = (".git", *(name for _, _, name in PROJECT_FILES))


class SettingsFile(Struct, frozen=True, kw_only=True):
    """One file that may hold settings."""

    dialect: Dialect
    layer: Layer
    path: Path
    root: Path | None = None
    """The project that the file belongs to, if it is a project's."""
    outer: bool = False
    """It belongs to a project around this one: its rules hold in here too."""

    @property
    def needs_trust(self) -> bool:
        """Say whether the file can come with a repository; the local ones can be committed too."""
        return self.layer in (Layer.PROJECT, Layer.LOCAL)


def project_root(around: Environment) -> Path:
    """Return the folder that relative scripts and approvals refer to.

    In the home folder ``.claude`` and ``.wave`` are the user's own, so they mark no project there.
    """
    if str(around.cwd).count("/") > DEEP:
        return _root_above(around)
    for folder in (around.cwd, *around.cwd.parents):
        markers = _HOME_MARKERS if folder == around.home else _MARKERS
        if any(os.path.lexists(folder / marker) for marker in markers):
            return folder
    return around.cwd


def _root_above(around: Environment) -> Path:
    from snaphook.shell.ancestors import ancestors_with  # few folders are so deep

    for folder, there in reversed(ancestors_with(str(around.cwd), _MARKERS)):
        if folder != str(around.home) or set(there) & set(_HOME_MARKERS):
            return Path(folder)
    return around.cwd


def candidates(around: Environment, root: Path) -> Iterator[SettingsFile]:
    """Yield every place where a file would count, there or not, lowest layer first."""
    yield from _managed(around)
    claude_home = Path(around.env.get("CLAUDE_CONFIG_DIR") or around.home / ".claude")
    for dialect, path in (
        (Dialect.SNAPHOOK, around.config_dir / NATIVE),
        (Dialect.WAVE, around.home / WAVE),
        (Dialect.CLAUDE, claude_home / "settings.json"),
    ):
        yield SettingsFile(dialect=dialect, layer=Layer.USER, path=path)
    for folder in reversed(outer_projects(root)):
        for layer, name in ((Layer.PROJECT, NATIVE), (Layer.LOCAL, NATIVE_LOCAL)):
            path = folder / name
            yield SettingsFile(
                dialect=Dialect.SNAPHOOK, layer=layer, path=path, root=folder, outer=True
            )
    for layer, dialect, name in PROJECT_FILES:
        yield SettingsFile(dialect=dialect, layer=layer, path=root / name, root=root)


def outer_projects(root: Path) -> tuple[Path, ...]:
    """Return the folders above *root* whose rules hold in it as well, the nearest first.

    A repository or an empty settings file inside a project must not end the project's rules: an
    agent could make either. Near folders are named whether they have settings or not, since a file
    that appears there has to be noticed; a file of another user, as in ``/tmp``, is not ours to obey.
    """
    found = []
    for level, folder in enumerate(_above(root)):
        there = [one for name in (NATIVE, NATIVE_LOCAL) if _exists(one := folder / name)]
        if all(map(_is_ours, there)) if there else level < NEAR and folder != folder.parent:
            found.append(folder)
    return tuple(found)


def _above(root: Path) -> Iterable[Path]:
    """Return the folders above *root*, the nearest first; of very many, the near and those with settings."""
    if str(root).count("/") <= DEEP:
        return root.parents
    from snaphook.shell.ancestors import ancestors_with

    near = root.parents[:NEAR]
    known = ancestors_with(str(root.parents[NEAR]), (NATIVE, NATIVE_LOCAL))
    return (*near, *(Path(folder) for folder, _ in reversed(known)))


def _exists(path: Path) -> bool:
    return os.path.lexists(path)


def _is_ours(path: Path) -> bool:
    try:
        return path.lstat().st_uid in (0, os.getuid())
    except OSError:
        return False


def find(around: Environment, root: Path) -> tuple[SettingsFile, ...]:
    """Return the files that are there; one that two layers name counts in the lower one."""
    found: dict[str, SettingsFile] = {}
    for place in candidates(around, root):
        if os.path.lexists(place.path):
            found.setdefault(os.path.realpath(place.path), place)
    return tuple(found.values())


def place_of(path: Path, around: Environment) -> SettingsFile:
    """Return the place that *path* would be, by its name and folder, wherever it lies."""
    known = {place.path: place for place in candidates(around, project_root(around))}
    if path in known:
        return known[path]
    local = ".local." in path.name
    if path.suffix == ".toml":
        dialect = Dialect.SNAPHOOK
    else:
        dialect = Dialect.WAVE if path.parent.name == ".wave" else Dialect.CLAUDE
    return SettingsFile(dialect=dialect, layer=Layer.LOCAL if local else Layer.PROJECT, path=path)


def _managed(around: Environment) -> Iterator[SettingsFile]:
    native = around.managed / "snaphook" / NATIVE
    yield SettingsFile(dialect=Dialect.SNAPHOOK, layer=Layer.MANAGED, path=native)
    for name in ("claude-code", "ClaudeCode"):
        folder = around.managed / name
        drop_ins = sorted((folder / "managed-settings.d").glob("*.json"))
        for path in (folder / "managed-settings.json", *drop_ins):
            yield SettingsFile(dialect=Dialect.CLAUDE, layer=Layer.MANAGED, path=path)
