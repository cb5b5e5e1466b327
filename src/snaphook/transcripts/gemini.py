"""The transcript of Gemini CLI: a head, then messages, written again whenever they grow.

{"id": "…", "type": "gemini", "content": "…", "tokens": {…}, "toolCalls": [{…}]}

Older versions keep the whole session as one JSON document with ``messages``.
"""

import re
from collections.abc import Iterator
from typing import Any

from .entries import Called, Entry, Prompted, Returned, Said, Used
from .lines import Line, moment, number, text_of

HOST = "gemini-cli"
_FOLDER = re.compile(r"Workspace Directories:\*\*\n\s+- (?P<folder>.+)")


def knows(line: Line) -> bool:
    """Say whether *line* is one of Gemini CLI's."""
    return "projectHash" in line or "$set" in line


class Reader:
    """Turns lines into entries; remembers what it told, since a message comes more than once."""

    def __init__(self) -> None:
        self._session = ""
        self._cwd = ""
        self._told: set[str] = set()

    def entries(self, line: Line) -> Iterator[Entry]:
        """Yield what *line* tells that no line before it told."""
        self._session = str(line.get("sessionId") or self._session)
        update = line.get("$set")
        messages = (update if isinstance(update, dict) else line).get("messages")
        for message in messages if isinstance(messages, list) else [line]:
            if isinstance(message, dict) and message.get("type") in ("user", "gemini"):
                yield from self._message(message)

    def _message(self, message: dict[str, Any]) -> Iterator[Entry]:
        shared: dict[str, Any] = {
            "host": HOST,
            "session": self._session,
            "time": moment(message.get("timestamp")),
            "cwd": self._cwd,
        }
        key = str(message.get("id") or "")
        text = text_of(message.get("content"))
        if message["type"] == "user":
            if text.startswith("<session_context>"):
                found = _FOLDER.search(text)
                self._cwd = found["folder"].strip() if found else self._cwd
            elif text and not _is_result(message) and self._first(f"user {key}"):
                yield Prompted(text=text, **shared)
            return
        if text and self._first(f"said {key}"):
            yield Said(text=text, **shared)
        tokens = message.get("tokens")
        if isinstance(tokens, dict) and self._first(f"used {key}"):
            cached = number(tokens.get("cached"))
            yield Used(
                id=f"{self._session}:{key}",
                model=str(message.get("model") or ""),
                input_tokens=max(0, number(tokens.get("input")) - cached),
                output_tokens=number(tokens.get("output")) + number(tokens.get("thoughts")),
                cache_read_tokens=cached,
                **shared,
            )
        for call in message.get("toolCalls") or ():
            if isinstance(call, dict):
                yield from self._call(call, shared)

    def _call(self, call: dict[str, Any], shared: dict[str, Any]) -> Iterator[Entry]:
        key = str(call.get("id") or "")
        args = call.get("args")
        if self._first(f"called {key}"):
            yield Called(
                id=key,
                tool=str(call.get("name") or ""),
                args=args if isinstance(args, dict) else {},
                **shared,
            )
        if call.get("result") is not None and self._first(f"returned {key}"):
            text = text_of(call["result"])
            failed = call.get("status") == "error" or "\nExit Code: " in text
            yield Returned(id=key, text=text, failed=failed, **shared)

    def _first(self, what: str) -> bool:
        if what in self._told:
            return False
        self._told.add(what)
        return True


def _is_result(message: dict[str, Any]) -> bool:
    """Say whether *message* carries what a tool gave back, which is told with its call."""
    content = message.get("content")
    parts = content if isinstance(content, list) else ()
    return any(isinstance(part, dict) and "functionResponse" in part for part in parts)
