"""Where file tools may go.

path as the model wrote it  ->  real path, or a refusal

Links are followed before a path is judged, so none leads out.
"""

from pathlib import Path

from msgspec import Struct

from snaphook.errors import SnaphookError


class OutOfBounds(SnaphookError):  # noqa: N818 - it names what the path is
    """A path leads out of the workspace."""


class ToolWorkspace(Struct, frozen=True, kw_only=True):
    """The working directory, and what else may be touched."""

    cwd: str
    also: tuple[str, ...] = ()
    """Further directories that may be read and written."""
    confined: bool = True

    def path(self, given: str) -> Path:
        """Return *given* (relative to the working directory) as a real path."""
        path = Path(self.cwd, Path(given).expanduser()).resolve()
        if self.confined and not any(path.is_relative_to(root) for root in self.roots):
            raise OutOfBounds(
                where=given,
                what=f"lies outside the working directory {self.cwd}",
                fix="Stay inside it, or ask the person to allow that directory.",
            )
        return path

    @property
    def roots(self) -> tuple[Path, ...]:
        """Return the directories that may be touched."""
        return tuple(Path(root).resolve() for root in (self.cwd, *self.also))

    def shown(self, path: Path) -> str:
        """Return *path* as short as it can be said."""
        root = self.roots[0]
        return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)
