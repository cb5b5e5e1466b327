"""``snaphook memory recall``: ask what is remembered, and why."""

from collections.abc import Sequence
from time import time
from typing import Any

import click
import msgspec

from snaphook.cli.output import say, say_json, say_lines, say_parts
from snaphook.stores.memory.open import embedder
from snaphook.stores.memory.rank import Reason
from snaphook.stores.memory.recall import BESIDE, Hit, RecallQuery
from snaphook.stores.memory.recall import recall as ask

from .here import NOTHING, as_json, everywhere, kinds, opened, show_line, which

BAR = 20


@click.command()
@click.argument("query", required=False, default="")
@click.option("--limit", default=10, show_default=True, help="Maximum number to show.")
@click.option("--min-confidence", default=0.0, help="Minimum confidence, 0 to 1.")
@click.option("--budget", type=int, help="Maximum size of the result in tokens.")
@click.option("--agent", default="", help="The agent that asks; its own memories rank higher.")
@click.option("--explain", is_flag=True, help="Show why each memory matched.")
@kinds
@everywhere
@as_json
def recall(
    query: str,
    limit: int,
    min_confidence: float,
    budget: int | None,
    agent: str,
    explain: bool,
    kind_names: tuple[str, ...],
    everywhere: bool,
    as_json: bool,
) -> None:
    """Search memories about QUERY: a question, a task, a file, an error.

    Without QUERY, show the most confident and most recent memories.
    """
    now = time()
    with opened() as here:
        wanted = RecallQuery(
            text=query,
            which=which(here, kind_names, everywhere=everywhere),
            agent=agent,
            limit=limit,
            confidence=min_confidence,
            budget=budget,
            beside=BESIDE,
        )
        hits = ask(here.store, wanted, now=now, embed=embedder(here.settings.embedder))
        empty = not hits and not here.store.stats().memories
    if as_json:
        say_json([_told(hit) for hit in hits])
        return
    for hit in hits:
        show_line(hit.memory, now)
        if explain:
            _explain(hit)
    if not hits:
        say_lines(NOTHING if empty else "No matching memories. --everywhere searches all projects.")


def _told(hit: Hit) -> dict[str, Any]:
    memory: dict[str, Any] = msgspec.to_builtins(hit.memory)
    return {
        "id": hit.memory.id,
        "score": round(hit.score, 4),
        "relevance": round(hit.relevance, 4),
        "confidence": round(hit.confidence, 4),
        "reasons": msgspec.to_builtins(hit.reasons),
        "memory": memory,
    }


def _explain(hit: Hit) -> None:
    say(f"          score {hit.score:.3f} =")
    most = max((abs(reason.worth) for reason in hit.reasons), default=1.0)
    for reason in _by_worth(hit.reasons):
        bar = "█" * max(1, round(BAR * abs(reason.worth) / most))
        sign = "green" if reason.worth >= 0 else "red"
        say_parts(
            (" " * 12, {}),
            (f"{reason.worth:+.3f}", {"fg": sign}),
            (f" {reason.sign.value:<11} {bar:<{BAR}} {reason.detail}", {}),
        )


def _by_worth(reasons: Sequence[Reason]) -> list[Reason]:
    return sorted(reasons, key=lambda reason: -abs(reason.worth))
