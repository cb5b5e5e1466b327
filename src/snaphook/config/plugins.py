"""Find the object that a provider's entry names.

'module:attribute'  |  the name of an installed plugin  ->  object

Plugins announce themselves as entry points of the group ``snaphook.providers``. Looking through
every installed package costs about 86 ms, so what was found is kept until the folders change.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from snaphook.errors import ConfigError, ProviderError

from .environment import Environment
from .settings import ProviderEntry
from .take import did_you_mean
from .write import write_atomically

if TYPE_CHECKING:
    from .modules import ProjectModules

GROUP = "snaphook.providers"


class _Cache(Struct):
    """What was found, and the state of the folders it was found in."""

    folders: list[tuple[str, int]]
    plugins: dict[str, str]


def plugins(around: Environment, path: Iterable[str] | None = None) -> Mapping[str, str]:
    """Return the installed plugins, name to ``module:attribute``."""
    folders = _folders(sys.path if path is None else path)
    file = around.cache_dir / "plugins.json"
    kept = _read(file)
    if kept and kept.folders == folders:
        return kept.plugins
    found = _scan([folder for folder, _ in folders])
    _write(file, _Cache(folders=folders, plugins=found))
    return found


def resolve(entry: ProviderEntry, known: Mapping[str, str]) -> Any:
    """Return the object that *entry* names; *known* maps plugins' names to import strings.

    A project's own module is found in the folder of the settings file, or in ``src/`` there.
    """
    use = known.get(entry.use, entry.use)
    module, colon, attribute = use.partition(":")
    if not colon:
        hint = (
            did_you_mean(use, known) or f"Installed plugins: {', '.join(sorted(known)) or 'none'}."
        )
        raise _unknown(entry, f"unknown provider '{use}'", hint)
    found: Any = _import(entry, module)
    for name in attribute.split("."):
        try:
            found = getattr(found, name)
        except AttributeError:
            near = did_you_mean(name, dir(found)) or "Check the name after the colon."
            raise _unknown(entry, f"'{module}' has no '{name}'", near) from None
    return found


def _import(entry: ProviderEntry, module: str) -> Any:
    beside = tuple(folders_beside(entry.origin.file, module.partition(".")[0]))
    try:
        return _modules(beside).load(module) if beside else import_module(module)
    except ModuleNotFoundError as missing:
        if missing.name and module.startswith(missing.name):
            fix = f"Install it, or put {module.replace('.', '/')}.py beside the settings."
            raise _unknown(entry, f"no module '{missing.name}'", fix) from None
        fix = f"Run: pip install {missing.name}"
        raise _broken(
            entry, f"'{module}' needs '{missing.name}', which is missing", fix
        ) from missing
    except Exception as why:
        what = f"importing '{module}' failed: {type(why).__name__}: {why}"
        raise _broken(entry, what, "Fix the module; 'python -c \"import …\"' shows more.") from why


def _modules(folders: tuple[Path, ...]) -> "ProjectModules":
    """Return the modules of the project whose settings lie beside them, apart from all others."""
    from .modules import ProjectModules

    return ProjectModules(folders)


def folders_beside(file: str, package: str) -> Iterator[Path]:
    """Yield the folders beside the settings *file* that hold *package*."""
    for folder in (Path(file).parent, Path(file).parent / "src") if file else ():
        if (folder / package).is_dir() or (folder / f"{package}.py").is_file():
            yield folder


def _unknown(entry: ProviderEntry, what: str, fix: str) -> ConfigError:
    return ConfigError(where=f"{entry.origin}: providers.{entry.name}", what=what, fix=fix)


def _broken(entry: ProviderEntry, what: str, fix: str) -> ProviderError:
    return ProviderError(where=f"{entry.origin}: providers.{entry.name}", what=what, fix=fix)


def _folders(path: Iterable[str]) -> list[tuple[str, int]]:
    """Return the folders that packages are found in, each with the time it last changed."""
    folders = []
    for name in dict.fromkeys(path):
        try:
            folders.append((name, os.stat(name or ".").st_mtime_ns))  # noqa: PTH116 - names, not Paths
        except OSError:
            continue
    return folders


def _scan(path: list[str]) -> dict[str, str]:
    from importlib.metadata import distributions

    found: dict[str, str] = {}
    for distribution in distributions(path=path):
        for point in distribution.entry_points.select(group=GROUP):
            found.setdefault(point.name, point.value)
    return found


def _read(file: Path) -> _Cache | None:
    try:
        return msgspec.json.decode(file.read_bytes(), type=_Cache)
    except (OSError, msgspec.DecodeError, ValueError):
        return None


def _write(file: Path, cache: _Cache) -> None:
    """Keep what was found; where that is impossible the next start looks again."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, msgspec.json.encode(cache), mode=0o600)
    except OSError:
        return
