"""Is a host wired, and does it do what we say? A dead guard looks like a quiet one."""

from .probe import SESSION, is_refusal, probe
from .status import Status, called_for, examine

__all__ = ["SESSION", "Status", "called_for", "examine", "is_refusal", "probe"]
