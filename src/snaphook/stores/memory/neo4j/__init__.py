"""Memories as a graph, in Neo4j or whatever speaks Bolt: what was said, about what, by whom, when."""

from .store import Neo4jMemory

__all__ = ["Neo4jMemory"]
