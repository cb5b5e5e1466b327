"""Reviewer lockout: whoever was sent away from an artifact does not write to it.

lockout("src/auth.ts", "ada")  ->  ada's writes to src/auth.ts are blocked

Strict: an artifact is a path or a part of one, compared name by name; everything below it is meant
too. Compatible: an artifact is a text, and either of text and path may contain the other.
"""

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress

from snaphook.errors import UsageError

from .call import ALLOWED, PreToolUseContext, PreToolUseHook, PreToolUseResult, blocked
from .config import PolicyMode
from .journal import PolicyJournal
from .paths import resolved
from .writes import compatible_path, written


class ReviewerLockoutHook:
    """Who may not touch what."""

    def __init__(
        self, mode: PolicyMode = PolicyMode.STRICT, journal: PolicyJournal | None = None
    ) -> None:
        self._locked: dict[str, dict[str, None]] = {}
        self._mode = mode
        self._journal = journal
        self._replayed: tuple[str, ...] = ()

    def lockout(self, artifact_id: str, agent_name: str) -> None:
        """Keep *agent_name* from writing to *artifact_id* until it is cleared."""
        if self._mode is PolicyMode.STRICT and not _names(artifact_id):
            raise UsageError(
                where="reviewer lockout",
                what=f"{artifact_id!r} is not an artifact name",
                fix="Give a path, or a part of one, such as 'src/auth.ts'.",
            )
        self._do("lock", artifact_id, agent_name)

    def is_locked_out(self, artifact_id: str, agent_name: str) -> bool:
        """Say whether *agent_name* may not write to *artifact_id*."""
        return agent_name in self._register().get(artifact_id, ())

    def clear_lockout(self, artifact_id: str) -> None:
        """Let everyone write to *artifact_id* again."""
        self._do("clear", artifact_id)

    def get_locked_agents(self, artifact_id: str) -> list[str]:
        """Return who may not write to *artifact_id*, in the order in which they were locked out."""
        return list(self._register().get(artifact_id, ()))

    def clear_all(self) -> None:
        """Let everyone write everywhere again."""
        self._do("clear all")

    def _do(self, *change: str) -> None:
        if self._journal is None:
            _apply(self._locked, change)
        else:
            self._journal.append(json.dumps(change))

    def _register(self) -> dict[str, dict[str, None]]:
        """Return who is locked out of what, with what other processes have changed since."""
        lines = self._journal.lines() if self._journal else ()
        if lines is not self._replayed:
            self._locked = {}
            for line in lines:
                with suppress(ValueError):
                    _apply(self._locked, json.loads(line))
            self._replayed = lines
        return self._locked

    def create_hook(self) -> PreToolUseHook:
        """Return the lockout as a hook for any pipeline."""

        def hook(call: PreToolUseContext) -> PreToolUseResult:
            reason = self.objects_to(call)
            return ALLOWED if reason is None else blocked(reason)

        return hook

    def objects_to(self, call: PreToolUseContext) -> str | None:
        """Return why a write must not happen, or ``None``."""
        mine = [artifact for artifact, who in self._register().items() if call.agent_name in who]
        artifact = next(iter(self._touched(call, mine)), None) if mine else None
        if artifact is None:
            return None
        return (
            f'Reviewer lockout: Agent "{call.agent_name}" is locked out of artifact "{artifact}". '
            "Another reviewer must handle this artifact."
        )

    def _touched(self, call: PreToolUseContext, artifacts: list[str]) -> Iterable[str]:
        if self._mode is PolicyMode.COMPATIBLE:
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


def _apply(locked: dict[str, dict[str, None]], change: Sequence[str]) -> None:
    match change:
        case ["lock", artifact, agent]:
            locked.setdefault(artifact, {})[agent] = None
        case ["clear", artifact]:
            locked.pop(artifact, None)
        case ["clear all"]:
            locked.clear()


def _names(path: str) -> tuple[str, ...]:
    """Return the names a path is made of, without the empty ones and the dots."""
    return tuple(name for name in path.replace("\\", "/").split("/") if name not in {"", "."})


def _holds(path: tuple[str, ...], artifact: tuple[str, ...]) -> bool:
    length = len(artifact)
    return any(path[at : at + length] == artifact for at in range(len(path) - length + 1))
