"""A project's own Python modules, apart from those of every other project.

folder + name  ->  module

The daemon serves many projects, and two of them may have a ``policy.py``. Their modules never stay in
``sys.modules``: they are there while one of them is being imported, and each project finds its own.
Always compiled from source: a ``.pyc`` beside it is not part of what was approved.
"""

import builtins
import importlib
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.abc import MetaPathFinder
from importlib.machinery import FileFinder, ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from threading import RLock
from types import CodeType, ModuleType
from typing import Any

_IMPORTING = RLock()
"""``sys.modules`` is one for the whole process, and background work imports too."""


class ProjectModules(MetaPathFinder):
    """The modules found in *folders*, loaded when one of them is asked for."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._finders = [self._finder(str(folder)) for folder in folders]
        self._folders = tuple(folders)
        self._modules: dict[str, ModuleType] = {}
        self._builtins = {**vars(builtins), "__import__": self._import}

    def load(self, name: str) -> ModuleType:
        """Return the module *name*: one that is installed, else the project's own."""
        with self._in_place():
            return importlib.import_module(name)

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None = None,
        target: ModuleType | None = None,
    ) -> ModuleSpec | None:
        """Return where *fullname* is, if it is the project's; what is installed comes first."""
        if path is not None:
            return self._inside(fullname, path)
        if fullname in sys.builtin_module_names or PathFinder.find_spec(fullname, None, target):
            return None
        found = (finder.find_spec(fullname) for finder in self._finders)
        return next((spec for spec in found if spec is not None), None)

    def _inside(self, fullname: str, path: Sequence[str]) -> ModuleSpec | None:
        """Return the spec of a package's submodule."""
        if fullname.partition(".")[0] not in self._modules | self._present():
            return None
        for folder in path:
            if spec := self._finder(folder).find_spec(fullname):
                return spec
        return None

    def _present(self) -> dict[str, ModuleType]:
        return {name: one for name, one in sys.modules.copy().items() if self._is_ours(one)}

    def _is_ours(self, module: ModuleType) -> bool:
        spec = getattr(module, "__spec__", None)
        if isinstance(getattr(spec, "loader", None), _SourceLoader):
            return spec is not None and spec.loader.project is self
        # A folder without __init__.py is a package without a loader of its own.
        places = getattr(spec, "submodule_search_locations", None) or ()
        inside = (Path(one).is_relative_to(folder) for one in places for folder in self._folders)
        return getattr(spec, "origin", "") is None and any(inside)

    def _finder(self, folder: str) -> FileFinder:
        # It is called as a class is; typeshed knows only classes here.
        return FileFinder(folder, (self._loader, [".py"]))  # type: ignore[arg-type]

    def _loader(self, name: str, path: str) -> "_SourceLoader":
        return _SourceLoader(name, path, self, self._builtins)

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 - as Python calls it
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: Sequence[str] = (),
        level: int = 0,
    ) -> ModuleType:
        """Import for the project's code, also when a function does it long after loading."""
        with self._in_place():
            return builtins.__import__(name, globals, locals, fromlist, level)

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """Let this project's modules be found, and no other's."""
        with _IMPORTING:
            nested = self in sys.meta_path
            if nested:
                yield
                return
            hidden = {name: sys.modules[name] for name in self._modules if name in sys.modules}
            sys.modules.update(self._modules)
            sys.meta_path.insert(0, self)
            for finder in self._finders:
                finder.invalidate_caches()
            try:
                yield
            finally:
                sys.meta_path.remove(self)
                self._modules.update(self._present())
                for name in self._modules:
                    sys.modules.pop(name, None)
                sys.modules.update(hidden)


class _SourceLoader(SourceFileLoader):
    """Compiles a project's file from its source, and lets it import its neighbours."""

    def __init__(
        self, fullname: str, path: str, project: ProjectModules, names: dict[str, Any]
    ) -> None:
        super().__init__(fullname, path)
        self.project = project
        self._names = names

    def get_code(self, fullname: str) -> CodeType:
        """Return the code of the file as it is now; cached bytecode is not looked at."""
        return self.source_to_code(self.get_data(self.path), self.path)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module with an ``import`` of the project's own."""
        module.__dict__["__builtins__"] = self._names
        super().exec_module(module)
