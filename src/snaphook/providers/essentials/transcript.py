"""What an agent said last and what the session cost, from the record its host keeps.

Entries  ->  Said
"""

from pathlib import Path

from msgspec import Struct

from snaphook import transcripts

LARGEST = 256 << 20
"""Bytes beyond which only the end is read."""


class Said(Struct, frozen=True, kw_only=True):
    """The end of a conversation, and its sums."""

    text: str = ""
    """What the agent said since it was last spoken to."""
    tokens: int = 0
    turns: int = 0


def read_transcript(path: Path) -> Said:
    """Return what the transcript at *path* tells of the agent itself, not of its subagents."""
    texts: list[str] = []
    tokens: dict[str, int] = {}
    try:
        reading = transcripts.Reading(path, offset=max(0, path.stat().st_size - LARGEST))
        for entry in reading.more():
            match entry:
                case transcripts.Entry(subagent=True):
                    pass
                case transcripts.Prompted():
                    texts.clear()
                case transcripts.Said():
                    texts.append(entry.text)
                case transcripts.Used():
                    tokens[entry.id] = entry.usage.total
    except OSError:
        return Said()
    return Said(text="\n".join(texts), tokens=sum(tokens.values()), turns=len(tokens))
