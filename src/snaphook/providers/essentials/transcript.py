"""What an agent said last and what the session cost, from the record its host keeps.

Entries  ->  TranscriptEnd
"""

from pathlib import Path

from msgspec import Struct

from snaphook import transcripts

LARGEST = 256 << 20
"""Bytes beyond which only the end is read."""


class TranscriptEnd(Struct, frozen=True, kw_only=True):
    """The end of a conversation, and its sums."""

    text: str = ""
    """What the agent said since it was last spoken to."""
    tokens: int = 0
    turns: int = 0


def read_transcript(path: Path) -> TranscriptEnd:
    """Return what the transcript at *path* tells of the agent itself, not of its subagents."""
    texts: list[str] = []
    tokens: dict[str, int] = {}
    try:
        reading = transcripts.TranscriptReading(path, offset=max(0, path.stat().st_size - LARGEST))
        for entry in reading.more():
            match entry:
                case transcripts.TranscriptEntry(subagent=True):
                    pass
                case transcripts.UserPrompt():
                    texts.clear()
                case transcripts.AssistantText():
                    texts.append(entry.text)
                case transcripts.UsageReported():
                    tokens[entry.id] = entry.usage.total
    except OSError:
        return TranscriptEnd()
    return TranscriptEnd(text="\n".join(texts), tokens=sum(tokens.values()), turns=len(tokens))
