"""The messages of a session, kept as they change.

Every change goes through here, so that what the agent knows, what is on disk and what the listener
saw are always the same.
"""

import asyncio
import itertools
import time
from collections.abc import Iterable

from msgspec.structs import replace

from .blocks import (
    Block,
    ErrorBlock,
    Message,
    Role,
    Stage,
    TextBlock,
    ToolBlock,
    unfinished,
    with_tool,
)
from .bounds import bounded
from .listener import Listener
from .session import (
    MessagesErased,
    Record,
    Session,
    SessionMessage,
    SessionReset,
    ToolEnded,
    interrupted,
)

CLOSED = "Interrupted by the person before it finished."


class Conversation:
    """What was said, in order."""

    def __init__(self, session: Session | None, listener: Listener) -> None:
        self._session = session
        self._listener = listener
        self._messages: dict[str, Message] = {}
        self._ids = itertools.count(1)

    @property
    def messages(self) -> list[Message]:
        """Return every message, oldest first."""
        return list(self._messages.values())

    @property
    def last(self) -> Message | None:
        """Return the latest message."""
        return next(reversed(self._messages.values()), None)

    def __getitem__(self, message_id: str) -> Message:
        return self._messages[message_id]

    def restore(self, messages: Iterable[Message]) -> None:
        """Take up *messages* that are on disk already."""
        self._messages = {message.id: message for message in messages}
        self._ids = itertools.count(len(self._messages) + 1)

    def add(self, role: Role, *blocks: Block, kept: bool = True, meta: bool = False) -> Message:
        """Return a new message at the end; with ``kept=False`` it is not on disk yet."""
        message = self._new(role, blocks, meta=meta)
        self.put(message, kept=kept)
        return message

    def put(self, message: Message, *, kept: bool = True) -> None:
        """Put *message* in the place of the one with its id, or at the end."""
        self._messages[message.id] = message
        if kept:
            self.record(SessionMessage(message=message))
            self._listener.on_message(message)

    def put_tool(self, message_id: str, block: ToolBlock) -> None:
        """Put *block* in the place of the call with its id; on disk once it has a result."""
        self._messages[message_id] = with_tool(self._messages[message_id], block)
        if block.stage is Stage.END:
            self.record(ToolEnded(message_id=message_id, block=block))
        self._listener.on_tool(block)

    def announce(self, message_id: str) -> None:
        """Show the listener a message whose tool calls have all ended."""
        self._listener.on_message(self._messages[message_id])

    def erase(self, message: Message, *, kept: bool = True) -> None:
        """Take *message* back."""
        self._messages.pop(message.id, None)
        if kept:
            self.record(MessagesErased(id=message.id))
        self._listener.on_erased(message.id)

    def reset(self, why: str, *blocks: Block) -> None:
        """Replace everything by one message of *blocks*, or by nothing."""
        self._messages.clear()
        if blocks:
            message = self._new(Role.USER, blocks, meta=True)
            self._messages[message.id] = message
        self.record(SessionReset(why=why, messages=tuple(self._messages.values())))

    def tell_agent(self, text: str) -> None:
        """Say *text* to the model, as a user message that a hook sent."""
        if text.strip():
            self.add(Role.USER, TextBlock(content=bounded(text), source="hook"), meta=True)

    def tell_user(self, text: str) -> None:
        """Say *text* to the person alone."""
        text = bounded(text)
        block = ErrorBlock(content=text)
        last = self.last
        if last is not None and last.role is Role.ASSISTANT:
            self.put(replace(last, blocks=(*last.blocks, block)))
        else:
            self.add(Role.ASSISTANT, block)
        self._listener.on_error(text)

    def close_unfinished(self) -> list[ToolBlock]:
        """Close tool calls that will not come back, and return them."""
        closed: list[ToolBlock] = []
        for message in self.messages:
            if unfinished(message):
                open_calls = {block.id for block in message.tools if block.stage is not Stage.END}
                ended = interrupted(message, CLOSED)
                closed += [block for block in ended.tools if block.id in open_calls]
                self.put(ended)
        return closed

    async def settle(self) -> None:
        """Wait until everything said so far is on the disk itself; others go on meanwhile."""
        if self._session is not None:
            await asyncio.to_thread(self._session.sync)

    def record(self, record: Record) -> None:
        """Write *record* down, where there is a file to write to."""
        if self._session is not None:
            self._session.append(record)

    def _new(self, role: Role, blocks: tuple[Block, ...], *, meta: bool) -> Message:
        return Message(
            id=self._fresh_id(), role=role, blocks=blocks, timestamp=time.time(), meta=meta
        )

    def _fresh_id(self) -> str:
        while (fresh := f"m{next(self._ids)}") in self._messages:
            pass
        return fresh
