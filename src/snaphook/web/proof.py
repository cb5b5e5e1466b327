"""Whether the chain holds, as of the last walk over it.

somebody looks  ->  a process that walks  ->  ChainProof, kept until the next one

A walk reads all of the record, so no page waits for one: it runs in a process of its own that gives way
to others, when somebody looks and the last is a while ago, for a twentieth of the time at most.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from enum import StrEnum
from threading import Lock, Thread

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.stores.eventlog.audit import Bad
from snaphook.stores.eventlog.trail.finding import Checked

from .dashboard import Dashboard

GAP = 60.0
"""The least seconds between two walks."""
REST = 20
"""How many times as long as a walk took the pause after it is."""
LONGEST = 1800.0
YIELDS = 10
"""How much the process that walks stands back behind others."""


class ProofState(StrEnum):
    """What can be said of a stream, in a word."""

    COMPLETE = "complete"
    """Intact, and nothing is missing up to a checkpoint."""
    INTACT = "intact"
    """Every line that is here is as it was written; nothing tells whether the end was cut off."""
    BROKEN = "broken"


class Walked(Struct, frozen=True, kw_only=True):
    """What a walk over one stream found, as ``snaphook audit verify --json`` says it."""

    stream: str
    records: int = 0
    checkpoints: int = 0
    complete_at: float | None = None
    bad: Bad | None = None
    trail: Checked | None = None

    @property
    def state(self) -> ProofState:
        """Return it in a word."""
        if self.bad or (self.trail and (self.trail.findings or not self.trail.intact)):
            return ProofState.BROKEN
        sealed = self.trail and self.trail.complete_to is not None
        return ProofState.COMPLETE if self.complete_at or sealed else ProofState.INTACT

    @property
    def wrong(self) -> list[str]:
        """Return what does not hold, the first bad line first."""
        found = [f"{self.bad.file}, line {self.bad.line}: {self.bad.what}"] if self.bad else []
        findings = self.trail.findings if self.trail else ()
        return found + [f"{one.attack}: {one.where}: {one.what}" for one in findings]


class ChainProof(Struct, frozen=True, kw_only=True):
    """What the last walk found, and when that was."""

    checked: float | None = None
    took: float = 0.0
    streams: Mapping[str, Walked] = {}
    problem: str = ""
    under_way: bool = False

    @property
    def state(self) -> ProofState | None:
        """Return what can be said of all streams together; nothing before the first walk."""
        states = {one.state for one in self.streams.values()}
        worst = (ProofState.BROKEN, ProofState.INTACT, ProofState.COMPLETE)
        return next((state for state in worst if state in states), None)


class Prover:
    """Walks the record of *dashboard* when asked for a proof that is too old."""

    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard = dashboard
        self._proof = ChainProof()
        self._lock = Lock()
        self._process: subprocess.Popen[bytes] | None = None

    def look(self) -> ChainProof:
        """Return the last proof at once; where it is too old, another is on its way."""
        with self._lock:
            if self._dashboard.folder is not None and not self._proof.under_way and self._is_old():
                self._proof = replace(self._proof, under_way=True)
                Thread(target=self._walk, name="snaphook-proof", daemon=True).start()
            return self._proof

    def stop(self) -> None:
        """End a walk that is under way."""
        if process := self._process:
            with contextlib.suppress(OSError):
                process.kill()

    def _is_old(self) -> bool:
        proof = self._proof
        if proof.checked is None:
            return True
        return self._dashboard.clock() - proof.checked >= max(GAP, REST * proof.took)

    def _walk(self) -> None:
        started = self._dashboard.clock()
        streams, problem = self._found()
        now = self._dashboard.clock()
        with self._lock:
            self._proof = ChainProof(
                checked=now,
                took=max(0.0, now - started),
                streams={one.stream: one for one in streams},
                problem=problem,
            )

    def _found(self) -> tuple[Sequence[Walked], str]:
        """Return what every stream came to, and what stood in the way."""
        around = self._dashboard.around
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "snaphook", "audit", "verify", "--json"],
                env=dict(around.env),
                cwd=around.cwd,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            with self._process as walker, contextlib.suppress(subprocess.TimeoutExpired):
                with contextlib.suppress(OSError):
                    os.setpriority(os.PRIO_PROCESS, walker.pid, YIELDS)
                said, complaints = walker.communicate(timeout=LONGEST)
                if walker.returncode not in (0, 1):
                    return (), complaints.decode(errors="replace").strip()[-300:]
                return msgspec.json.decode(said or b"[]", type=list[Walked]), ""
            return (), f"the verification took longer than {LONGEST / 60:.0f} minutes"
        except (OSError, msgspec.DecodeError) as problem:
            return (), str(problem)
        finally:
            self._process = None
