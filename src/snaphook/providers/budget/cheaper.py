"""Another model for the same work, at less cost.

model + table  ->  a cheaper one of the same family, or none

Pure.
"""

from collections.abc import Mapping
from typing import Any

from snaphook.prices import PriceList
from snaphook.prices.names import plain

FAMILY_OF_HOST = {"claude-code": "claude", "codex": "gpt", "gemini-cli": "gemini"}
"""Whose models a host runs, where it does not say which."""
ALIASES = ("haiku", "sonnet", "opus")
"""What Claude Code's Task tool takes for a model."""


def cheaper_model(
    model: str, table: Mapping[str, str], prices: PriceList, host: str = ""
) -> str | None:
    """Return what *table* gives for *model*'s family, spelled as *model* is, if that is cheaper."""
    family = plain(model).partition("-")[0] or FAMILY_OF_HOST.get(host, "")
    wanted = table.get(family)
    if wanted is None or plain(wanted) == plain(model):
        return None
    if model and prices.price_of(wanted)[0].output >= prices.price_of(model)[0].output:
        return None
    vendor = model[: len(model) - len(model.rpartition(":")[2].rpartition("/")[2])]
    return wanted if ":" in wanted or "/" in wanted else f"{vendor}{wanted}"


def cheaper_args(args: dict[str, Any], model: str | None, host: str) -> dict[str, Any] | None:
    """Return the arguments of a Task call with *model* in them, where the host takes it there."""
    if host != "claude-code" or model is None:
        return None
    alias = next((alias for alias in ALIASES if alias in model), None)
    if alias is None or args.get("model") == alias:
        return None
    return {**args, "model": alias}
