"""Is a host wired, and does it do what we say? A dead guard looks like a quiet one."""

from .probe import SESSION, is_refusal, probe
from .status import HostStatus, called_for, examine

__all__ = ["SESSION", "HostStatus", "called_for", "examine", "is_refusal", "probe"]
