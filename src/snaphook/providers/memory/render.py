"""Memories as an agent reads them.

Hit, …  ->  ## Relevant memories

Short, grouped by kind, each with how sure we are and where it is from. They are quoted as what they
are, notes from earlier work, so that none is taken for an instruction.
"""

from collections.abc import Mapping, Sequence

from snaphook.stores.memory.recall import Hit
from snaphook.stores.memory.values import MemoryKind

HEADS: Mapping[MemoryKind, str] = {
    MemoryKind.FACT: "Facts",
    MemoryKind.EXPERIENCE: "Experiences",
    MemoryKind.OPINION: "Opinions",
    MemoryKind.OBSERVATION: "Observations",
}


def told(hits: Sequence[Hit]) -> str | None:
    """Return *hits* as context, or None where there are none."""
    if not hits:
        return None
    lines = ["## Relevant memories", "Notes from earlier sessions; check them against the code."]
    for kind, head in HEADS.items():
        group = [hit for hit in hits if hit.memory.kind is kind]
        if group:
            lines += ["", f"{head}:", *(_line(hit) for hit in group)]
    return "\n".join(lines)


def _line(hit: Hit) -> str:
    memory = hit.memory
    proof = f", {memory.proof} times" if memory.proof > 1 else ""
    return f"- {memory.text} (confidence {hit.confidence:.2f}{proof}; {memory.sources[-1].anchor})"
