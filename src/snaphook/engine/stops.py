"""Keep a hook that never lets the agent stop from keeping it for ever.

Event, Output  ->  Output

A host that restarts the agent after a block tells us nothing of how often; so we count, per session
and agent. The count starts over when a person speaks or a stop goes through.
"""

from collections import OrderedDict
from typing import Any

import msgspec

from snaphook.canon import (
    Event,
    Message,
    Output,
    Stop,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
    verdict,
)

STOPS = (Stop, SubagentStop)
REMEMBERED = 4096
"""Sessions counted at once; beyond that the one not heard of for longest is forgotten."""


class StopCap:
    """Counts blocks in a row and lets go at *limit*, telling the person."""

    def __init__(self, limit: int = 5) -> None:
        self.limit = limit
        self._blocks: OrderedDict[tuple[Any, ...], int] = OrderedDict()

    def before(self, event: Event) -> Event:
        """Return *event* with ``stop_hook_active`` set if a block of ours preceded it."""
        if not self._blocks:
            return event
        if isinstance(event, UserPromptSubmit):
            self._blocks.pop(_key(event), None)
        elif (
            isinstance(event, STOPS)
            and not event.stop_hook_active
            and self._blocks.get(_key(event))
        ):
            return msgspec.structs.replace(event, stop_hook_active=True)
        return event

    def after(self, event: Event, output: Output | None) -> Output | None:
        """Return *output*, or, past the limit, the same without its block and with a note."""
        if not isinstance(event, STOPS):
            return output
        key = _key(event)
        if output is None or verdict(output) is not Verdict.BLOCK:
            self._blocks.pop(key, None)
            return output
        blocks = self._blocks.pop(key, 0) + 1
        if blocks <= self.limit:
            self._blocks[key] = blocks
            if len(self._blocks) > REMEMBERED:
                self._blocks.popitem(last=False)
            return output
        return self._let_go(output)

    def _let_go(self, output: Output) -> Output:
        note = (
            f"{output.by or 'A hook'}: blocked the stop {self.limit} times in a row; the agent "
            f"may stop now. The last reason was: {getattr(output, 'reason', None) or 'none'}"
        )
        return msgspec.structs.replace(
            output,
            decision=None,
            reason=None,
            messages=(*output.messages, Message(note)),
        )


def _key(event: Event) -> tuple[Any, ...]:
    """Return whose stops are counted together: an agent's, or a subagent's by its own id."""
    context = event.context
    return context.session_id, getattr(event, "agent_id", None) or context.agent_id
