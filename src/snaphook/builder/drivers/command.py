"""Any command line as the builder.

``command: mytool --session {session} --message-file {message_file}``

Started once per message; the session's id is ours and the same for all messages of a task. stdout is
the stream, exit 0 its normal end.
"""

import shlex
import tempfile
from pathlib import Path
from uuid import uuid4

from ..driver import OnText, Turn
from .stream import listen


class CommandDriver:
    """Runs *template* under ``sh -c`` with its places filled in."""

    def __init__(self, template: str) -> None:
        self.name = "command"
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

    async def send(self, message: str, on_text: OnText) -> Turn:
        """Run the command once for *message*."""
        said: list[str] = []

        def hear(line: str) -> None:
            said.append(line)
            on_text(line + "\n")

        with tempfile.TemporaryDirectory(prefix="snaphook-message-") as folder:
            file = Path(folder) / "message.txt"
            file.write_text(message, encoding="utf-8")
            places = {"session": self.id, "message_file": str(file), "message": message}
            line = self._template
            for name, value in places.items():
                line = line.replace("{" + name + "}", shlex.quote(value))
            argv = ("/bin/sh", "-c", line)
            await listen(argv, where="builder command", cwd=self._codebase, on_line=hear)
        return Turn(text="\n".join(said))

    async def close(self) -> None:
        """Nothing is kept open between messages."""
