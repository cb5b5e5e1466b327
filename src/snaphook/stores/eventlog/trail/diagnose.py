"""Name what happened where a chain breaks.

the lines of a segment + the head before the break  ->  AuditFinding

A hash tells that something is wrong, its neighbours tell what. Pure.
"""

from collections.abc import Sequence

from snaphook.stores.eventlog.chain import REDACTED, ChainLine, follows, take_apart, whole

from .finding import Attack, AuditFinding


def diagnose(
    file: str, number: int, rest: Sequence[bytes], before: bytes, earlier: Sequence[bytes]
) -> AuditFinding:
    """Return what is wrong with the first line of *rest*, line *number* of *file*.

    *before* is the chain it should follow, *earlier* are the chains of the lines above.
    """
    where = f"{file}:{number}"
    lines = [take_apart(raw.rstrip(b"\n")) for raw in rest]
    line = lines[0]
    if line is None:
        return AuditFinding(attack=Attack.EDITED, where=where, what="not a valid log line")
    if follows(line, before):
        what = "the body was changed"
        return AuditFinding(attack=Attack.EDITED, where=where, what=what)
    return _out_of_place(where, lines, before, earlier)


def _out_of_place(
    where: str, lines: Sequence[ChainLine | None], before: bytes, earlier: Sequence[bytes]
) -> AuditFinding:
    line = lines[0]
    assert line is not None, "the caller has looked"
    heir = next((n for n, each in enumerate(lines) if each and follows(each, before)), None)
    if heir is not None:
        chains = [each.chain for each in lines if each]
        strangers = [each for each in lines[:heir] if each]
        copied = any(each.chain in earlier or chains.count(each.chain) > 1 for each in strangers)
        moved = any(follows(each, chain) for each in strangers for chain in chains)
        if moved and not copied:
            what = f"the expected line is {heir} lines further down"
            return AuditFinding(attack=Attack.REORDERED, where=where, what=what)
        what = f"{heir} inserted lines come before the expected one"
        return AuditFinding(attack=Attack.INSERTED, where=where, what=what)
    if len(lines) > 1 and lines[1] and not follows(lines[1], line.chain):
        what = "the line was rewritten, and the one after it still follows the old one"
        return AuditFinding(attack=Attack.EDITED, where=where, what=what)
    what = "the line that this one follows is missing"
    return AuditFinding(attack=Attack.DELETED, where=where, what=what)


def holds(line: ChainLine) -> bool:
    """Say whether *line*'s body is the one it was written with, or says that it was redacted."""
    return whole(line) or line.body.startswith(REDACTED)
