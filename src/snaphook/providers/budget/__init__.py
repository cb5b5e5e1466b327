"""What agents may spend: counted from what they really used, stopped before the next call."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from snaphook.config import Environment

    from .provider import BudgetProvider
    from .settings import BudgetSettings


def make(settings: "BudgetSettings", around: "Environment") -> "BudgetProvider":
    """Return the provider that ``[budget]`` switches on."""
    from .provider import BudgetProvider

    return BudgetProvider.from_settings(
        settings, around.data_dir, home=around.home, tenant=around.tenant
    )
