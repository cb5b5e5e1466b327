"""What the agents write down of a session, read into our words.

transcript file  ->  Entries

Budget reads what was used, memory what was said, replay what was called: one reader for all.
"""

from .entries import (
    AssistantText,
    ToolCalled,
    ToolReturned,
    TranscriptEntry,
    UsageReported,
    UserPrompt,
)
from .read import TranscriptReading, read

__all__ = [
    "AssistantText",
    "ToolCalled",
    "ToolReturned",
    "TranscriptEntry",
    "TranscriptReading",
    "UsageReported",
    "UserPrompt",
    "read",
]
