"""A conversation on disk: one JSON line for every message, written the moment it is said.

Message  ->  line        file  ->  SessionContents

The file is only ever appended to. A message written again replaces the one with its id; what was
shortened, cleared or erased is marked, not rewritten. After a crash the torn last line is cut off,
and tool calls that never came back are closed as interrupted.
"""

import hashlib
import os
import threading
import time
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from snaphook.errors import StoreError, UsageError
from snaphook.storage.appending import AppendOnly

from .blocks import Message, Stage, ToolBlock, unfinished, with_tool
from .model import Usage

INTERRUPTED = "Interrupted before it finished; whether it had any effect is not known."


class SessionStarted(Struct, frozen=True, kw_only=True, tag="began", omit_defaults=True):
    """The first line: whose session this is."""

    session_id: str
    cwd: str
    model: str = ""
    parent_session_id: str | None = None
    agent_name: str = "main"
    timestamp: float = 0.0
    version: int = 1


class SessionMessage(Struct, frozen=True, kw_only=True, tag="message"):
    """A message, new or in a newer version."""

    message: Message


class ToolEnded(Struct, frozen=True, kw_only=True, tag="tool"):
    """A tool call of an earlier message came to its end."""

    message_id: str
    block: ToolBlock


class MessagesErased(Struct, frozen=True, kw_only=True, tag="erased"):
    """A message taken back."""

    id: str


class SessionReset(Struct, frozen=True, kw_only=True, tag="reset"):
    """Everything so far is replaced: the conversation was shortened or cleared."""

    why: str
    messages: tuple[Message, ...] = ()


class SessionCost(Struct, frozen=True, kw_only=True, tag="spent"):
    """What one answer cost."""

    model: str
    usage: Usage
    micro_dollars: int


class SessionState(Struct, frozen=True, kw_only=True, tag="state"):
    """What a hook asked to keep beside the conversation."""

    values: dict[str, Any]


Record: TypeAlias = (
    SessionStarted
    | SessionMessage
    | ToolEnded
    | MessagesErased
    | SessionReset
    | SessionCost
    | SessionState
)

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Record).decode


class SessionContents(Struct, kw_only=True):
    """What a session file comes down to."""

    began: SessionStarted
    messages: list[Message] = field(default_factory=list)
    usage: Usage = Usage()
    micro_dollars: int = 0
    state: dict[str, Any] = field(default_factory=dict)


class Session:
    """An open session file; one process at a time."""

    def __init__(self, path: Path, *, durable: bool = True) -> None:
        self.path = path
        self._durable = durable
        self._unsynced = False
        self._syncing = threading.Lock()
        try:
            self._file = AppendOnly(path, alone=True)
        except BlockingIOError:
            raise StoreError(
                where=str(path),
                what="another process is using this session",
                fix="End it there, or start a new session.",
            ) from None

    def append(self, record: Record) -> None:
        """Write *record*; when this returns, our own end cannot take it away."""
        line = _encode(record) + b"\n"
        try:
            self._file.append(line)
        except OSError as error:
            raise self._unwritable(error) from error
        self._unsynced = self._durable

    def sync(self) -> None:
        """Put everything on the disk itself; when this returns, neither can a power cut."""
        with self._syncing:
            if not self._unsynced:
                return
            self._unsynced = False
            try:
                self._file.sync()
            except OSError as error:
                raise self._unwritable(error) from error

    def load(self) -> SessionContents:
        """Return what the file holds, mended; the mending is written down too."""
        kept = _replay(self.path, self._file.whole_lines())
        for index, message in enumerate(kept.messages):
            if unfinished(message):
                kept.messages[index] = interrupted(message)
                self.append(SessionMessage(message=kept.messages[index]))
        return kept

    def close(self) -> None:
        """Let others have the file."""
        self.sync()
        with self._syncing:  # a thread may still be at it, and would keep the file ours
            self._file.close()

    def _unwritable(self, error: OSError) -> StoreError:
        return StoreError(
            where=str(self.path),
            what=f"cannot be written ({error.strerror})",
            fix="Free some space or choose another place, then resume the session.",
        )


