"""Claude Code as the builder.

message  ->  claude -p --resume ID  ->  stream-json lines  ->  Turn
"""

import json
from pathlib import Path
from typing import Any

from snaphook.errors import DriverError

from ..driver import OnText, Turn
from .stream import listen

WHERE = "claude"


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

    async def send(self, message: str, on_text: OnText) -> Turn:
        """Tell Claude Code *message* in this session."""
        ended: dict[str, Any] = {}

        def hear(line: str) -> None:
            said = _parsed(line)
            self.id = said.get("session_id") or self.id
            if said.get("type") == "assistant":
                for block in said.get("message", {}).get("content", ()):
                    if block.get("type") == "text":
                        on_text(block["text"] + "\n")
            elif said.get("type") == "result":
                ended.update(said)

        resume = ("--resume", self.id) if self.id else ()
        argv = (
            *("claude", "-p", "--output-format", "stream-json", "--verbose"),
            *("--permission-mode", "acceptEdits", "--allowedTools", "Bash,Edit,Write,Read,Glob,Grep"),
            *(*resume, *self._words, "--", message),
        )
        await listen(argv, where=WHERE, cwd=self._codebase, on_line=hear)
        if ended.get("is_error") or not ended:
            what = ended.get("result") or "ended without a result"
            raise DriverError(
                where=WHERE, what=str(what), fix="Run the same command again; it goes on where it was."
            )
        cost = ended.get("total_cost_usd")
        usage = ended.get("usage", {})
        return Turn(
            text=str(ended.get("result", "")),
            cost_micros=round(cost * 1_000_000) if cost is not None else None,
            tokens=usage.get("input_tokens", 0) + usage.get("output_tokens", 0),
        )

    async def close(self) -> None:
        """Nothing is kept open between messages."""


def _parsed(line: str) -> dict[str, Any]:
    try:
        said = json.loads(line)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
