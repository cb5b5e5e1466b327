"""What a job of ours needs of its project: its settings, and its workspace."""

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from snaphook.config import Dialect, Environment, load
from snaphook.errors import StoreError
from snaphook.stores.workspace import Workspace, locate, open_workspace
from snaphook.stores.workspace.settings import WorkspaceSettings

from .settings import EssentialsSettings

Table = TypeVar("Table", bound=Struct)


def opened(around: Environment) -> Workspace | None:
    """Return the workspace; ``None`` where there is none. One that cannot be opened is an error."""
    settings = _table(around, "workspace", WorkspaceSettings)
    if not settings.enabled:
        return None
    try:
        locate(around.cwd, settings)
    except StoreError:
        return None
    return open_workspace(around.cwd, settings)


def essentials_in(around: Environment) -> EssentialsSettings:
    """Return what ``[essentials]`` says for the project of *around*."""
    return _table(around, "essentials", EssentialsSettings)


def table_in(around: Environment, name: str) -> Mapping[str, Any]:
    """Return what the table *name* of another package says, as the files have it."""
    found = load(around, dialects=(Dialect.SNAPHOOK,)).sections.get(name)
    return dict(found.values) if found else {}


def _table(around: Environment, name: str, kind: type[Table]) -> Table:
    found = load(around, dialects=(Dialect.SNAPHOOK,), sections={name: kind}).sections.get(name)
    return msgspec.convert(dict(found.values), kind) if found else kind()
