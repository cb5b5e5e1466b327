"""The meter of a fleet: one ledger in a database, and a small one here for when that is away.

the database answers  ->  it is asked        it does not  ->  what was known, and what was spent here since

Nobody waits for a database that is away: the first question that fails says so, a thread asks until it
is back and hands over what was spent meanwhile. A charge has one id, so handing it over twice counts once.
How far transcripts were read, and which call was repeated, is this machine's own business and stays here.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, time
from typing import Any, TypeVar

from snaphook.canon import Usage
from snaphook.errors import StoreError

from .account import Balance, Charge, Payer, accounts_of
from .database import Database
from .meter import Bookmark, Limit, Meter
from .pending_charges import PendingCharges

RETRY = (1.0, 30.0)
"""The shortest and the longest time before a database that is away is asked again."""
NOTED_EVERY = 1.0
"""Seconds between two notes of what the fleet's accounts have come to."""
T = TypeVar("T")


class FleetMeter(Meter):
    """What a fleet has spent, as far as it can be told.

    Where it is *strict*, nothing is told while the database is away.
    """

    def __init__(
        self,
        far: Database,
        near: Database,
        *,
        clock: Callable[[], float] = time,
        strict: bool = True,
    ) -> None:
        super().__init__(far, clock=clock)
        self._near = Meter(near, clock=clock)
        self._owed = PendingCharges(near)
        self._strict = strict
        self._here = threading.RLock()
        self._away: StoreError | None = None
        self._over = threading.Event()
        self._looked = False
        self._noted = 0.0

    @property
    def away(self) -> bool:
        """Say whether the database was away when it was last asked."""
        return self._away is not None

    def close(self) -> None:
        """Let go of both."""
        self._over.set()
        super().close()
        with self._here:
            self._near.close()

    def spend(
        self,
        payer: Payer,
        charges: Sequence[Charge],
        *,
        bookmark: Bookmark | None = None,
        hold: str | None = None,
        at: float | None = None,
    ) -> None:
        """Enter *charges* in the fleet's accounts, or here until they can be handed over."""
        if charges or hold is not None:
            self._either(
                lambda: Meter.spend(self, payer, charges, hold=hold, at=at),
                lambda: self._near.spend(payer, charges, at=at),
            )
        if bookmark is not None:  # behind its charges: read twice is better than not at all
            with self._here:
                self._near.spend(payer, (), bookmark=bookmark)

    def balances(self, payer: Payer) -> dict[str, Balance]:
        """Return what the fleet's accounts have come to, with what was not handed over yet."""
        found = self._either(
            lambda: Meter.balances(self, payer), lambda: self._known(payer), strict=self._strict
        )
        with self._here:
            if self._away is None:  # nothing is owed
                self._note(payer, found)
                return found
            mine = self._near.balances(payer)
        return {kind: _sum(balance, mine[kind]) for kind, balance in found.items()}

    def reserve(self, payer: Payer, limits: Mapping[str, Limit], micro_dollars: int) -> str | None:
        """Set *micro_dollars* aside; while the database is away, in what is left as far as is known."""
        return self._either(
            lambda: Meter.reserve(self, payer, limits, micro_dollars),
            lambda: self._near.reserve(payer, self._left(payer, limits), micro_dollars),
            strict=self._strict,
        )

    def release(self, hold: str) -> None:
        """Give back what *hold* set aside, wherever that was."""
        with self._here:
            self._near.release(hold)
        self._either(lambda: Meter.release(self, hold), lambda: None)

    def bookmark(self, path: str) -> Bookmark:
        """Return how far the transcript at *path*, a file of this machine, has been read."""
        with self._here:
            return self._near.bookmark(path)

    def repeated(self, session: str, digest: str) -> int:
        """Note a call of *session*, which is on this machine, and how often in a row it was made."""
        with self._here:
            return self._near.repeated(session, digest)

    def tree_of(self, session: str, parent: str | None) -> str:
        """Return the session at the root of *session*'s family."""
        return self._either(
            lambda: Meter.tree_of(self, session, parent),
            lambda: self._near.tree_of(session, parent),
        )

    def velocity(self, payer: Payer, seconds: float = 60.0) -> int:
        """Return the micro-dollars that *payer*'s tree spent in the last *seconds*."""
        return self._either(
            lambda: Meter.velocity(self, payer, seconds),
            lambda: self._near.velocity(payer, seconds),
        )

    def first_to_tell(self, payer: Payer, kind: str, level: int) -> bool:
        """Say whether nobody in the fleet was told yet; while it is away, nobody here."""
        return self._either(
            lambda: Meter.first_to_tell(self, payer, kind, level),
            lambda: self._near.first_to_tell(payer, kind, level),
        )

    def has_charged(self, session: str) -> bool:
        """Say whether anything was entered for *session*, there or here."""
        with self._here:
            if self._near.has_charged(session):
                return True
        return self._either(lambda: Meter.has_charged(self, session), lambda: False)

    def by_model(
        self, *, tree: str = "", project: str = "", since: float = 0.0
    ) -> list[tuple[str, Charge, int]]:
        """Return, for each model, the sum of the charges that fit; while it is away, of those here."""
        return self._either(
            lambda: Meter.by_model(self, tree=tree, project=project, since=since),
            lambda: self._near.by_model(tree=tree, project=project, since=since),
            strict=self._strict,
        )

    def facts(self) -> dict[str, str]:
        """Return what people should know; also that the fleet's ledger is away."""
        told = self._either(lambda: Meter.facts(self), self._near.facts)
        if self._away is None:
            return told
        return {
            **told,
            "away": "the fleet's database cannot be reached; this machine counts alone for now",
        }

    def hand_over(self) -> None:
        """Enter in the fleet's accounts what was spent while they were away, and ask them from now on."""
        while True:
            with self._here:
                batch = self._owed.some()
                if not batch:
                    self._away = None
                    return
            for (payer, at), charges in _by_payer(batch).items():
                Meter.spend(self, payer, charges, at=at)
            with self._here:
                self._owed.settle(batch)

    def _either(self, far: Callable[[], T], near: Callable[[], T], *, strict: bool = False) -> T:
        """Return what the database says; what is known here, if it is away and we are not *strict*."""
        if self._away is None:
            try:
                self._look_once()
                return far()
            except StoreError as problem:
                self._leave(problem)
        with self._here:
            if away := self._away:
                if strict:
                    raise StoreError(where=away.where, what=away.what, fix=away.fix) from away
                return near()
        return self._either(far, near, strict=strict)  # back this moment

    def _look_once(self) -> None:
        """Hand over what a process before us could not."""
        if not self._looked:
            self.hand_over()
            self._looked = True

    def _leave(self, problem: StoreError) -> None:
        with self._here:
            if self._away is None:
                self._away = problem
                threading.Thread(
                    target=self._come_back, name="snaphook-budget", daemon=True
                ).start()

    def _come_back(self) -> None:
        pause = RETRY[0]
        while not self._over.wait(pause):
            try:
                Meter.facts(self)  # does it answer at all?
                self.hand_over()
            except StoreError:
                pause = min(pause * 2, RETRY[1])
            else:
                return

    def _note(self, payer: Payer, found: Mapping[str, Balance]) -> None:
        """Keep what the fleet's accounts have come to, for when they cannot be asked."""
        if monotonic() - self._noted >= NOTED_EVERY:
            self._noted = monotonic()
            self._owed.note(accounts_of(payer, self._clock()), found)

    def _known(self, payer: Payer) -> dict[str, Balance]:
        return self._owed.noted(accounts_of(payer, self._clock()))

    def _left(self, payer: Payer, limits: Mapping[str, Limit]) -> dict[str, Limit]:
        known = self._known(payer)
        return {kind: _less(limit, known[kind]) for kind, limit in limits.items() if kind in known}


