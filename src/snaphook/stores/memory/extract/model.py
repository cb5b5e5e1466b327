"""Memories by a model's judgement, held against the text.

SourceDocument + ask  ->  Draft, …

The model is whatever answers a prompt with text; who wires it decides which. It must quote what it
relies on: what cannot be found in the document is dropped, so nothing is remembered that nobody
wrote. Where it fails, the deterministic extractor does the work.
"""

import re
from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec
from msgspec import Struct

from snaphook.lazy import logger
from snaphook.stores.memory.values import MemoryKind

from .document import Draft, Extractor, SourceDocument
from .judge import is_statement
from .markdown import from_markdown

log = logger("snaphook.memory")

Ask: TypeAlias = Callable[[str], str]
"""A prompt in, an answer out."""
MOST = 24_000
"""Characters of a document that the model is shown."""

PROMPT = """\
Extract what a colleague should remember from the document below. Answer with a JSON array only.
Each element: {{"kind": "fact" | "experience" | "opinion" | "observation", "text": one self-contained
sentence, "quote": the exact words of the document it rests on, "certainty": 0 to 1}}.
Facts are decisions and things that hold; experiences tell what was tried and what happened; opinions
are preferences and reasons; observations are results and lessons. Leave out plans, small talk and
anything that the document does not say. An empty array is a good answer.

Document {name}:
{text}
"""


class _Found(Struct, frozen=True, kw_only=True):
    kind: MemoryKind
    text: str
    quote: str
    certainty: float = 0.7


def by_model(ask: Ask, *, otherwise: Extractor = from_markdown) -> Extractor:
    """Return an extractor that has *ask* read documents, and *otherwise* where that fails."""

    def extract(document: SourceDocument) -> list[Draft]:
        prompt = PROMPT.format(name=document.name, text=document.text[:MOST])
        try:
            answer = ask(prompt)
            found = msgspec.json.decode(_array(answer), type=list[_Found])
        except Exception as error:  # noqa: BLE001 - a model may fail in any way; what is written is kept
            log.warning("%s: the model did not help (%s); read without it", document.path, error)
            return list(otherwise(document))
        return list(_anchored(document, found))

    return extract


def _array(answer: str) -> str:
    """Return the JSON array in *answer*, whatever stands around it."""
    match = re.search(r"\[.*\]", answer, re.DOTALL)
    return match.group() if match else answer


def _anchored(document: SourceDocument, found: list[_Found]) -> Iterator[Draft]:
    lines = [" ".join(line.split()).casefold() for line in document.text.splitlines()]
    for each in found:
        line = _line(each.quote, lines)
        if line and is_statement(each.text):
            certainty = min(0.95, max(0.3, each.certainty))
            yield Draft(kind=each.kind, text=each.text, line=line, certainty=certainty)


def _line(quote: str, lines: list[str]) -> int:
    """Return the line on which *quote* begins, from 1; 0 where the document does not say it."""
    wanted = " ".join(quote.split()).casefold()
    if len(wanted) < 8:
        return 0
    text, starts = "", []
    for line in lines:
        starts.append(len(text))
        text += line + " "
    at = re.sub(" +", " ", text).find(wanted) if "  " in text else text.find(wanted)
    return sum(start <= at for start in starts) if at >= 0 else 0
