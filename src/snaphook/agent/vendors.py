"""The vendors' models, through pydantic-ai's model layer.

ModelRequest  ->  pydantic-ai  ->  chunks

``anthropic:NAME``, ``openai:NAME`` (chat completions), ``openai-responses:NAME``, and whatever else
the layer knows by ``vendor:NAME``. Keys and addresses come from the environment. The SDKs' own
retries are off: a failure is an event of ours, and hooks decide what becomes of it. Loaded only
where a real model is asked.
"""

import importlib.util
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from snaphook.errors import MissingExtra, UsageError

from .failures import classify, failure
from .model import (
    ApiMessage,
    CallPart,
    Chunk,
    Finish,
    ImagePart,
    ModelError,
    ModelRequest,
    Part,
    Reasoning,
    ReasoningPart,
    ResultPart,
    Text,
    TextPart,
    ToolCall,
    Usage,
)

if TYPE_CHECKING:
    from pydantic_ai import messages as pm
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
        model = self._model(request.model)
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.settings import ModelSettings

        try:
            async with model_request_stream(
                model,
                _messages(request),
                model_settings=ModelSettings(max_tokens=request.max_tokens),
                model_request_parameters=_parameters(request),
            ) as stream:
                async for event in stream:
                    for chunk in _chunks(event):
                        yield chunk
                response = stream.get()
        except Exception as error:
            raise _blamed(request.model, error) from error
        for call in _calls(response):
            yield call
        yield _finish(response)

    async def close(self) -> None:
        """Let go of every connection."""
        for model in self._open.values():
            client = getattr(model, "client", None)
            if client is not None:
                await client.close()
        self._open.clear()

    def _model(self, name: str) -> "VendorModel":
        if name not in self._open:
            self._open[name] = open_model(name)
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


def _messages(request: ModelRequest) -> "list[pm.ModelMessage]":
    from pydantic_ai import messages as pm

    told: list[pm.ModelMessage] = []
    for message in request.messages:
        if message.role == "user":
            parts = [_user_part(part) for part in message.parts]
            told.append(pm.ModelRequest(parts=parts, instructions=request.system or None))
        else:
            told.append(_response(message))
    return told


def _user_part(part: Part) -> "pm.ModelRequestPart":
    import base64

    from pydantic_ai import messages as pm

    match part:
        case TextPart(text):
            return pm.UserPromptPart(text)
        case ImagePart(media_type, data):
            return pm.UserPromptPart(
                [pm.BinaryContent(base64.b64decode(data), media_type=media_type)]
            )
        case ResultPart(id, name, text, success):
            outcome = "success" if success else "failed"
            return pm.ToolReturnPart(name, text, id, outcome=outcome)  # type: ignore[arg-type]
        case _:
            raise AssertionError(f"a user cannot say {part}")


def _response(message: ApiMessage) -> "pm.ModelResponse":
    from pydantic_ai import messages as pm

    parts: list[pm.ModelResponsePart] = []
    for part in message.parts:
        match part:
            case TextPart(text):
                parts.append(pm.TextPart(text))
            case ReasoningPart(text, signature, source):
                parts.append(pm.ThinkingPart(text, signature=signature, provider_name=source))
            case CallPart(id, name, parameters):
                parts.append(pm.ToolCallPart(name, parameters, id))
            case _:
                raise AssertionError(f"an assistant cannot say {part}")
    return pm.ModelResponse(parts=parts)


def _parameters(request: ModelRequest) -> Any:
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.tools import ToolDefinition

    tools = [
        ToolDefinition(
            name=tool.name,
            description=tool.description,
            parameters_json_schema=tool.schema,
            strict=False,
        )
        for tool in request.tools
    ]
    return ModelRequestParameters(function_tools=tools)


def _chunks(event: object) -> list[Chunk]:
    from pydantic_ai import messages as pm

    match event:
        case pm.PartStartEvent(part=pm.TextPart(content=text)) if text:
            return [Text(text)]
        case pm.PartStartEvent(part=pm.ThinkingPart() as thought) if thought.content:
            return [Reasoning(thought.content)]
        case pm.PartDeltaEvent(delta=pm.TextPartDelta(content_delta=text)) if text:
            return [Text(text)]
        case pm.PartDeltaEvent(delta=pm.ThinkingPartDelta(content_delta=text)) if text:
            return [Reasoning(text)]
        case pm.PartEndEvent(part=pm.ThinkingPart() as thought) if thought.signature:
            return [Reasoning("", thought.signature, thought.provider_name or "")]
        case _:
            return []


def _calls(response: "pm.ModelResponse") -> list[ToolCall]:
    from pydantic_ai import messages as pm

    return [_call(part) for part in response.parts if isinstance(part, pm.ToolCallPart)]


def _call(part: "pm.ToolCallPart") -> ToolCall:
    given: Any = part.args
    if isinstance(given, str):
        with suppress(msgspec.DecodeError):
            given = msgspec.json.decode(given or "{}")
    if given is None:
        given = {}
    if isinstance(given, dict):
        return ToolCall(id=part.tool_call_id, name=part.tool_name, parameters=given)
    return ToolCall(id=part.tool_call_id, name=part.tool_name, unreadable=str(part.args))


def _finish(response: "pm.ModelResponse") -> Finish:
    used = response.usage
    usage = Usage(
        input_tokens=used.input_tokens,
        output_tokens=used.output_tokens,
        cache_read_tokens=used.cache_read_tokens,
        cache_write_tokens=used.cache_write_tokens,
    )
    return Finish(
        usage=usage, model=response.model_name or "", cut_short=response.finish_reason == "length"
    )


def _blamed(model: str, error: Exception) -> ModelError:
    from pydantic_ai import exceptions as pe

    by_kind: tuple[tuple[type[Exception] | tuple[type[Exception], ...], str], ...] = (
        (pe.ModelRateLimitError, "rate_limit"),
        (pe.ModelQuotaExceededError, "quota_or_budget"),
        (pe.ModelOverloadedError, "overloaded"),
        (pe.ModelContextWindowExceededError, "context_overflow"),
        (pe.ModelAuthenticationError, "auth"),
        (pe.ModelNotFoundError, "model_not_found"),
        ((pe.ModelTimeoutError, TimeoutError), "timeout"),
        ((pe.ModelConnectionError, ConnectionError), "network"),
        (pe.ContentFilterError, "content_filter"),
        (ValueError, "malformed"),
    )
    if isinstance(error, pe.ModelHTTPError):
        what = f"answered {error.status_code}: {_words(error.body) or error}"
        name = classify(error.status_code, str(error))
        return failure(model, name, what, retry_after_ms=_retry_after_ms(error.headers or {}))
    name = next((name for kind, name in by_kind if isinstance(error, kind)), _by_origin(error))
    return failure(model, name, str(error).strip() or type(error).__name__)


def _by_origin(error: Exception) -> str:
    """Tell a transport's own errors by where they are defined: the SDKs change theirs at will."""
    if type(error).__module__.startswith(("httpx", "httpcore")):
        return "network"
    return classify(0, str(error))


def _words(body: object) -> str:
    """Return the vendor's own sentence in the *body* of an error."""
    match body:
        case {"error": {"message": str(message)}} | {"message": str(message)}:
            return message
        case _:
            return ""


def _retry_after_ms(headers: Mapping[str, str]) -> int | None:
    with suppress(KeyError, ValueError):
        return round(float(headers["retry-after"]) * 1000)
    return None
