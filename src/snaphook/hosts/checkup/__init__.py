"""Is a host wired, and does it do what we say? A dead guard looks like a quiet one."""

from .probe import is_refusal, probe
from .status import Status, examine

__all__ = ["Status", "examine", "is_refusal", "probe"]
