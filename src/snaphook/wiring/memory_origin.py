"""What a memory may say that came from somebody else.

Draft + what the session read  ->  the draft, the draft with its origin, or nothing

A text that addresses an agent is never remembered: recalled later, it would be an instruction without an
author. What was copied from a text from outside says where it stood, and is not told unasked.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from snaphook.config import Environment
from snaphook.providers.provenance.address import addresses
from snaphook.providers.provenance.hidden import uncovered
from snaphook.providers.provenance.judge import COPIED
from snaphook.providers.provenance.weight import SHORTEST_COPY
from snaphook.stores.memory.extract.document import Draft, Extractor, SourceDocument
from snaphook.stores.provenance.parts import parts
from snaphook.stores.provenance.session import Session
from snaphook.stores.provenance.store import ProvenanceStore

UNSURE = 0.4
"""Below the default of ``[memory] confidence``: found when asked for, told to nobody unasked."""


def with_origin(extractor: Extractor, around: Environment) -> Extractor:
    """Return *extractor*, its drafts held against what their session has read."""
    store = ProvenanceStore(around.data_dir / "provenance")

    def extracted(document: SourceDocument) -> Sequence[Draft]:
        name = document.origin.session
        session = store.of(name) if name and store.knows(name) else None
        checked = (_checked(draft, session) for draft in extractor(document))
        return [draft for draft in checked if draft is not None]

    return extracted


def _checked(draft: Draft, session: Session | None) -> Draft | None:
    shown = uncovered(draft.text)
    if shown.said or next(addresses(shown.text.lower()), None) is not None:
        return None
    draft = replace(draft, text=shown.text) if shown.kinds else draft
    if session is None or len(parts(draft.text)) < SHORTEST_COPY + 2:
        return draft
    share, source = session.share(draft.text)
    if source is None or share < COPIED or session.named(draft.text):
        return draft
    where = " ".join(f"{source.tool} {source.address}".split())
    text = f"{draft.text} [from {where}]"
    return replace(draft, text=text, certainty=min(draft.certainty, UNSURE))
