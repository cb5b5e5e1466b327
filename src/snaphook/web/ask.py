"""What an address asks for.

?verdict=deny&host=codex&q=push  ->  Filter        what nobody can mean  ->  BadQuestion
"""

import re
from collections.abc import Mapping
from urllib.parse import urlencode

from msgspec import Struct
from msgspec.structs import asdict

from snaphook.stores.eventlog.record import Record

from .period import DEFAULT, PERIODS, Period
from .subject import subject

LONGEST = 500
"""Characters of one value."""
VERDICTS = ("deny", "block", "ask", "modify", "allow", "stopped", "said")
"""``stopped`` is deny and block; ``said`` is anything but silence."""
STOPPED = ("deny", "block")
RECORD_ID = re.compile(r"[0-9A-Za-z._-]{1,64}")
_CURSOR = re.compile(r"(\d{1,12}(?:\.\d{1,9})?)~([0-9A-Za-z._-]{1,64})")


class BadQuestion(Exception):  # noqa: N818 - it names what was asked
    """An address says something that no page can answer: what, and what to do instead."""

    def __init__(self, what: str, fix: str) -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


class Filter(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which records are wanted; what is empty lets everything through."""

    verdict: str = ""
    host: str = ""
    project: str = ""
    agent: str = ""
    tool: str = ""
    session: str = ""
    event: str = ""
    machine: str = ""
    q: str = ""
    """Words that occur anywhere in the record."""

    def takes(self, record: Record) -> bool:
        """Say whether *record* is wanted; the machine is not in it."""
        return (
            _verdict_fits(self.verdict, record.verdict)
            and self.host in ("", record.host)
            and self.project in ("", record.project)
            and self.agent in ("", record.agent)
            and self.tool in ("", record.tool)
            and self.session in ("", record.session)
            and self.event in ("", record.event)
            and (not self.q or self.q.casefold() in searched(record))
        )

    @property
    def given(self) -> dict[str, str]:
        """Return what is asked for, by name."""
        return {name: value for name, value in asdict(self).items() if value}

    def address(self, path: str = "/feed", **changes: str) -> str:
        """Return the address of *path* with this filter and *changes* to it; empty takes one out."""
        wanted = {name: value for name, value in {**self.given, **changes}.items() if value}
        return f"{path}?{urlencode(wanted)}" if wanted else path


class PageCursor(Struct, frozen=True, kw_only=True):
    """A place in the record: everything older than this."""

    time: float
    id: str

    def __str__(self) -> str:
        return f"{self.time:.6f}~{self.id}"


def searched(record: Record) -> str:
    """Return the text of *record* that a search goes through."""
    parts = (subject(record), record.reason or "", record.tool, record.event, record.agent)
    rules = (said.rule for said in record.answers)
    return " ".join((*parts, record.project, record.session, *rules)).casefold()


def read_filter(query: Mapping[str, str]) -> Filter:
    """Return the filter that *query* spells."""
    asked = {name: _text(query, name) for name in Filter.__struct_fields__}
    if asked["verdict"] and asked["verdict"] not in VERDICTS:
        raise BadQuestion(
            f"unknown verdict '{asked['verdict'][:40]}'", f"Verdicts are: {', '.join(VERDICTS)}."
        )
    return Filter(**asked)


def read_cursor(query: Mapping[str, str]) -> PageCursor | None:
    """Return the place that ``before`` names."""
    text = _text(query, "before")
    if not text:
        return None
    parts = _CURSOR.fullmatch(text)
    if parts is None:
        raise BadQuestion("invalid value for 'before'", "Follow the links of the page.")
    return PageCursor(time=float(parts[1]), id=parts[2])


def read_period(query: Mapping[str, str]) -> Period:
    """Return the stretch of time that ``period`` names."""
    name = _text(query, "period") or DEFAULT
    if name not in PERIODS:
        raise BadQuestion(f"unknown period '{name[:40]}'", f"Periods are: {', '.join(PERIODS)}.")
    return PERIODS[name]


def read_text(query: Mapping[str, str], name: str) -> str:
    """Return the value of *name*."""
    return _text(query, name)


def _text(query: Mapping[str, str], name: str) -> str:
    value = query.get(name, "").strip()
    if len(value) > LONGEST:
        raise BadQuestion(
            f"'{name}' is longer than {LONGEST} characters", "Ask for a part of it with 'q'."
        )
    if "\0" in value:
        raise BadQuestion(f"'{name}' holds a NUL character", "Leave it out.")
    return value


def _verdict_fits(wanted: str, verdict: str | None) -> bool:
    match wanted:
        case "":
            return True
        case "stopped":
            return verdict in STOPPED
        case "said":
            return verdict is not None
        case _:
            return verdict == wanted
