"""The way of a value, from the text that named it to the call that used it.

Record  ->  the findings that provenance kept for this call
"""

from collections.abc import Sequence

from snaphook.stores.eventlog.record import Record
from snaphook.stores.provenance.entries import Finding
from snaphook.stores.provenance.store import ProvenanceStore

from .dashboard import Dashboard

_RULES = "provenance."


def value_path(dashboard: Dashboard, record: Record) -> Sequence[Finding]:
    """Return where the values of a call came from; nothing where provenance did not object to it.

    A host without identifiers of calls is told by the rule and the moment.
    """
    rules = {answer.rule for answer in record.answers if answer.rule.startswith(_RULES)}
    if not rules:
        return ()
    store = ProvenanceStore(dashboard.around.data_dir / "provenance")
    session = store.of(record.parent or record.session)
    call = record.input.get("tool_use_id") or ""
    for judged in reversed(session.judged):
        same = judged.call == call if call else abs(judged.time - record.time) < 1
        if same and judged.rule in rules:
            return judged.findings
    return ()
