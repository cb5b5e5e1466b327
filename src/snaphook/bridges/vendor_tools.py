"""Tools that run at the model's vendor: no hook could see what they do, so a request with one is refused.

pydantic-ai's request  ->  UsageError, or nothing
"""

from typing import Any

from snaphook.errors import UsageError

HARMLESS = frozenset({"tool_search"})
"""Tools that run at the vendor and only look up which of ours there are."""


def refuse_vendor_tools(ctx: Any, parameters: Any) -> None:
    """Refuse a request of pydantic-ai with *parameters* that hold a tool of the vendor's."""
    names = [tool.kind for tool in parameters.native_tools if tool.kind not in HARMLESS]
    if names:
        name = (ctx.agent and ctx.agent.name) or "main"
        raise UsageError(
            where=f"agent '{name}'",
            what=f"its tool '{names[0]}' would run at the vendor, without hooks",
            fix="Use a function tool or the capability's local fallback, or leave Snaphook out.",
        )
