"""The transcript of Gemini CLI: a head, then messages, written again whenever they grow.

{"id": "…", "type": "gemini", "content": "…", "tokens": {…}, "toolCalls": [{…}]}

Older versions keep the whole session as one JSON document with ``messages``.
"""

import re
from collections.abc import Iterator
from typing import Any

from msgspec import Struct, field

from .entries import (
    AssistantText,
    ToolCalled,
    ToolReturned,
    TranscriptEntry,
    UsageReported,
    UserPrompt,
)
from .lines import Line, moment, text_of
from .usage import of_gemini

HOST = "gemini-cli"
_FOLDER = re.compile(r"Workspace Directories:\*\*\n\s+- (?P<folder>.+)")


def knows(line: Line) -> bool:
    """Say whether *line* is one of Gemini CLI's."""
    return "projectHash" in line or "$set" in line or line.get("type") == "gemini"


class Reader(Struct, tag=HOST, kw_only=True, omit_defaults=True):
    """Turns lines into entries; remembers what it told, since a message comes more than once."""

    session: str = ""
    cwd: str = ""
    told: set[str] = field(default_factory=set)

    def entries(self, line: Line) -> Iterator[TranscriptEntry]:
        """Yield what *line* tells that no line before it told."""
        for message in self._messages(line):
            yield from self._message(message)

    def used(self, line: Line) -> Iterator[UsageReported]:
        """Yield what *line* tells was used."""
        for message in self._messages(line):
            yield from self._used(message)

    def _messages(self, line: Line) -> Iterator[Line]:
        self.session = str(line.get("sessionId") or self.session)
        update = line.get("$set")
        messages = (update if isinstance(update, dict) else line).get("messages")
        for message in messages if isinstance(messages, list) else [line]:
            if isinstance(message, dict) and message.get("type") in ("user", "gemini"):
                yield message

    def _shared(self, message: Line) -> dict[str, Any]:
        return {
            "host": HOST,
            "session": self.session,
            "time": moment(message.get("timestamp")),
            "cwd": self.cwd,
        }

    def _message(self, message: Line) -> Iterator[TranscriptEntry]:
        shared = self._shared(message)
        key = str(message.get("id") or "")
        text = text_of(message.get("content"))
        if message["type"] == "user":
            if text.startswith("<session_context>"):
                found = _FOLDER.search(text)
                self.cwd = found["folder"].strip() if found else self.cwd
            elif text and not _is_result(message) and self._first(f"user {key}"):
                yield UserPrompt(text=text, **shared)
            return
        if text and self._first(f"said {key}"):
            yield AssistantText(text=text, **shared)
        yield from self._used(message)
        for call in message.get("toolCalls") or ():
            if isinstance(call, dict):
                yield from self._call(call, shared)

    def _used(self, message: Line) -> Iterator[UsageReported]:
        match message:
            case {"type": "gemini", "id": str(key), "tokens": dict(tokens)}:
                yield UsageReported(
                    id=key,
                    model=str(message.get("model") or ""),
                    usage=of_gemini(tokens),
                    **self._shared(message),
                )

    def _call(self, call: dict[str, Any], shared: dict[str, Any]) -> Iterator[TranscriptEntry]:
        key = str(call.get("id") or "")
        args = call.get("args")
        if self._first(f"called {key}"):
            yield ToolCalled(
                id=key,
                tool=str(call.get("name") or ""),
                args=args if isinstance(args, dict) else {},
                **shared,
            )
        if call.get("result") is not None and self._first(f"returned {key}"):
            text = text_of(call["result"])
            failed = call.get("status") == "error" or "\nExit Code: " in text
            yield ToolReturned(id=key, text=text, failed=failed, **shared)

    def _first(self, what: str) -> bool:
        if what in self.told:
            return False
        self.told.add(what)
        return True


def _is_result(message: Line) -> bool:
    """Say whether *message* carries what a tool gave back, which is told with its call."""
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    return any(isinstance(part, dict) and "functionResponse" in part for part in parts)
