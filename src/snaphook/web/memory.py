"""What is remembered, what was told to agents, and why it was chosen.

memory store + question  ->  Hits        records  ->  Tellings
"""

from collections.abc import Sequence

from msgspec import Struct

from snaphook.errors import SnaphookError
from snaphook.providers.memory.settings import MemorySettings
from snaphook.stores.memory.open import FILE, open_store
from snaphook.stores.memory.recall import BESIDE, Hit, RecallQuery, recall
from snaphook.stores.memory.store import MemoryStats, Which
from snaphook.stores.memory.values import Memory
from snaphook.wiring.assembly import section

from .ask import Filter
from .dashboard import Dashboard
from .finding import Find, find

HEAD = "## Relevant memories"
"""How the provider begins what it tells an agent."""
TOLD_TO = ("SessionStart", "UserPromptSubmit", "SubagentStart")
LATEST = 30


class RecalledMemory(Struct, frozen=True, kw_only=True):
    """An agent was told something from memory."""

    find: Find
    lines: Sequence[str]


class MemoryView(Struct, frozen=True, kw_only=True):
    """The memories of this machine, as far as somebody asked."""

    stats: MemoryStats = MemoryStats()
    hits: Sequence[Hit] = ()
    latest: Sequence[Memory] = ()
    problem: str = ""


def remembered(dashboard: Dashboard, question: str) -> MemoryView:
    """Return what answers *question* best; without one, what was learned last."""
    settings = section(dashboard.settings, "memory", MemorySettings)
    if not settings.store and not (dashboard.around.data_dir / FILE).exists():
        return MemoryView()
    try:
        store = open_store(settings.store, data_dir=dashboard.around.data_dir)
        try:
            wanted = RecallQuery(text=question, which=Which(), limit=20, beside=BESIDE)
            return MemoryView(
                stats=store.stats(),
                hits=recall(store, wanted, now=dashboard.clock()) if question else (),
                latest=() if question else store.newest(Which(), limit=LATEST),
            )
        finally:
            store.close()
    except SnaphookError as error:
        return MemoryView(problem=str(error))


def tellings(dashboard: Dashboard, limit: int = 15) -> list[RecalledMemory]:
    """Return when agents were told something from memory, the latest first."""
    finds = [
        each
        for event in TOLD_TO
        for each in find(dashboard.records, Filter(event=event), limit=200).finds
    ]
    found = [
        RecalledMemory(find=each, lines=lines)
        for each in finds
        if (lines := told_lines(each.record.output))
    ]
    return sorted(found, key=lambda one: -one.find.record.time)[:limit]


def told_lines(output: dict[str, object]) -> list[str]:
    """Return the memories in what an agent was told; none where there are none."""
    for value in output.values():
        if isinstance(value, str) and HEAD in value:
            after = value.split(HEAD, 1)[1].split("\n## ", 1)[0]
            return [line[2:] for line in after.splitlines() if line.startswith("- ")]
    return []