def interrupted(message: Message, why: str = INTERRUPTED) -> Message:
    """Return *message* with its unfinished tool calls closed."""
    blocks = tuple(
        replace(block, stage=Stage.END, success=False, error="interrupted", result=why)
        if isinstance(block, ToolBlock) and block.stage is not Stage.END
        else block
        for block in message.blocks
    )
    return replace(message, blocks=blocks)


def _replay(path: Path, lines: list[bytes]) -> SessionContents:
    kept: SessionContents | None = None
    order: dict[str, Message] = {}
    for number, line in enumerate(lines, start=1):
        match _read(path, number, line):
            case SessionMessage(message=message):
                order[message.id] = message
            case SessionStarted() as began:
                kept = kept or SessionContents(began=began)
            case ToolEnded(message_id=spoken, block=block) if spoken in order:
                order[spoken] = with_tool(order[spoken], block)
            case MessagesErased(id=erased):
                order.pop(erased, None)
            case SessionReset(messages=messages):
                order = {message.id: message for message in messages}
            case SessionCost(usage=usage, micro_dollars=cost) if kept:
                kept.usage += usage
                kept.micro_dollars += cost
            case SessionState(values=values) if kept:
                kept.state |= values
            case _:
                continue
    if kept is None:
        raise StoreError(
            where=str(path), what="contains no session", fix="Start a new one: snaphook agent."
        )
    kept.messages = list(order.values())
    return kept


def _read(path: Path, number: int, line: bytes) -> Record:
    try:
        record: Record = _decode(line)
    except msgspec.DecodeError as error:
        raise StoreError(
            where=f"{path}:{number}",
            what=f"this line is not a valid session record ({error})",
            fix="Remove the line, then resume again.",
        ) from None
    return record


class SessionSummary(Struct, frozen=True, kw_only=True):
    """A session as a list shows it."""

    session_id: str
    changed: float
    first_words: str


class SessionFolder:
    """The sessions of one project, in a folder of their own under *home*."""

    def __init__(self, home: Path, cwd: str, *, durable: bool = True) -> None:
        digest = hashlib.sha256(cwd.encode()).hexdigest()[:12]
        self.folder = home / f"{Path(cwd).name or 'root'}-{digest}"
        self._durable = durable

    def create(self, began: SessionStarted) -> Session:
        """Return a new session file that *began* opens."""
        self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        session = Session(self.path(began.session_id), durable=self._durable)
        session.append(began)
        return session

    def resume(self, session_id: str) -> Session:
        """Return the file of *session_id*."""
        path = self.path(session_id)
        if not path.is_file():
            raise UsageError(
                where=f"session '{session_id}'",
                what=f"there is none in {self.folder}",
                fix="'snaphook agent --continue' takes the latest of this project.",
            )
        return Session(path, durable=self._durable)

    def latest(self) -> str:
        """Return the id of the session last written to, subagents' aside."""
        paths = self._mains()
        if not paths:
            raise UsageError(
                where="--continue", what="this project has no session yet", fix="Leave it out."
            )
        return paths[0].stem

    def summaries(self) -> list[SessionSummary]:
        """Return every session, the latest first, subagents' aside."""
        return [
            SessionSummary(
                session_id=path.stem,
                changed=path.stat().st_mtime,
                first_words=_first_words(path),
            )
            for path in self._mains()
        ]

    def path(self, session_id: str) -> Path:
        """Return where the session *session_id* is kept."""
        return self.folder / f"{Path(session_id).name}.jsonl"

    def _mains(self) -> list[Path]:
        paths = [path for path in self.folder.glob("*.jsonl") if _is_main(path)]
        return sorted(paths, key=lambda path: path.stat().st_mtime_ns, reverse=True)


def _is_main(path: Path) -> bool:
    with path.open("rb") as file:
        first = file.readline()
    return first.endswith(b"\n") and b'"parent_session_id"' not in first


def _first_words(path: Path) -> str:
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            record = _read(path, number, line) if line.endswith(b"\n") else None
            if (
                isinstance(record, SessionMessage)
                and not record.message.meta
                and record.message.text
            ):
                return record.message.text
    return ""


def default_home() -> Path:
    """Return where sessions are kept when nobody says otherwise."""
    from platformdirs import user_data_path

    return user_data_path("snaphook") / "sessions"


def new_session_id(prefix: str = "s") -> str:
    """Return an id that sorts by time."""
    return f"{prefix}-{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{os.urandom(4).hex()}"
