"""Customers, teams, whoever is to be kept apart from the others.

[tenants.NAME] of snaphook.toml  ->  Tenant

Beside these keys a tenant's table may hold any other table of the file (``[tenants.acme.budget]``,
``[tenants.acme.guard]`` …): for that tenant it is laid over the common one.
"""

import re
from collections.abc import Iterator
from typing import ClassVar

from msgspec import Struct

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}")
"""What a tenant may be called: its state is kept in a folder of that name."""


class Tenant(Struct, frozen=True, kw_only=True):
    """Who belongs to a tenant."""

    projects: tuple[str, ...] = ()
    """Folders, and everything below them; ``*`` stands for any part of a path."""
    default: bool = False
    """Use this tenant if no other one applies."""

    @staticmethod
    def misnamed(name: str) -> Iterator[tuple[tuple[str, ...], str, str]]:
        """Yield what is wrong with a tenant's own name."""
        if not NAME.fullmatch(name):
            fix = "Use small letters, digits, '-' and '_'; begin with a letter or a digit."
            yield (), f"{name!r} cannot be a tenant's name", fix


class TenantsSettings(Struct, frozen=True, kw_only=True):
    """A table of tenants, by name."""

    each: ClassVar = Tenant
