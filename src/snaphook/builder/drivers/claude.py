"""Claude Code as the builder.

message  ->  claude -p [--resume ID]  ->  stream-json lines  ->  DriverTurn
"""

from pathlib import Path
from typing import Any

from snaphook.builder.driver import DriverTurn, OnText
from snaphook.errors import DriverError

from .stream import RESUMABLE, listen, parsed

TOOLS = "Bash,Edit,Write,Read,Glob,Grep"
"""What a builder needs and nobody is there to be asked for."""


class ClaudeDriver:
    """Starts ``claude -p`` once per message, resuming the session it told us of."""

    def __init__(self, *, model: str = "", options: tuple[str, ...] = ()) -> None:
        self.name = "claude"
        self._words = (*(("--model", model) if model else ()), *options)

    def talk(self, codebase: Path, *, resume: str = "") -> "ClaudeTalk":
        """Return a conversation."""
        return ClaudeTalk(self._words, codebase, resume)


class ClaudeTalk:
    """One session of Claude Code."""

    def __init__(self, words: tuple[str, ...], codebase: Path, session: str) -> None:
        self._words = words
        self._codebase = codebase
        self.id = session

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        """Tell Claude Code *message* in this session."""
        ended: dict[str, Any] = {}

        def hear(line: str) -> None:
            said = parsed(line)
            self.id = said.get("session_id") or self.id
            if said.get("type") == "assistant":
                for block in said.get("message", {}).get("content", ()):
                    if block.get("type") == "text":
                        on_text(block["text"] + "\n")
            elif said.get("type") == "result":
                ended.update(said)

        argv = (
            *("claude", "-p", "--output-format", "stream-json", "--verbose"),
            *("--permission-mode", "acceptEdits", "--allowedTools", TOOLS),
            *(("--resume", self.id) if self.id else ()),
            *self._words,
        )
        try:
            await listen(argv, where="claude", cwd=self._codebase, on_line=hear, stdin=message)
        except DriverError as error:
            raise _told(ended) if ended.get("is_error") else error from None
        if ended.get("is_error") or not ended:
            raise _told(ended)
        return _turn(ended)

    async def close(self) -> None:
        """Nothing is kept open between messages."""


def _told(ended: dict[str, Any]) -> DriverError:
    what = ended.get("result") or ended.get("subtype") or "ended without a result"
    return DriverError(where="claude", what=str(what).rstrip("."), fix=RESUMABLE)


def _turn(ended: dict[str, Any]) -> DriverTurn:
    cost, usage = ended.get("total_cost_usd"), ended.get("usage", {})
    return DriverTurn(
        text=str(ended.get("result", "")),
        cost_micros=round(cost * 1_000_000) if cost is not None else None,
        tokens=usage.get("input_tokens", 0) + usage.get("output_tokens", 0),
    )
