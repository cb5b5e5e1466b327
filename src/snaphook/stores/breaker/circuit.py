"""What a circuit remembers, and how it changes.

Circuit + a failure, a success, a wish to try  ->  Circuit

    closed ──(threshold failures)──▶ open ──(cooldown)──▶ half open ──(the probe succeeds)──▶ closed
                                      ▲                       │
                                      └────(the probe fails)──┘

Pure: no clock, no disk. Every time kept is one that has passed; one that lies ahead means that the
clock was set back, and is taken for now (:func:`settled`), so no circuit stays open until next year.
"""

from enum import StrEnum

from msgspec import Struct
from msgspec.structs import replace


class CircuitState(StrEnum):
    """Whether calls go through."""

    CLOSED = "closed"
    """They do."""
    OPEN = "open"
    """They do not."""
    HALF_OPEN = "half_open"
    """One may try."""


class CircuitLimits(Struct, frozen=True, kw_only=True):
    """How much a circuit bears, in failures and seconds."""

    threshold: int = 5
    cooldown: float = 60.0
    window: float = 600.0
    """Failures further apart than this do not belong together."""


class Circuit(Struct, frozen=True, kw_only=True):
    """What is known of whatever lies behind the breaker."""

    failures: int = 0
    failed_at: float = 0.0
    opened_at: float | None = None
    probed_at: float | None = None
    """When the one who may try set out."""

    def state(self, now: float, limits: CircuitLimits) -> CircuitState:
        """Return whether calls go through at *now*."""
        if self.opened_at is None:
            return CircuitState.CLOSED
        return (
            CircuitState.OPEN if now - self.opened_at < limits.cooldown else CircuitState.HALF_OPEN
        )


UNTROUBLED = Circuit()


def settled(circuit: Circuit, now: float) -> Circuit:
    """Return *circuit* with nothing that lies ahead of *now*."""

    def past(time: float | None) -> float | None:
        return None if time is None else min(time, now)

    return replace(
        circuit,
        failed_at=min(circuit.failed_at, now),
        opened_at=past(circuit.opened_at),
        probed_at=past(circuit.probed_at),
    )


def tried(circuit: Circuit, now: float, limits: CircuitLimits) -> tuple[Circuit, bool]:
    """Return whether a call may go through; in a half-open circuit, who asks first holds the probe.

    A prober that is not heard of for a cooldown's length is taken for dead, and another may try.
    """
    match circuit.state(now, limits):
        case CircuitState.CLOSED:
            return circuit, True
        case CircuitState.OPEN:
            return circuit, False
        case CircuitState.HALF_OPEN:
            held = circuit.probed_at is not None and now - circuit.probed_at < limits.cooldown
            return (circuit, False) if held else (replace(circuit, probed_at=now), True)


def failed(circuit: Circuit, now: float, limits: CircuitLimits) -> Circuit:
    """Return *circuit* after one more failure.

    While it is open, the failures of calls that were under way before change nothing.
    """
    match circuit.state(now, limits):
        case CircuitState.OPEN:
            return circuit
        case CircuitState.HALF_OPEN:
            return Circuit(failures=circuit.failures, failed_at=now, opened_at=now)
        case CircuitState.CLOSED:
            together = circuit.failures and now - circuit.failed_at <= limits.window
            failures = circuit.failures + 1 if together else 1
            opened = now if failures >= limits.threshold else None
            return Circuit(failures=failures, failed_at=now, opened_at=opened)
