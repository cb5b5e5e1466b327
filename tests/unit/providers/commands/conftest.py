"""Hooks and events in a line each."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from snaphook.canon import AnyEvent, HookContext, Output, PreToolUse
from snaphook.config import CommandHook, Dialect, Layer, Origin
from snaphook.engine import Engine
from snaphook.providers.commands import CommandHooks, HookResult


def hook(event: str, command: str, dialect: Dialect = Dialect.WAVE, **fields: Any) -> CommandHook:
    origin = fields.pop("origin", Origin(layer=Layer.CODE))
    return CommandHook(event=event, command=command, dialect=dialect, origin=origin, **fields)


class Session:
    """A project's folder, its hooks, and everything that came of them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.context = HookContext(
            session_id="session-1", team_root=str(folder), cwd=str(folder), timestamp=0.0
        )
        self.results: list[HookResult] = []

    def script(self, name: str, text: str, mode: int = 0o755) -> Path:
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def call(self, command: str = "ls", tool: str = "Bash") -> PreToolUse:
        return PreToolUse(context=self.context, tool_name=tool, tool_args={"command": command})

    async def fire(self, event: AnyEvent, *hooks: CommandHook, **options: Any) -> Output | None:
        provider = CommandHooks(hooks, on_result=self.results.append, **options)
        return await Engine([provider]).dispatch(event)


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


@pytest.fixture
def make() -> Callable[..., CommandHook]:
    return hook
