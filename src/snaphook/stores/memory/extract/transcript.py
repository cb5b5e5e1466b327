"""Memories from a conversation between a person and an agent.

transcript  ->  what the person asked for always, what failed and what mended it, what was learned

A line of a transcript is long and mostly forgettable. Kept are the person's standing wishes, the
commands that matter and how they came out last, each error with the edits that mended it, and the
sentences in which the agent says that it learned something.

Only what the person typed is a wish of theirs. What a tool printed goes along as a quote; what the agent
repeats from somebody else, and what it says another should do, is kept and told to nobody unasked.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path, PurePath

from msgspec import Struct
from msgspec.structs import replace

from snaphook.stores.memory.entities import command_entity
from snaphook.stores.memory.values import ASKED, UNTRUSTED, Author, Entity, EntityKind, MemoryKind
from snaphook.transcripts import (
    AssistantText,
    ToolCalled,
    ToolReturned,
    TranscriptEntry,
    TranscriptReading,
    UserPrompt,
)
from snaphook.transcripts.person import typed

from .document import Draft, outside, shortened
from .heard import Heard
from .judge import certainty, is_statement
from .orders import is_order, is_risky
from .plain import plain_command, plain_error, plain_name
from .shell import command_draft, error_line

_WISH = re.compile(
    r"\b(?:always|never|from now on|remember (?:that|to)|make sure (?:to|that|you)|don'?t ever|"
    r"do not ever|in (?:the )?future|we (?:always|never|prefer)|i (?:prefer|always|never|want you to)|"
    r"please (?:always|never)|by convention|our convention)\b",
    re.IGNORECASE,
)
_LEARNED = re.compile(
    r"\b(?:root cause|turns? out|the (?:problem|issue|bug|fix|reason|trick|catch) (?:is|was)|"
    r"(?:i|we) (?:learned|discovered|found (?:out|that)|decided|realised|realized)|"
    r"note(?: to self)?:|lesson|gotcha|fixed (?:it )?by|caused by|this happens because|"
    r"must be (?:run|set|called|installed)|only works (?:if|when|with))\b",
    re.IGNORECASE,
)
_LABELLED = re.compile(
    r"^(?:(?P<decided>decision|decided|convention|agreed)|learned|learning|lesson(?: learned)?|finding|"
    r"discovery|insight|remember|takeaway|til)\s*(?:\([^)]{1,40}\))?\s*[:–—]\s+",
    re.IGNORECASE,
)
"""A line that an agent marks itself: ``Learned: …``, ``Decision: …``, in bold or in a list as well."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z`\"'*-])|\n+")
_SHELLS = frozenset({"Bash", "run_shell_command", "shell", "exec_command"})
_EDITS = frozenset(
    {"Edit", "Write", "MultiEdit", "NotebookEdit", "apply_patch", "replace", "write_file", "edit"}
)
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)
_RUNNERS = frozenset({"make", "pytest", "npm", "cargo", "go", "tox", "nox", "mypy", "ruff", "just"})


def numbered(path: Path) -> Iterator[tuple[int, TranscriptEntry]]:
    """Yield what the transcript at *path* tells, with the number of each line."""
    transcript = TranscriptReading(path)
    for entry in transcript.more():
        yield transcript.line, entry


class _Failure(Struct, frozen=True, kw_only=True):
    """A command that failed and has not yet worked again."""

    command: str
    error: str
    edited: tuple[str, ...] = ()


def from_transcript(
    entries: Iterable[tuple[int, TranscriptEntry]], *, heard: Heard | None = None
) -> list[Draft]:
    """Return what is worth keeping of a conversation: *entries* and the lines they stand on.

    *heard* learns what was read and written in it.
    """
    reader = _Reader(heard or Heard())
    drafts = [
        replace(draft, line=line, time=entry.time)
        for line, entry in entries
        for draft in reader.read(entry)
    ]
    return list({(draft.kind, draft.text): draft for draft in reversed(drafts)}.values())[::-1]


