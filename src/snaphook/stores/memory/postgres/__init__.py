"""Memories in PostgreSQL: one store for a whole fleet."""

from .store import PostgresMemory

__all__ = ["PostgresMemory"]
