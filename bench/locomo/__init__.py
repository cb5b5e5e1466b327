"""LoCoMo, turn by turn: a loader for whoever has the file.

locomo10.json  ->  Conversation, …

The set (Maharana et al., 2024) asks questions of long conversations and names the turns that answer
them. We measure against it and ship none of it; the path is the caller's.
"""

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from snaphook.stores.memory.values import DAY, Memory, MemoryKind, MemorySource
from snaphook.testing.tasklogs import BEGUN, LogQuestion

_SESSION = re.compile(r"session_(\d+)")
_TURN = re.compile(r"D(\d+):(\d+)")


ADVERSARIAL = "5"
"""Questions that nothing in the conversation answers: the turns they name are there to mislead."""


class Conversation(Struct, frozen=True, kw_only=True):
    """Turns as memories, and questions with the turns that answer them."""

    memories: Sequence[Memory]
    questions: Sequence[LogQuestion]


def load(path: Path) -> list[Conversation]:
    """Return the conversations in *path*, in the order of the file."""
    return [_conversation(each) for each in json.loads(path.read_text(encoding="utf-8"))]


def _conversation(told: dict[str, Any]) -> Conversation:
    turns = dict(_turns(told["conversation"]))
    asked = []
    for question in told["qa"]:
        if str(question["category"]) == ADVERSARIAL:
            continue
        named = {
            f"D{int(session)}:{int(turn)}"
            for evidence in question["evidence"]
            for session, turn in _TURN.findall(evidence)
        }
        answers = frozenset(turns[each].id for each in named if each in turns)
        if answers:
            sort = str(question["category"])
            asked.append(LogQuestion(text=question["question"], answers=answers, sort=sort))
    return Conversation(memories=list(turns.values()), questions=asked)


def _turns(conversation: dict[str, Any]) -> Iterator[tuple[str, Memory]]:
    sessions = [
        (int(match.group(1)), turns)
        for key, turns in conversation.items()
        if (match := _SESSION.fullmatch(key))
    ]
    for number, turns in sorted(sessions, key=lambda pair: pair[0]):
        for order, turn in enumerate(turns):
            caption = f" [{turn['blip_caption']}]" if turn.get("blip_caption") else ""
            yield (
                turn["dia_id"],
                Memory(
                    kind=MemoryKind.EXPERIENCE,
                    text=f"{turn['speaker']}: {turn['text']}{caption}",
                    sources=(MemorySource(path=f"session-{number}", time=BEGUN + number * DAY),),
                    thread=f"session-{number}",
                    order=order,
                ),
            )