class _Reader:
    """One way through a conversation."""

    def __init__(self, heard: Heard) -> None:
        self._heard = heard
        self._running: dict[str, str] = {}
        self._failures: dict[str, _Failure] = {}

    def read(self, entry: TranscriptEntry) -> Iterator[Draft]:
        """Yield what *entry* adds."""
        match entry:
            case UserPrompt(text=text, by_person=True) if not entry.subagent:
                yield from _wishes(typed(text))
            case AssistantText(text=text):
                yield from self._learned(text)
            case ToolCalled():
                self._called(entry)
            case ToolReturned():
                yield from self._returned(entry)
        self._heard.add(entry)

    def _learned(self, text: str) -> Iterator[Draft]:
        for draft in _learned(text):
            if is_risky(draft.text) or self._heard.copied(draft.text):
                yield outside(draft)
            elif is_order(draft.text):
                yield replace(draft, certainty=UNTRUSTED)
            else:
                yield draft

    def _called(self, entry: ToolCalled) -> None:
        command = entry.args.get("command")
        if entry.tool in _SHELLS and isinstance(command, str):
            self._running[entry.id] = command
        elif entry.tool in _EDITS:
            edited = _edited(entry.args)
            self._failures = {
                key: replace(failure, edited=tuple(dict.fromkeys((*failure.edited, *edited))))
                for key, failure in self._failures.items()
            }

    def _returned(self, entry: ToolReturned) -> Iterator[Draft]:
        command = self._running.pop(entry.id, None)
        if command is None:
            return
        draft = command_draft(command, entry.text, failed=entry.failed, quoted=True)
        if draft is None:
            return
        if is_risky(command) or self._heard.copied(command):
            draft = outside(draft)
        key = _program(command)
        if entry.failed:
            error = error_line(entry.text) or shortened(entry.text, 160)
            self._failures[key] = _Failure(command=command, error=error)
            yield draft
        elif key in self._failures:
            yield self._fixed(self._failures.pop(key), command)
            yield draft
        elif key.split()[0] in _RUNNERS:
            yield draft

    def _fixed(self, failure: _Failure, command: str) -> Draft:
        shown = plain_command(failure.command), plain_command(command)
        foreign = any(map(self._heard.copied, (failure.command, command)))
        draft = _fixed(failure, command)
        safe = all(shown) and not foreign and not is_risky(f"{failure.command} {command}")
        return draft if safe else outside(draft)


def _program(command: str) -> str:
    entity = command_entity(command)
    return entity.name if entity else command


def _fixed(failure: _Failure, command: str) -> Draft:
    """Return the error, and what was between it and success; its own words are a quote."""
    named = [name for name in failure.edited if plain_name(name)]
    before = plain_command(failure.command) or failure.command
    after = plain_command(command) or command
    if named:
        how = f"fixed by editing {', '.join(named[:4])}"
    elif after != before:
        how = f"`{after}` worked instead"
    else:
        how = "worked when tried again"
    shown = plain_error(failure.error)
    text = f"`{before}` failed{f' with {shown}' if shown else ''} → {how}"
    files = tuple(Entity(kind=EntityKind.FILE, name=name) for name in failure.edited[:4])
    return Draft(
        kind=MemoryKind.EXPERIENCE,
        text=text,
        certainty=certainty(MemoryKind.EXPERIENCE, text, more=0.1),
        entities=files,
        meta={"pair": "error and fix"},
        quote="" if failure.error == shown else failure.error,
    )


def _edited(args: Mapping[str, object]) -> tuple[str, ...]:
    """Return the names of the files that a call edits."""
    patch = args.get("input") or args.get("patch") or args.get("command") or ""
    named = _PATCHED.findall(patch) if isinstance(patch, str) else []
    for key in ("file_path", "path", "notebook_path", "filename"):
        value = args.get(key)
        named += [value] if isinstance(value, str) else []
    return tuple(PurePath(name).name for name in named)


def _wishes(text: str) -> Iterator[Draft]:
    first = text.split("\n\n", 1)[0]
    for sentence in _sentences(text):
        if _WISH.search(sentence) and len(sentence) <= 300:
            draft = Draft(
                kind=MemoryKind.OPINION,
                text=f"{ASKED}{sentence}",
                certainty=0.85,
                meta={"from": "user"},
                author=Author.PERSON,
            )
            # A pasted text without any mark of one stands below what was asked for. Where such a
            # sentence would also reach another machine or lower a guard, it is not taken for the person's.
            doubted = is_risky(sentence) and sentence not in first
            yield outside(replace(draft, text=sentence, meta={})) if doubted else draft


def _learned(text: str) -> Iterator[Draft]:
    for sentence in _sentences(text):
        labelled = _LABELLED.match(sentence)
        if (labelled or _LEARNED.search(sentence)) and 20 <= len(sentence) <= 400:
            decided = labelled is not None and labelled["decided"]
            kind = MemoryKind.FACT if decided else MemoryKind.EXPERIENCE
            yield Draft(
                kind=kind,
                text=sentence,
                certainty=certainty(kind, sentence, more=0.05),
            )


def _sentences(text: str) -> Iterator[str]:
    for sentence in _SENTENCE.split(re.sub(r"```.*?```", " ", text, flags=re.DOTALL)):
        plain = re.sub(r"^[\s>*#-]+|\*\*", "", sentence).strip()
        if is_statement(plain):
            yield plain
