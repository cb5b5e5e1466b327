"""Codex as the builder.

message  ->  codex exec [resume ID] --json -  ->  lines  ->  DriverTurn
"""

from pathlib import Path
from typing import Any

from snaphook.builder.driver import DriverTurn, OnText
from snaphook.errors import DriverError

from .stream import RESUMABLE, listen, parsed


class CodexDriver:
    """Starts ``codex exec`` once per message, resuming the thread it told us of."""

    def __init__(self, *, model: str = "", options: tuple[str, ...] = ()) -> None:
        self.name = "codex"
        self._words = (*(("-m", model) if model else ()), *(options or ("-s", "workspace-write")))

    def talk(self, codebase: Path, *, resume: str = "") -> "CodexTalk":
        """Return a conversation."""
        return CodexTalk(self._words, codebase, resume)


class CodexTalk:
    """One thread of Codex."""

    def __init__(self, words: tuple[str, ...], codebase: Path, thread: str) -> None:
        self._words = words
        self._codebase = codebase
        self.id = thread

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        """Tell Codex *message* in this thread."""
        texts: list[str] = []
        usage: dict[str, Any] = {}
        failed: list[str] = []

        def hear(line: str) -> None:
            said = parsed(line)
            match said.get("type"):
                case "thread.started":
                    self.id = said.get("thread_id", self.id)
                case "item.completed" if said.get("item", {}).get("type") == "agent_message":
                    texts.append(said["item"].get("text", ""))
                    on_text(texts[-1] + "\n")
                case "turn.completed":
                    usage.update(said.get("usage", {}))
                case "turn.failed":
                    problem = said.get("error", said)
                    failed.append(str(problem.get("message", problem)))

        resume = ("resume", self.id) if self.id else ()
        argv = ("codex", "exec", "--json", "--skip-git-repo-check", *self._words, *resume, "-")
        try:
            await listen(argv, where="codex", cwd=self._codebase, on_line=hear, stdin=message)
        except DriverError as error:
            raise _told(failed) if failed else error from None
        if failed:
            raise _told(failed)
        tokens = usage.get("input_tokens", 0) + usage.get("output_tokens", 0)
        return DriverTurn(text="\n".join(texts), tokens=tokens or None)

    async def close(self) -> None:
        """Nothing is kept open between messages."""


def _told(failed: list[str]) -> DriverError:
    return DriverError(where="codex", what=failed[-1].rstrip("."), fix=RESUMABLE)
