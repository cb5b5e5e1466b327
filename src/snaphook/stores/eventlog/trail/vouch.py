"""Whether seals can be believed: each follows the one before, and somebody known signed it.

seals here, elsewhere, and what the journal noted of them  ->  Findings
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path

from .finding import Attack, AuditFinding
from .keys import key_id, signed_by
from .seal import Seal


def doubts(
    file: Path,
    here: Sequence[Seal],
    copied: Sequence[Seal],
    journal: Mapping[int, Sequence[str]],
    keys: Collection[str],
) -> Iterator[AuditFinding]:
    """Yield everything that makes the seals in *file* doubtful.

    *copied* is all that a second place holds, *journal* every digest it noted, by number.
    """
    elsewhere = first_of_each(copied)
    noted = {number: digests[0] for number, digests in journal.items()}
    yield from _restarts(file, copied, journal)
    known = {made.number: made for made in here}
    for number in sorted({*elsewhere, *noted} - set(known)):
        kept = "a second place" if number in elsewhere else "the journal"
        what = f"checkpoint {number} is missing here, but present in {kept}"
        yield AuditFinding(attack=Attack.CHECKPOINT_GONE, where=str(file), what=what)
    for number, made in known.items():
        other = elsewhere.get(number)
        told = other.digest if other else noted.get(number, made.digest)
        if told != made.digest:
            kept = "a second place" if other else "the journal"
            what = f"checkpoint {number} differs from the one in {kept}"
            yield AuditFinding(attack=Attack.CHECKPOINT_REPLACED, where=str(file), what=what)
    yield from _chain(file, here)
    for every in (here, [elsewhere[number] for number in sorted(elsewhere)]):
        yield from _signatures(file, every, keys)


def first_of_each(copied: Sequence[Seal]) -> dict[int, Seal]:
    """Return the seals by number, of several with one number the first.

    Copies are only ever appended, so the first is the one that was made of the original record.
    """
    return {made.number: made for made in reversed(copied)}


def _restarts(
    file: Path, copied: Sequence[Seal], journal: Mapping[int, Sequence[str]]
) -> Iterator[AuditFinding]:
    """Yield the first number that two different checkpoints have: the record was begun twice."""
    places = {"a second place": _by_number(copied), "the journal": journal}
    for place, digests in places.items():
        twice = [number for number, known in sorted(digests.items()) if len(set(known)) > 1]
        if twice:
            what = (
                f"{place} holds two different checkpoints with number {twice[0]}: "
                "the record was removed, rolled back or replaced, and sealed again"
            )
            yield AuditFinding(attack=Attack.RESTARTED, where=str(file), what=what)
    for before, made in pairwise(sorted(first_of_each(copied).values(), key=lambda s: s.number)):
        if made.number == before.number + 1 and made.before != before.digest:
            what = f"a second place holds a checkpoint {made.number} that does not follow its {before.number}"
            yield AuditFinding(attack=Attack.RESTARTED, where=str(file), what=what)
            return


def _by_number(copied: Sequence[Seal]) -> dict[int, list[str]]:
    found: dict[int, list[str]] = {}
    for made in copied:
        found.setdefault(made.number, []).append(made.digest)
    return found


def _chain(file: Path, here: Sequence[Seal]) -> Iterator[AuditFinding]:
    before: Seal | None = None
    for made in here:
        number, digest = (before.number + 1, before.digest) if before else (1, "")
        if made.number != number or made.before != digest:
            what = f"checkpoint {made.number} does not follow checkpoint {number - 1}"
            yield AuditFinding(attack=Attack.CHECKPOINT_REPLACED, where=str(file), what=what)
            return
        if before and made.time_ms < before.time_ms:
            what = f"checkpoint {made.number} is dated before checkpoint {before.number}"
            yield AuditFinding(attack=Attack.CLOCK, where=str(file), what=what)
        before = made


def _signatures(file: Path, every: Sequence[Seal], keys: Collection[str]) -> Iterator[AuditFinding]:
    """Yield the first seal that nobody vouches for, though somebody should.

    Those from before there was a key are not signed; none after it may be so.
    """
    signed = False
    for made in every:
        if problem := _problem(made, keys, signed=signed or (bool(keys) and made is every[-1])):
            what = f"checkpoint {made.number} {problem}"
            yield AuditFinding(attack=Attack.CHECKPOINT_REPLACED, where=str(file), what=what)
            return
        signed = signed or bool(made.signature)


def _problem(made: Seal, keys: Collection[str], *, signed: bool) -> str:
    if not made.signature:
        return "is not signed" if signed else ""
    if keys and made.public not in keys:
        return f"is signed by an unknown key ({_name(made.public)})"
    return "" if signed_by(made.public, made.signature, made.said) else "was changed after signing"


def _name(public: str) -> str:
    try:
        return key_id(public)
    except ValueError:
        return "no key at all"
