"""Tenants: who acts in whose name, with which rules, and with nobody else's state."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snaphook.config import Environment

    from .provider import TenantsProvider
    from .settings import TenantsSettings


def make(_settings: "TenantsSettings", around: "Environment") -> "TenantsProvider":
    """Return the fence that ``[tenants]`` puts up around the tenant of *around*."""
    from .provider import TenantsProvider

    return TenantsProvider(around.tenant, around.shared_dir)
