"""What people may change about memory.

[memory] of snaphook.toml  ->  MemorySettings
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import ClassVar

from msgspec import Struct


class MemorySettings(Struct, frozen=True, kw_only=True):
    """What is told when, what is kept, and where."""

    enabled: bool = True
    store: str = ""
    """Where memories are stored: ``postgresql://…`` or ``neo4j://…``. Default: a local file."""
    graph: str = ""
    """An additional graph store, ``neo4j://…``, with the same memories and their relations."""
    project: str = ""
    """The name under which this project's memories are kept; empty for that of its repository."""
    session: int = 5
    """Number of memories added at the start of a session; 0 for none."""
    prompt: int = 3
    """Maximum number of memories added to a prompt; 0 for none."""
    subagent: int = 3
    """Number of memories added for a subagent; 0 for none."""
    confidence: float = 0.7
    """Minimum confidence of memories that are added automatically."""
    relevance: float = 0.35
    """Minimum relevance to a prompt, from 0 to 1."""
    budget: int = 800
    """Size limit of the memories of one event in tokens."""
    agents: bool = False
    """Show each agent only its own memories and general ones."""
    retain: bool = True
    """Store what sessions learned, when they stop and before compaction."""
    transcripts: bool = True
    """Also read transcripts, not only run documents."""
    extractor: str = "markdown"
    """How documents are read: ``markdown`` without a model, ``model`` with one."""
    model: str = ""
    """The model that reads, as ``[agent] model`` spells it; empty for that one."""
    embedder: str = ""
    """``module:callable`` that turns texts into vectors, for a small part of the ranking."""
    views: str = ""
    """Project folder for FACTS.md and the other views. Default: your data folder."""

    switches_off: ClassVar[tuple[str, ...]] = ("retain", "transcripts")
    """What a project that nobody approved may set to false: less is kept then, never more."""

    @staticmethod
    def find_errors(table: Mapping[str, object]) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what the types cannot tell: numbers that make no sense, words that nobody knows."""
        for name in ("session", "prompt", "subagent", "budget"):
            value = table.get(name)
            if isinstance(value, int) and value < 0:
                yield (name,), f"{value} is negative", "Write 0 or more."
        for name in ("confidence", "relevance"):
            value = table.get(name)
            if isinstance(value, int | float) and not 0 <= value <= 1:
                yield (name,), f"{value} is not between 0 and 1", "Write a number such as 0.7."
        extractor = table.get("extractor", "markdown")
        if extractor not in ("markdown", "model"):
            yield ("extractor",), f"unknown extractor '{extractor}'", "Write markdown or model."
        embedder = table.get("embedder")
        if isinstance(embedder, str) and embedder and ":" not in embedder:
            yield ("embedder",), f"'{embedder}' is not a module:callable", "Write module:callable."
