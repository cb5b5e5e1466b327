"""What is remembered of a session from one hook to the next.

a note  ->  one more line of a file        the file  ->  SessionFacts

A hook may be a process of its own, so nothing is kept in memory. A line is written with one call,
so hooks that run side by side do not disturb each other; one cut short is left out.
"""

import hashlib
from pathlib import Path
from typing import TypeAlias

import msgspec
from msgspec import Struct

from snaphook.storage.files import append_line

from .detect import Identity

FOLDER = "sessions"
KEPT_SECONDS = 30 * 86_400.0
"""How long the notes of a session are kept that nobody has added to."""


class SessionFact(Struct, frozen=True, kw_only=True, omit_defaults=True, tag_field="k"):
    """Something that a later hook will want to know."""

    at: float


class SessionBegan(SessionFact, frozen=True, kw_only=True, tag="began"):
    """The session began, or began again."""

    identity: Identity


class Holds(SessionFact, frozen=True, kw_only=True, tag="holds"):
    """It holds a task."""

    task: str


class PromptGiven(SessionFact, frozen=True, kw_only=True, tag="prompted"):
    """A person, or a schedule, gave it something to do."""


class Wrote(SessionFact, frozen=True, kw_only=True, tag="wrote"):
    """A tool changed a file."""

    path: str


class ToolRan(SessionFact, frozen=True, kw_only=True, tag="ran"):
    """A tool ran; *skill* where it was one."""

    tool: str
    skill: str = ""


class Failed(SessionFact, frozen=True, kw_only=True, tag="failed"):
    """A tool failed."""

    tool: str
    error: str


class Bypassed(SessionFact, frozen=True, kw_only=True, tag="bypassed"):
    """A person set a check aside, or left in spite of one."""

    phrase: str
    prompt: str = ""


class Child(SessionFact, frozen=True, kw_only=True, tag="child"):
    """A subagent was started."""

    id: str
    type: str
    run_id: str = ""
    run_dir: str = ""
    task: str = ""
    depth: int = 1
    parent: str = ""


class ChildEnded(SessionFact, frozen=True, kw_only=True, tag="ended"):
    """A subagent's result was taken, or sent back."""

    id: str
    type: str
    accepted: bool
    summary: str = ""


class ChildReported(SessionFact, frozen=True, kw_only=True, tag="told"):
    """The parent has heard of the subagents that ended so far."""

    count: int


class ContextCompacted(SessionFact, frozen=True, kw_only=True, tag="compacted"):
    """The conversation was about to be shortened."""

    trigger: str


AnyNote: TypeAlias = (
    SessionBegan
    | Holds
    | PromptGiven
    | Wrote
    | ToolRan
    | Failed
    | Bypassed
    | Child
    | ChildEnded
    | ChildReported
    | ContextCompacted
)
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(AnyNote).decode


class SessionFacts(Struct, kw_only=True):
    """Everything noted of one session, added up."""

    identity: Identity | None = None
    task: str = ""
    """The task it holds, or held last."""
    began: float = 0.0
    prompted: float = 0.0
    files: tuple[str, ...] = ()
    tools: int = 0
    skills: tuple[str, ...] = ()
    failures: tuple[Failed, ...] = ()
    bypasses: tuple[Bypassed, ...] = ()
    children: tuple[Child, ...] = ()
    ended: tuple[ChildEnded, ...] = ()
    told: int = 0
    compactions: int = 0

    @property
    def at_work(self) -> tuple[Child, ...]:
        """Return the subagents whose result was not taken yet."""
        done = {child.id for child in self.ended if child.accepted}
        return tuple(child for child in self.children if child.id not in done)

    def child(self, agent_id: str) -> Child | None:
        """Return the subagent called *agent_id*."""
        return next((child for child in reversed(self.children) if child.id == agent_id), None)


class SessionNotebook:
    """The notes of one session below *data_dir*."""

    def __init__(self, data_dir: Path, session_id: str) -> None:
        name = hashlib.sha256(session_id.encode()).hexdigest()[:32]  # an id may be anything
        self.path = data_dir / FOLDER / f"{name}.jsonl"

    def add(self, *notes: AnyNote) -> None:
        """Write *notes* down, without the secrets in what agents and tools said."""
        append_line(self.path, b"\n".join(_encode(self._scrubbed(note)) for note in notes))

    def _scrubbed(self, note: AnyNote) -> object:
        if not isinstance(note, _WORDY):
            return note  # most are, and a tool call must not wait for a scrubber to be loaded
        from snaphook.scrub import Scrubber, kept_salt

        scrubber = Scrubber(personal=False, salt=kept_salt(self.path.parent.parent))
        return scrubber.scrub(msgspec.to_builtins(note))

    def read(self) -> SessionFacts:
        """Return what was noted; a session that nobody noted is an empty one."""
        session = SessionFacts()
        try:
            lines = self.path.read_bytes().splitlines()
        except FileNotFoundError:
            return session
        for line in lines:
            try:
                _add_up(session, _decode(line))
            except msgspec.DecodeError:
                continue  # cut short, or of another version
        return session

    def forget(self) -> None:
        """Remove what was noted."""
        self.path.unlink(missing_ok=True)


_WORDY = (Failed, Bypassed, Child, ChildEnded)
"""Notes that hold what somebody said."""


def forget_old(data_dir: Path, now: float) -> int:
    """Remove the notes of sessions that are long over; return how many files that was."""
    old = [
        path
        for path in (data_dir / FOLDER).glob("*")
        if path.is_file() and now - path.stat().st_mtime > KEPT_SECONDS
    ]
    for path in old:
        path.unlink(missing_ok=True)
    return len(old)


def _add_up(session: SessionFacts, note: AnyNote) -> None:
    match note:
        case SessionBegan():
            session.identity, session.began = note.identity, session.began or note.at
        case Holds():
            session.task = note.task
        case PromptGiven():
            session.prompted = note.at
        case Wrote():
            if note.path not in session.files:
                session.files += (note.path,)
        case ToolRan():
            session.tools += 1
            if note.skill and note.skill not in session.skills:
                session.skills += (note.skill,)
        case Failed():
            session.failures += (note,)
        case Bypassed():
            session.bypasses += (note,)
        case Child():
            session.children += (note,)
        case ChildEnded():
            session.ended += (note,)
        case ChildReported():
            session.told = note.count
        case ContextCompacted():
            session.compactions += 1
