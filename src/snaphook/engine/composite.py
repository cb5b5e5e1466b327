"""Several providers that pass for one.

[HooksProvider, …]  ->  HooksProvider
"""

from collections.abc import Awaitable, Callable, Sequence

from snaphook.canon import METHODS, AnyProvider, Event, HookContext, HooksProvider, Output

from .engine import Engine, Strategy


class CompositeHooksProvider(HooksProvider):
    """A chain of providers, for whoever takes a single one.

    The default strategy lets the strictest answer win; ``"first"`` stops at the first provider with
    an opinion, as the original contract had it. A failing member is held to its own stance, and
    the others are heard all the same.
    """

    name = "composite"
    timeout = None  # its members have their own

    def __init__(
        self, providers: Sequence[AnyProvider], *, strategy: Strategy | str = Strategy.STRICTEST
    ) -> None:
        self._engine = Engine(providers, strategy=strategy)
        self.suspends = any(getattr(provider, "suspends", True) for provider in providers)


def _through_engine(method: str) -> Callable[..., Awaitable[Output | None]]:
    async def hook(self: CompositeHooksProvider, event: Event, _: HookContext) -> Output | None:
        return await self._engine.dispatch(event)

    hook.__name__ = method
    hook.__doc__ = f"Ask every member's ``{method}`` and combine the answers."
    return hook


for _method in METHODS:
    setattr(CompositeHooksProvider, _method, _through_engine(_method))
