"""Reviewer lockout: whoever was sent away from an artifact does not write to it.

lockout("src/auth.ts", "ada")  ->  ada's writes to src/auth.ts are blocked

Strict: an artifact is a path or a part of one, compared name by name; everything below it is meant
too. Compatible: an artifact is a text, and either of text and path may contain the other.
"""

from collections.abc import Iterable

from snaphook.errors import UsageError

from .call import ALLOWED, PreToolUseContext, PreToolUseHook, PreToolUseResult, blocked
from .config import Mode
from .paths import resolved
from .writes import compatible_path, written


class ReviewerLockoutHook:
    """Who may not touch what."""

    def __init__(self, mode: Mode = Mode.STRICT) -> None:
        self._locked: dict[str, dict[str, None]] = {}
        self._mode = mode

    def lockout(self, artifact_id: str, agent_name: str) -> None:
        """Keep *agent_name* from writing to *artifact_id* until it is cleared."""
        if self._mode is Mode.STRICT and not _names(artifact_id):
            raise UsageError(
                where="reviewer lockout",
                what=f"{artifact_id!r} names no artifact",
                fix="Give a path, or a part of one, such as 'src/auth.ts'.",
            )
        self._locked.setdefault(artifact_id, {})[agent_name] = None

    def is_locked_out(self, artifact_id: str, agent_name: str) -> bool:
        """Say whether *agent_name* may not write to *artifact_id*."""
        return agent_name in self._locked.get(artifact_id, ())

    def clear_lockout(self, artifact_id: str) -> None:
        """Let everyone write to *artifact_id* again."""
        self._locked.pop(artifact_id, None)

    def get_locked_agents(self, artifact_id: str) -> list[str]:
        """Return who may not write to *artifact_id*, in the order in which they were locked out."""
        return list(self._locked.get(artifact_id, ()))

    def clear_all(self) -> None:
        """Let everyone write everywhere again."""
        self._locked.clear()

    def create_hook(self) -> PreToolUseHook:
        """Return the lockout as a hook for any pipeline."""

        def hook(call: PreToolUseContext) -> PreToolUseResult:
            reason = self.objects_to(call)
            return ALLOWED if reason is None else blocked(reason)

        return hook

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a write must not happen, or ``None``."""
        mine = [artifact for artifact, who in self._locked.items() if call.agent_name in who]
        artifact = next(iter(self._touched(call, mine)), None) if mine else None
        if artifact is None:
            return None
        return (
            f'Reviewer lockout: Agent "{call.agent_name}" is locked out of artifact "{artifact}". '
            "Another reviewer must handle this artifact."
        )

    def _touched(self, call: PreToolUseContext, artifacts: list[str]) -> Iterable[str]:
        if self._mode is Mode.COMPATIBLE:
            path = compatible_path(call)
            return () if path is None else (a for a in artifacts if a in path or path in a)
        touched = [place or path for path, place in written(call)]
        if not touched:
            return ()
        root = resolved(call.team_root or call.cwd) + "/"
        places = [_names(path.removeprefix(root)) for path in touched]
        return (
            artifact
            for artifact in artifacts
            if any(_holds(place, _names(artifact.removeprefix(root))) for place in places)
        )


def _names(path: str) -> tuple[str, ...]:
    """Return the names a path is made of, without the empty ones and the dots."""
    return tuple(name for name in path.replace("\\", "/").split("/") if name not in {"", "."})


def _holds(path: tuple[str, ...], artifact: tuple[str, ...]) -> bool:
    length = len(artifact)
    return any(path[at : at + length] == artifact for at in range(len(path) - length + 1))
