"""A gate, and what came of running it.

Pure data: nothing here starts anything.
"""

from msgspec import Struct


class Gate(Struct, frozen=True, kw_only=True):
    """One command that must pass before work counts as done. It is run as it is."""

    command: str
    name: str = ""
    timeout: float | None = None
    """Seconds; ``None`` waits as long as it takes."""
    group: int = 0
    """Gates of a later group run only after all of the earlier ones passed."""

    def __str__(self) -> str:
        """Return what people call it."""
        return self.name or self.command


class GateRun(Struct, frozen=True, kw_only=True):
    """How one gate went."""

    gate: Gate
    exit_code: int
    """As a shell tells it: 124 for a timeout, 128 + n for signal n."""
    output: str = ""
    """stdout, then stderr; the beginning and the end where it is long."""
    full_output: str = ""
    """The file that holds all of it, where *output* does not."""
    why: str = ""
    """What happened where an exit code alone would mislead: a timeout, a signal."""
    duration: float = 0.0

    @property
    def passed(self) -> bool:
        """Say whether the gate is open."""
        return self.exit_code == 0


class Verdicts(Struct, frozen=True, kw_only=True):
    """A round of gates: those that ran, in order. The last one failed, or all passed."""

    runs: tuple[GateRun, ...] = ()

    @property
    def failure(self) -> GateRun | None:
        """Return the gate that stopped the round; ``None`` if all are open."""
        return next((run for run in self.runs if not run.passed), None)
