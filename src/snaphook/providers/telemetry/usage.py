"""What models used, as the record leads to it.

Record  ->  transcript, or the host's own word  ->  what is new

Each answer counts once, however often a host writes it down.
"""

from collections.abc import Iterator, Mapping

from msgspec import Struct, field

from snaphook.canon import Usage
from snaphook.stores.eventlog.record import Record
from snaphook.transcripts import TranscriptReading
from snaphook.transcripts import UsageReported as Told
from snaphook.transcripts.reported import beside, told

BOOKMARKS = 512
"""Transcripts remembered at once."""
GROWING = 4
"""The last answers of a transcript, which may be written again as they grow."""


class TokenUse(Struct, frozen=True, kw_only=True):
    """The tokens that are new of one answer."""

    model: str
    usage: Usage
    agent_id: str = ""
    """Whose transcript told, where a subagent has its own."""


class TranscriptBookmark(Struct, kw_only=True, omit_defaults=True):
    """How far a transcript was read."""

    at: int = 0
    state: str = ""
    last: dict[str, Usage] = field(default_factory=dict)


class UsageReader(Struct, kw_only=True, omit_defaults=True):
    """Remembers how far each transcript was read; can be kept on disk and taken up again."""

    bookmarks: dict[str, TranscriptBookmark] = field(default_factory=dict)

    def used(self, record: Record) -> Iterator[TokenUse]:
        """Yield what *record* says was used, or what the transcript it names has to add."""
        if record.transcript and record.host:
            yield from self._read(record.transcript, "")
            for path in beside(record.transcript):
                yield from self._read(path, _agent_id(path))
            return
        payload = record.input.get("payload")
        said = told(record.host, record.event, payload) if isinstance(payload, Mapping) else None
        if said is not None:
            yield TokenUse(model=said.model, usage=said.usage, agent_id=record.agent_id)

    def _read(self, path: str, agent_id: str) -> Iterator[TokenUse]:
        mark = self.bookmarks.setdefault(path, TranscriptBookmark())
        reading = TranscriptReading(path, offset=mark.at, state=mark.state)
        if reading.grown:
            found = {one.id: one for one in _all_of(reading)}  # the later line holds
            mark.at, mark.state = reading.offset, reading.state
            for one in found.values():
                yield _new(one, mark.last, agent_id)
        if len(self.bookmarks) > BOOKMARKS:
            del self.bookmarks[next(iter(self.bookmarks))]


def _all_of(reading: TranscriptReading) -> list[Told]:
    try:
        return list(reading.used())
    except OSError:
        return []  # gone between two looks


def _new(told: Told, last: dict[str, Usage], agent_id: str) -> TokenUse:
    before = last.pop(told.id, None)
    last[told.id] = told.usage
    while len(last) > GROWING:
        del last[next(iter(last))]
    more = told.usage - before if before else told.usage
    return TokenUse(model=told.model, usage=more, agent_id=agent_id)


def _agent_id(path: str) -> str:
    """Return the subagent whose transcript lies at *path*: ``…/subagents/agent-<id>.jsonl``."""
    return path.rpartition("/")[2].removesuffix(".jsonl").removeprefix("agent-")
