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
    """Where memories are kept: empty for a file of your own, or ``postgresql://…``, ``neo4j://…``."""
    graph: str = ""
    """A graph beside the store, ``neo4j://…``: it has the same memories and how they hang together."""
    session: int = 5
    """How many memories a session starts with; 0 for none."""
    prompt: int = 3
    """How many may be added to a prompt; 0 for none."""
    subagent: int = 3
    """How many a subagent starts with; 0 for none."""
    confidence: float = 0.7
    """Only what is surer than this is told unasked."""
    relevance: float = 0.35
    """How much a memory must have to do with a prompt to be added: 1 is every word of it."""
    budget: int = 800
    """Tokens that the memories of one event may take."""
    agents: bool = False
    """Whether each agent sees only what it said itself, and what nobody in particular said."""
    retain: bool = True
    """Keep what sessions teach, when they stop and before they are shortened."""
    transcripts: bool = True
    """Read transcripts too, not only the documents of a run."""
    extractor: str = "markdown"
    """``markdown`` reads documents without a model; ``model`` has one read them."""
    model: str = ""
    """The model that reads, as ``[agent] model`` spells it; empty for that one."""
    embedder: str = ""
    """``module:callable`` that turns texts into vectors, for a small part of the ranking."""
    views: str = ""
    """A folder of the project for FACTS.md and the others; empty for your own data folder."""

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
