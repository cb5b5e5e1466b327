"""A circuit breaker that every process on this machine shares."""

from .breaker import Breaker
from .circuit import Circuit, CircuitState

__all__ = ["Breaker", "Circuit", "CircuitState"]
