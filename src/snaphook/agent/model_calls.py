"""Ask the model, and ask again where a hook or good sense says so.

Conversation  ->  ModelRequest  ->  chunks  ->  ModelAnswer

A failed attempt leaves nothing behind but its price; the last failure becomes a :class:`ModelError`
for the turn to report.
"""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct, field

from snaphook.errors import SnaphookError

from .blocks import Block, ReasoningBlock, Stage, TextBlock, ToolBlock
from .failures import failure
from .hook_points import HookPoints
from .listener import Listener
from .model import (
    Chunk,
    Finish,
    Model,
    ModelError,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    Usage,
)
from .options import AgentOptions
from .recovery import Recovery, recover


class ModelAnswer(Struct, kw_only=True):
    """What the model said, as far as it has said it."""

    model: str
    said: list[Block] = field(default_factory=list)
    calls: list[ToolCall] = field(default_factory=list)
    usage: Usage = Usage()
    cut_short: bool = False

    @property
    def text(self) -> str:
        """Return its words."""
        return "".join(block.content for block in self.said if isinstance(block, TextBlock))

    @property
    def blocks(self) -> tuple[Block, ...]:
        """Return it as blocks of a message, calls last."""
        return (*self.said, *(_block(call) for call in self.calls))

    def add(self, chunk: Chunk) -> None:
        """Take in the next piece."""
        match chunk:
            case TextDelta(text):
                self._say(text)
            case ReasoningDelta():
                self._think(chunk)
            case ToolCall():
                self.calls.append(chunk)
            case Finish(usage=usage, cut_short=cut_short):
                self.usage, self.cut_short = usage, cut_short

    def _say(self, text: str) -> None:
        last = self.said[-1] if self.said else None
        if isinstance(last, TextBlock):
            self.said[-1] = TextBlock(content=last.content + text)
        else:
            self.said.append(TextBlock(content=text))

    def _think(self, chunk: ReasoningDelta) -> None:
        """Go on with the thought under way; a signature proves one thought and no other."""
        last = self.said[-1] if self.said else None
        if not isinstance(last, ReasoningBlock) or last.signature:
            last = ReasoningBlock(content="")
            self.said.append(last)
        self.said[-1] = ReasoningBlock(
            content=last.content + chunk.text,
            signature=chunk.signature,
            source=chunk.source,
            mark=chunk.mark,
        )


def _block(call: ToolCall) -> ToolBlock:
    return ToolBlock(id=call.id, name=call.name, parameters=call.parameters, stage=Stage.START)


class ModelCalls:
    """Asks one model after the other until one answers, or nobody wants to try again."""

    def __init__(
        self, model: Model, options: AgentOptions, places: HookPoints, listener: Listener
    ) -> None:
        self._model = model
        self._options = options
        self._places = places
        self._listener = listener
        self._unfinished: ModelAnswer | None = None

    def take_unfinished(self) -> str:
        """Return what the model had said when it was interrupted, once."""
        answer, self._unfinished = self._unfinished, None
        return answer.text if answer else ""

    async def ask(
        self,
        request: Callable[[], ModelRequest],
        *,
        changed: Callable[[Recovery], Awaitable[None]],
        quiet: bool = False,
    ) -> ModelAnswer:
        """Return the answer to *request*, which is made anew for each attempt.

        *changed* applies what a recovery changes (another model, another prompt, a shorter
        conversation) before the next attempt.
        """
        attempt = 1
        while True:
            asked = request()
            try:
                return await self._once(asked, quiet=quiet)
            except ModelError as error:
                recovery = await self._recovery(error, asked.model, attempt)
                if recovery is None:
                    raise
                self._listener.on_retry(str(error), recovery.wait_ms)
                await asyncio.sleep(recovery.wait_ms / 1000)
                await changed(recovery)
                attempt += 1

    async def _once(self, request: ModelRequest, *, quiet: bool) -> ModelAnswer:
        answer = ModelAnswer(model=request.model)
        self._unfinished = None if quiet else answer
        try:
            async for chunk in self._model.stream(request):
                answer.add(chunk)
                if not quiet:
                    self._show(chunk)
        except ModelError:
            raise
        except SnaphookError as error:
            raise failure(request.model, "auth", error.what, fix=error.fix) from error
        except Exception as error:
            what = f"the model layer raised {type(error).__name__}: {error}"
            raise failure(request.model, "unknown", what) from error
        self._unfinished = None
        return answer

    def _show(self, chunk: Chunk) -> None:
        match chunk:
            case TextDelta(text):
                self._listener.on_text(text)
            case ReasoningDelta(text) if text:
                self._listener.on_reasoning(text)
            case _:
                return

    async def _recovery(self, error: ModelError, model: str, attempt: int) -> Recovery | None:
        said = await self._places.error_occurred(
            error=str(error),
            error_type=error.error_type,
            error_class=error.error_class,
            current_model=model,
            attempt=attempt,
            retry_after_ms=error.retry_after_ms,
        )
        return recover(
            error,
            said,
            attempt=attempt,
            attempts=self._options.attempts,
            max_backoff_ms=self._options.max_backoff_ms,
        )
