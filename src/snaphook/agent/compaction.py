"""Shorten a conversation to what matters of it.

Messages  ->  PreCompact  ->  summary by the model  ->  one CompactBlock  ->  PostCompact

What hooks ask to keep is kept word for word beside the summary; what they export is stored with the
session. If no summary can be had, the conversation stays as it is.
"""

from collections.abc import Sequence
from typing import Any, Protocol

from msgspec import Struct

from snaphook.canon import Verdict, contexts

from .blocks import CompactBlock, Message, Role, TextBlock, ToolBlock
from .conversation import Conversation
from .hook_points import HookPoints
from .model import ApiMessage, ModelError, ModelRequest, TextPart, Usage
from .model_calls import ModelCalls
from .recovery import Recovery
from .session import SessionState

STRATEGY = "summary"
CHARACTERS_PER_TOKEN = 4
BLOCK_LIMIT = 2000

INSTRUCTIONS = """\
Summarise the conversation below so that the work can go on from the summary alone: what the person
wants, what was decided and why, what was done (files, commands, results), what is open, and the
next step. Be exact about names and paths. Leave out greetings and what no longer matters."""


class CompactionResult(Struct, frozen=True, kw_only=True):
    """What came of it."""

    done: bool
    why: str = ""


def tokens_of(messages: Sequence[Message]) -> int:
    """Return how much of the context *messages* fill: as last measured, the rest estimated."""
    measured = 0
    fresh: list[Message] = []
    for message in reversed(messages):
        if message.usage is not None:
            measured = message.usage.total
            break
        fresh.append(message)
    characters = sum(len(line) for message in fresh for line in _rendered(message))
    return measured + characters // CHARACTERS_PER_TOKEN


class SummaryPayer(Protocol):
    """Who asks for a summary, and pays for it."""

    model_name: str
    state: dict[str, Any]

    async def spent(self, model: str, usage: Usage) -> None:
        """Enter an answer's price."""
        ...


class Compaction:
    """Shortens one session's conversation."""

    def __init__(
        self,
        asking: ModelCalls,
        places: HookPoints,
        conversation: Conversation,
        *,
        context_tokens: int,
        worker: SummaryPayer,
    ) -> None:
        self._asking = asking
        self._places = places
        self._conversation = conversation
        self._context_tokens = context_tokens
        self._worker = worker

    async def run(self, trigger: str, instructions: str | None = None) -> CompactionResult:
        """Shorten the conversation; the reason says why it was not, where it was not."""
        messages = self._conversation.messages
        before = tokens_of(messages)
        said = await self._places.pre_compact(
            trigger=trigger,
            current_token_count=before,
            max_tokens=self._context_tokens,
            compaction_strategy=STRATEGY,
            custom_instructions=instructions,
        )
        if said is not None and said.decision is Verdict.BLOCK:
            return CompactionResult(done=False, why=said.reason or "a hook said no")
        if said is not None and said.export_state:
            self._worker.state |= said.export_state
            self._conversation.record(SessionState(values=said.export_state))
        try:
            summary = await self._summary(messages, [*contexts(said), instructions or ""])
        except ModelError as error:
            return CompactionResult(done=False, why=str(error))
        kept = said.preserve_context if said is not None else ()
        block = CompactBlock(content=summary, preserved=(*kept, *_last_request(messages)))
        self._conversation.reset("compact", block)
        await self._places.host_event(
            "PostCompact",
            trigger=trigger,
            compact_summary=summary,
            tokens_before=before,
            tokens_after=tokens_of(self._conversation.messages),
        )
        return CompactionResult(done=True)

    async def _summary(self, messages: Sequence[Message], wishes: Sequence[str]) -> str:
        told = "\n\n".join([INSTRUCTIONS, *(wish for wish in wishes if wish.strip())])
        room = self._context_tokens * CHARACTERS_PER_TOKEN // 2
        story = _fitted([line for message in messages for line in _rendered(message)], room)

        def request() -> ModelRequest:
            said = ApiMessage(
                "user", (TextPart(f"{told}\n\n<conversation>\n{story}\n</conversation>"),)
            )
            return ModelRequest(model=self._worker.model_name, messages=(said,))

        async def changed(recovery: Recovery) -> None:
            nonlocal story
            if recovery.compact:
                story = _fitted(story.splitlines(), len(story) // 2)

        answer = await self._asking.ask(request, changed=changed, quiet=True)
        await self._worker.spent(answer.model, answer.usage)
        return answer.text.strip()


def _last_request(messages: Sequence[Message]) -> tuple[str, ...]:
    """Return the person's last words, so that a turn shortened half-way still knows its task."""
    for message in reversed(messages):
        if message.role is Role.USER and not message.meta and message.text.strip():
            return (f"The person's last request, word for word:\n{message.text}",)
    return ()


def _rendered(message: Message) -> list[str]:
    lines: list[str] = []
    for block in message.blocks:
        match block:
            case TextBlock(content=text):
                lines.append(f"{message.role}: {text}")
            case CompactBlock(content=text, preserved=kept):
                lines += [f"earlier: {text}", *kept]
            case ToolBlock(name=name, parameters=given, result=result):
                lines.append(f"tool {name} {str(given)[:BLOCK_LIMIT]} -> {result[:BLOCK_LIMIT]}")
            case _:
                continue
    return lines


def _fitted(lines: Sequence[str], room: int) -> str:
    """Return *lines* in at most *room* characters: the first one, and as many last ones as fit."""
    kept: list[str] = []
    left = room - len(lines[0][:BLOCK_LIMIT]) if lines else room
    for line in reversed(lines[1:]):
        left -= len(line)
        if left < 0:
            kept.append("[…]")
            break
        kept.append(line)
    return "\n".join([*(line[:BLOCK_LIMIT] for line in lines[:1]), *reversed(kept)])
