"""Hold the record against its seals, here and elsewhere, and name what does not fit.

folder + seals elsewhere  ->  Checked, for each stream

Two answers, never one: "intact" is about what is here; "complete up to checkpoint N" is about what
is not.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from snaphook.stores.eventlog.audit import streams
from snaphook.stores.eventlog.chain import GENESIS, take_apart
from snaphook.stores.eventlog.checkpoint import checkpoints
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.segment import lines, segments

from .diagnose import diagnose
from .finding import Attack, AuditFinding, Checked
from .journal import CHECKPOINT, REDACTION, actions
from .keys import key_id
from .merkle import Tree
from .redact import summed
from .seal import FILE, Seal, seals
from .vouch import doubts, first_of_each

TOLERANCE = 300.0
"""Seconds by which times may disagree: hosts tell their own."""
_TIME = re.compile(rb'"time":([0-9.e+]+)')


def check(
    folder: Path,
    elsewhere: Mapping[str, Sequence[Seal]] | None = None,
    *,
    keys: Collection[str] = (),
) -> list[Checked]:
    """Return what there is to say about every stream of *folder*.

    *elsewhere* are seals from a second place, by stream; *keys* the public keys that may sign.
    """
    apart = elsewhere or {}
    found = {path.name: path for path in streams(folder)}
    noted: dict[str, dict[int, list[str]]] = {}
    for action in actions(folder, CHECKPOINT):
        about = noted.setdefault(str(action.input["stream"]), {})
        about.setdefault(int(action.input["number"]), []).append(str(action.input["digest"]))
    redactions: dict[str, list[Record]] = {}
    for action in actions(folder, REDACTION):
        redactions.setdefault(str(action.input["digest"]), []).append(action)
    names = sorted({*found, *apart, *noted})
    return [
        _Walk(folder / name, apart.get(name, ()), noted.get(name, {}), redactions, keys).checked()
        for name in names
    ]


class _Walk:
    """One way through a stream."""

    def __init__(
        self,
        stream: Path,
        elsewhere: Sequence[Seal],
        noted: Mapping[int, Sequence[str]],
        redactions: Mapping[str, Sequence[Record]],
        keys: Collection[str],
    ) -> None:
        self._stream = stream
        self._here = seals(stream)
        self._elsewhere = first_of_each(elsewhere)
        self._redactions = redactions
        self._findings = list(doubts(stream / FILE, self._here, elsewhere, noted, keys))
        both = {made.number: made for made in self._here if made.number} | self._elsewhere
        self._seals = [both[number] for number in sorted(both)]
        self._met: list[Seal] = []
        self._tree, self._head = Tree(), GENESIS
        self._lines = self._redacted = self._unfinished = 0
        self._done: list[Record] = []
        self._latest = 0.0
        self._backwards = False
        self._intact = True

    def checked(self) -> Checked:
        """Return what was found on the way."""
        paths = segments(self._stream) if self._stream.is_dir() else []
        if not paths:
            self._intact = False
            self._note(Attack.GONE, str(self._stream), "a sealed stream is missing")
            return self._summed()
        self._begin(paths[0])
        for above, path in zip([None, *paths], paths, strict=False):
            if above and int(path.name[:8]) != int(above.name[:8]) + 1:
                missing = f"{int(above.name[:8]) + 1:08}"
                self._break(Attack.GONE, str(self._stream), f"segment {missing} is missing")
            if not self._intact or not self._through(path, last=path is paths[-1]):
                break
        if self._intact:
            self._look_for_the_end(paths[-1])
        return self._summed()

    def _begin(self, first: Path) -> None:
        """Take up the chain and the tree where the retired segments left them."""
        above = f"{int(first.name[:8]) - 1:08}"
        if above == "00000000":
            return
        retired = [p for p in checkpoints(self._stream) if p.retired and p.segment == above]
        ends = [s for s in self._seals if s.segment == above]
        if not retired:
            self._break(
                Attack.GONE,
                str(self._stream),
                f"segments up to {above} are missing, and retention did not remove them",
            )
            return
        self._head = retired[-1].head.encode()
        if ends and ends[-1].head == retired[-1].head:
            self._tree = ends[-1].tree
        self._seals = [made for made in self._seals if made.segment > above]

    def _through(self, path: Path, *, last: bool) -> bool:
        raws = list(lines(path))
        wanted = {made.size: made for made in self._seals if made.segment == path.name[:8]}
        size = 0
        chains: list[bytes] = []
        for number, raw in enumerate(raws, start=1):
            digest = raw[65:129]
            chain = sha256(self._head + digest).hexdigest().encode()
            body = sha256(raw[130:-1]).hexdigest().encode()
            if body != digest or not raw.startswith(chain):
                if last and not raw.endswith(b"\n"):
                    break  # being written
                if not raw.startswith(chain) or not self._is_redacted(
                    path, number, raw, digest, body
                ):
                    return self._broken(path, number, raws, chains)
            elif self._redactions and digest.decode() in self._redactions:
                self._unfinished += 1
            self._head = chain
            chains.append(chain)
            self._tree.add(digest)
            self._lines += 1
            size += len(raw)
            self._time(path, number, raw)
            if size in wanted and not self._meets(wanted.pop(size), path, number):
                return False
        return not self._passed(path, size, wanted, last=last)

    def _is_redacted(self, path: Path, number: int, raw: bytes, digest: bytes, body: bytes) -> bool:
        line = take_apart(raw[:-1])
        if line is None or not line.body.startswith(b'{"redacted":'):
            return False
        self._redacted += 1
        known = self._redactions.get(digest.decode(), ())
        self._done += known
        if body.decode() not in [action.input["body"] for action in known]:
            what = "the contents were removed without an entry in the journal"
            self._note(Attack.REDACTED, f"{path}:{number}", what)
        return True

    def _broken(
        self, path: Path, number: int, raws: Sequence[bytes], chains: Sequence[bytes]
    ) -> bool:
        found = diagnose(str(path), number, raws[number - 1 :], self._head, chains)
        if found.attack is Attack.DELETED and self._none_missing(
            path, raws, self._tree.count - len(chains)
        ):
            what = "the line was rewritten: none is missing before the next checkpoint"
            found = AuditFinding(attack=Attack.EDITED, where=found.where, what=what)
        self._intact = False
        self._findings.append(found)
        return False

    def _none_missing(self, path: Path, raws: Sequence[bytes], start: int) -> bool:
        """Say whether the next seal in this segment still finds as many lines as it counted."""
        heads = [raw[:64].decode(errors="replace") for raw in raws]
        for made in self._seals:
            later = made.segment == path.name[:8] and made.count > self._tree.count
            if later and made.head in heads:
                return start + heads.index(made.head) + 1 == made.count
        return False

    def _meets(self, made: Seal, path: Path, number: int) -> bool:
        whole = self._tree.count == made.count and self._tree.root.hex() == made.root
        if made.head.encode() == self._head and (whole or not self._from_the_start(made)):
            self._met.append(made)
            return True
        what = f"checkpoint {made.number} has another line here: the log was rewritten"
        self._break(Attack.FORKED, f"{path}:{number}", what)
        return False

    def _from_the_start(self, made: Seal) -> bool:
        """Say whether our tree can be held against *made*: it began where the stream did."""
        return self._tree.count == self._lines or self._tree.count >= made.count

    def _passed(self, path: Path, size: int, wanted: Mapping[int, Seal], *, last: bool) -> bool:
        """Say whether a seal was passed by without meeting a line that ends there."""
        for end, made in sorted(wanted.items()):
            if end < size:
                what = (
                    f"checkpoint {made.number} has a line end at byte {end}: the log was rewritten"
                )
                self._break(Attack.FORKED, str(path), what)
            else:
                what = f"the log ends at byte {size}, checkpoint {made.number} has {end}"
                self._break(Attack.CUT, str(path), what)
            return True
        return False

    def _look_for_the_end(self, last: Path) -> None:
        for made in self._seals:
            if made.segment > last.name[:8]:
                what = f"segment {made.segment} is missing; checkpoint {made.number} covers it"
                self._break(Attack.GONE, str(self._stream), what)
                return

    def _time(self, path: Path, number: int, raw: bytes) -> None:
        told = _TIME.search(raw, 130, 400)
        if told is None:
            return
        when = float(told[1])
        if when < self._latest - TOLERANCE and not self._backwards:
            self._backwards = True
            what = f"it is dated {self._latest - when:.0f} s before a line above it"
            self._note(Attack.CLOCK, f"{path}:{number}", what)
        self._latest = max(self._latest, when)

    def _break(self, attack: Attack, where: str, what: str) -> None:
        self._intact = self._intact and attack is Attack.CUT
        self._note(attack, where, what)

    def _note(self, attack: Attack, where: str, what: str) -> None:
        self._findings.append(AuditFinding(attack=attack, where=where, what=what))

    def _summed(self) -> Checked:
        met = self._met[-1] if self._met else None
        return Checked(
            stream=self._stream.name,
            lines=self._lines,
            redacted=self._redacted,
            redactions=summed(self._done),
            unfinished=self._unfinished,
            intact=self._intact,
            complete_to=met.number if met else None,
            complete_at_ms=met.time_ms if met else None,
            signed_by=key_id(met.public) if met and met.signature else "",
            elsewhere=bool(met and met.number in self._elsewhere),
            findings=tuple(self._findings),
        )
