"""Whose words a memory is made of.

Draft + what the session read + who approved the checkout  ->  the draft, the draft as a quote, or nothing

A text that addresses an agent is never remembered: recalled later, it would be an instruction without an
author. What was copied from somebody else, and what came with a checkout that nobody approved, is kept as a
quote: it says where it stood, settles nothing, and is told only to who asks.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace

from snaphook.config import Environment
from snaphook.config.settings_files import project_root
from snaphook.config.trust import TrustStore
from snaphook.errors import StoreError
from snaphook.providers.provenance.address import addresses
from snaphook.providers.provenance.hidden import uncovered
from snaphook.providers.provenance.judge import COPIED
from snaphook.providers.provenance.weight import SHORTEST_COPY
from snaphook.stores.memory.extract.document import Draft, SourceDocument, outside
from snaphook.stores.memory.extract.heard import Heard
from snaphook.stores.memory.retain import SPOKEN, Screen
from snaphook.stores.memory.values import ASKED, Author
from snaphook.stores.provenance.parts import parts
from snaphook.stores.provenance.session import Session
from snaphook.stores.provenance.store import ProvenanceStore

_CALLED = re.compile(r"(?:hey |hi |ok |please )?(?:claude|codex|gemini|copilot)\b[,:]?")
"""A person who calls the agent by its name addresses it, too."""


def screen_of(around: Environment, *, own: bool = False) -> Screen:
    """Return the screen for memories of *around*; *own*: the person says the documents are their team's."""
    store = ProvenanceStore(around.data_dir / "provenance")
    approved = _approval(around)

    def screened(
        document: SourceDocument, drafts: Iterable[Draft], heard: Heard
    ) -> Iterator[Draft]:
        name = document.origin.session
        session = store.of(name) if name and store.knows(name) else None
        path = Path(document.path)
        spoken = path.suffix.casefold() in SPOKEN
        trusted = own or approved(path) or (spoken and _is_host_file(path, document, around))
        lines = document.text.splitlines()
        for draft in drafts:
            seen = checked(draft)
            if seen is None:
                continue
            known = trusted or (not spoken and _written(seen, lines, heard))
            if not known or (not spoken and heard.copied(_line(seen, lines))):
                seen = outside(seen)
            yield _traced(seen, session)

    return screened


def checked(draft: Draft) -> Draft | None:
    """Return *draft* without what is hidden in it; None where it addresses an agent."""
    shown = uncovered(draft.text)
    text = shown.text.lower()
    if draft.author is Author.PERSON:
        text = _CALLED.sub("", text.removeprefix(ASKED.lower()), count=1)
    if shown.said or next(addresses(text), None) is not None:
        return None
    return replace(draft, text=shown.text) if shown.kinds else draft


def _traced(draft: Draft, session: Session | None) -> Draft:
    """Return *draft* with the place from which its session copied it, where it did."""
    if session is None or len(parts(draft.text)) < SHORTEST_COPY + 2:
        return draft
    share, source = session.share(draft.text)
    if source is None or share < COPIED or session.named(draft.text):
        return draft
    where = " ".join(f"{source.tool} {source.address}".split())
    return outside(replace(draft, text=f"{draft.text} [from {where}]"))


def _line(draft: Draft, lines: list[str]) -> str:
    """Return the line of the document on which *draft* stands, or its text where that is too short."""
    line = lines[draft.line - 1] if 0 < draft.line <= len(lines) else ""
    return line if len(line.split()) > 3 else draft.text


def _written(draft: Draft, lines: list[str], heard: Heard) -> bool:
    return heard.wrote(_line(draft, lines)) and heard.wrote(draft.text)


def _is_host_file(path: Path, document: SourceDocument, around: Environment) -> bool:
    """Say whether a transcript lies where agents keep theirs: outside of the checkout it is about.

    One that lies inside may have come with it, and everything in it may be made up.
    """
    project = Path(document.origin.root or around.cwd)
    return around.home.is_relative_to(project) or not path.is_relative_to(project)


def _approval(around: Environment) -> Callable[[Path], bool]:
    """Return a function that says whether the checkout that holds a file was approved."""
    try:
        approvals = TrustStore.of(around).approvals()
    except StoreError:
        approvals = {}
    known: dict[Path, bool] = {}

    def is_approved(path: Path) -> bool:
        folder = path.parent
        if folder not in known:
            known[folder] = str(project_root(replace(around, cwd=folder, env={}))) in approvals
        return known[folder]

    return is_approved
