"""Gemini CLI as the builder.

message  ->  gemini --output-format stream-json [--resume ID]  ->  lines  ->  DriverTurn
"""

from pathlib import Path
from typing import Any

from snaphook.builder.driver import DriverTurn, OnText
from snaphook.errors import DriverError

from .stream import RESUMABLE, listen, parsed


class GeminiDriver:
    """Starts ``gemini`` once per message, resuming the session it told us of."""

    def __init__(self, *, model: str = "", options: tuple[str, ...] = ()) -> None:
        self.name = "gemini"
        self._words = (*(("-m", model) if model else ()), *options)

    def talk(self, codebase: Path, *, resume: str = "") -> "GeminiTalk":
        """Return a conversation."""
        return GeminiTalk(self._words, codebase, resume)


class GeminiTalk:
    """One session of Gemini CLI."""

    def __init__(self, words: tuple[str, ...], codebase: Path, session: str) -> None:
        self._words = words
        self._codebase = codebase
        self.id = session

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        """Tell Gemini *message* in this session."""
        texts: list[str] = []
        ended: dict[str, Any] = {}

        def hear(line: str) -> None:
            said = parsed(line)
            match said.get("type"):
                case "init":
                    self.id = said.get("session_id", self.id)
                case "message" if said.get("role") == "assistant":
                    texts.append(str(said.get("content", "")))
                    on_text(texts[-1])
                case "result":
                    ended.update(said)

        argv = (
            *("gemini", "--approval-mode", "yolo", "--output-format", "stream-json"),
            *(("--resume", self.id) if self.id else ()),
            *self._words,
        )
        await listen(argv, where="gemini", cwd=self._codebase, on_line=hear, stdin=message)
        if ended.get("status") != "success":
            problem = ended.get("error", {})
            what = problem.get("message") or "ended without a result"
            raise DriverError(where="gemini", what=str(what).rstrip("."), fix=RESUMABLE)
        return DriverTurn(text="".join(texts), tokens=ended.get("stats", {}).get("total_tokens"))

    async def close(self) -> None:
        """Nothing is kept open between messages."""
