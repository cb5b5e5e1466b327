"""Load the settings that count here.

Environment  ->  Places  ->  Settings

Where nobody wrote a file, what reads files is not even imported: this is paid on every call that
finds no daemon.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .environment import Environment
from .settings import CommandHook, Dialect, Layer, Settings
from .settings_files import SettingsFile, find, project_root

if TYPE_CHECKING:
    from .fragments import Sections
    from .trust import TrustStore


def load(
    around: Environment | None = None,
    *,
    root: Path | None = None,
    dialects: Iterable[Dialect] = tuple(Dialect),
    sections: "Sections | None" = None,
    hooks: Mapping[str, Any] | Iterable[CommandHook] = (),
    trust: "TrustStore | None" = None,
) -> Settings:
    """Return the merged settings; *hooks* are given in code and come last.

    Raises ConfigError, and nothing else, whatever the files hold.
    """
    around = around or Environment.here()
    root = root or project_root(around)
    wanted = frozenset(dialects)
    places = [place for place in find(around, root) if place.dialect in wanted]
    if not places and hooks == ():
        return Settings(root=str(root))
    from .gather import gather
    from .trust import TrustStore

    store = trust or TrustStore.of(around)
    roots = dict.fromkeys(place.root or root for place in places if place.needs_trust)
    approved = {file: one for each in roots for file, one in store.of_project(each).items()}
    return gather(places, root, approved, sections=sections, hooks=hooks)


def load_file(file: Path, around: Environment, *, sections: "Sections | None" = None) -> Settings:
    """Return what *file* would come down to as the user's own settings, above the managed ones.

    For trying a file before it is used: no other file of the user or of a project counts.
    """
    from .gather import gather

    root = project_root(around)
    managed = [place for place in find(around, root) if place.layer is Layer.MANAGED]
    tried = SettingsFile(dialect=Dialect.SNAPHOOK, layer=Layer.USER, path=file)
    places = [*(one for one in managed if one.dialect is Dialect.SNAPHOOK), tried]
    return gather(places, root, {}, sections=sections, hooks=())
