"""The vendors' models, through pydantic-ai's model layer.

ModelRequest  ->  pydantic-ai  ->  chunks

``anthropic:NAME``, ``openai:NAME`` (chat completions), ``openai-responses:NAME``, and whatever else
the layer knows by ``vendor:NAME``. Keys and addresses come from the environment. The SDKs' own
retries are off: a failure is an event of ours, and hooks decide what becomes of it. Loaded only
where a real model is asked.
"""

import asyncio
import importlib.util
import os
from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING

from snaphook.agent.model import Chunk, ModelRequest
from snaphook.errors import MissingExtra, UsageError

if TYPE_CHECKING:
    from pydantic_ai.models import Model as VendorModel

KEYS: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "openai": ("OPENAI_API_KEY",),
    "openai-responses": ("OPENAI_API_KEY",),
}
"""Where a vendor's key is looked for."""


class VendorModels:
    """Every model the layer can reach, opened when first asked and then kept."""

    def __init__(self) -> None:
        self._open: dict[str, VendorModel] = {}

    async def stream(self, request: ModelRequest) -> AsyncIterator[Chunk]:
        """Yield the answer of the model that *request* names."""
        model = await self._model(request.model)
        from pydantic_ai.direct import model_request_stream

        from .failures import blamed
        from .words import calls, chunks, finish, messages, parameters, settings

        try:
            async with model_request_stream(
                model,
                messages(request),
                model_settings=settings(request),
                model_request_parameters=parameters(request),
            ) as stream:
                async for event in stream:
                    for chunk in chunks(event):
                        yield chunk
                response = stream.get()
        except Exception as error:
            raise blamed(request.model, error) from error
        for call in calls(response):
            yield call
        yield finish(response)

    async def close(self) -> None:
        """Let go of every connection."""
        for model in self._open.values():
            client = getattr(model, "client", None)
            if client is not None:
                await client.close()
        self._open.clear()

    async def _model(self, name: str) -> "VendorModel":
        if name not in self._open:
            # A vendor's SDK takes seconds to import; the loop stays free to be interrupted.
            self._open[name] = await asyncio.to_thread(open_model, name)
        return self._open[name]


def check_model(name: str) -> tuple[str, str]:
    """Return vendor and model that *name* stands for, or say in one line what is missing."""
    vendor, colon, model = name.partition(":")
    if not colon or not model:
        raise UsageError(
            where=f"model '{name}'",
            what="names no vendor",
            fix="Write vendor:model, such as anthropic:claude-sonnet-5-5.",
        )
    wanted = KEYS.get(vendor, ())
    if wanted and not any(os.environ.get(key) for key in wanted):
        raise UsageError(
            where=f"model '{name}'",
            what=f"{wanted[0]} is not set",
            fix=f"Run: export {wanted[0]}=…",
        )
    if importlib.util.find_spec("pydantic_ai") is None:
        raise MissingExtra.named("agent", wanted_by=f"model '{name}'")
    return vendor, model


def open_model(name: str) -> "VendorModel":
    """Return the model *name* (``vendor:model``), ready to be asked."""
    vendor, model = check_model(name)
    try:
        return _opened(vendor, model)
    except ImportError as error:
        raise MissingExtra.named("agent", wanted_by=f"model '{name}'") from error
    except Exception as error:
        first = str(error).strip().partition("\n")[0]
        raise UsageError(
            where=f"model '{name}'", what=first.rstrip("."), fix="Check --model and its key."
        ) from error


def _opened(vendor: str, model: str) -> "VendorModel":
    match vendor:
        case "anthropic":
            from anthropic import AsyncAnthropic
            from pydantic_ai.models.anthropic import AnthropicModel
            from pydantic_ai.providers.anthropic import AnthropicProvider

            client = AsyncAnthropic(max_retries=0)
            return AnthropicModel(model, provider=AnthropicProvider(anthropic_client=client))
        case "openai" | "openai-responses":
            from openai import AsyncOpenAI
            from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
            from pydantic_ai.providers.openai import OpenAIProvider

            provider = OpenAIProvider(openai_client=AsyncOpenAI(max_retries=0))
            kind = OpenAIChatModel if vendor == "openai" else OpenAIResponsesModel
            return kind(model, provider=provider)
        case _:
            from pydantic_ai.models import infer_model

            return infer_model(f"{vendor}:{model}")