def _by_payer(batch: Sequence[Mapping[str, Any]]) -> dict[tuple[Payer, float], list[Charge]]:
    """Return the rows of *batch* as what one payer spent at one moment."""
    found: dict[tuple[Payer, float], list[Charge]] = defaultdict(list)
    for row in batch:
        payer = Payer(
            session=row["session"], tree=row["tree"], project=row["project"], tenant=row["tenant"]
        )
        usage = Usage(
            input_tokens=row["input"],
            output_tokens=row["output"],
            cache_read_tokens=row["cache_read"],
            cache_write_tokens=row["cache_write"],
        )
        charge = Charge(
            id=row["id"],
            model=row["model"],
            usage=usage,
            micro_dollars=row["micros"],
            estimated=bool(row["estimated"]),
            host=row["host"],
            agent=row["agent"],
        )
        found[payer, row["time"]].append(charge)
    return found


def _sum(one: Balance, other: Balance) -> Balance:
    return Balance(
        micro_dollars=one.micro_dollars + other.micro_dollars,
        tokens=one.tokens + other.tokens,
        held=one.held + other.held,
    )


def _less(limit: Limit, used: Balance) -> Limit:
    dollars, tokens = limit.micro_dollars, limit.tokens
    return Limit(
        micro_dollars=None if dollars is None else max(0, dollars - used.micro_dollars - used.held),
        tokens=None if tokens is None else max(0, tokens - used.tokens),
    )
