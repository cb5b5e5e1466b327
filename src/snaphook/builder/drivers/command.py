"""Any command line as the builder.

``command: mytool --session {session} --message-file {message_file}``

Started once per message; the session's id is ours and the same for all messages of a task. stdout is
the stream, exit 0 its normal end.
"""

import shlex
import tempfile
from pathlib import Path
from uuid import uuid4

from snaphook.builder.driver import DriverTurn, OnText
from snaphook.errors import UsageError
from snaphook.storage.files import write_scratch

from .stream import listen

KEPT = 4000
"""Lines of what it says that are remembered as its answer."""


class CommandDriver:
    """Runs *template* under ``sh -c`` with its places filled in, quoted."""

    def __init__(self, template: str) -> None:
        if "{message_file}" not in template:
            raise UsageError(
                where=f"builder 'command: {template}'",
                what="has no place for the message",
                fix="Write {message_file} where its path should stand, {session} for the session.",
            )
        self.name = f"command: {template}"
        self._template = template

    def talk(self, codebase: Path, *, resume: str = "") -> "CommandTalk":
        """Return a conversation with an id of ours."""
        return CommandTalk(self._template, codebase, resume or uuid4().hex)


class CommandTalk:
    """One id, many runs of the command."""

    def __init__(self, template: str, codebase: Path, session: str) -> None:
        self._template = template
        self._codebase = codebase
        self.id = session

    async def send(self, message: str, on_text: OnText) -> DriverTurn:
        """Run the command once for *message*."""
        said: list[str] = []

        def hear(line: str) -> None:
            said.append(line)
            del said[:-KEPT]
            on_text(line + "\n")

        with tempfile.TemporaryDirectory(prefix="snaphook-message-") as folder:
            file = Path(folder) / "message.txt"
            write_scratch(file, message.encode())
            line = self._template.replace("{session}", shlex.quote(self.id))
            line = line.replace("{message_file}", shlex.quote(str(file)))
            argv = ("/bin/sh", "-c", line)
            await listen(argv, where="builder command", cwd=self._codebase, on_line=hear)
        return DriverTurn(text="\n".join(said))

    async def close(self) -> None:
        """Nothing is kept open between messages."""
