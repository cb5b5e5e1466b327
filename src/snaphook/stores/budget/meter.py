"""The meter: charges in, balances out, and room set aside for what is under way.

Payer + Charges  ->  accounts        Payer + Limits  ->  a hold, or no

A clock that goes back, or another machine's that is behind, must not open yesterday's account
again: time stands still until it has caught up. A step of more than a day is taken for a clock put
right, and noted.
"""

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from time import time

import msgspec
from msgspec import Struct

from snaphook.canon import Usage

from .account import Accounts, Balance, Charge, Payer, accounts_of
from .database import Database, RunStatement

SKEW = 26 * 3600.0
"""Seconds that clocks may differ by before one of them is taken to have been wrong."""
HOLD_SECONDS = 3600.0
"""How long room is kept for somebody who never comes back."""


class Limit(Struct, frozen=True, kw_only=True):
    """The most that an account may come to."""

    micro_dollars: int | None = None
    tokens: int | None = None

    def share(self, balance: Balance) -> float:
        """Return the part of it that is used up, the dearer of the two; 1.0 is all of it."""
        parts = [
            used / most if most > 0 else 1.0
            for used, most in (
                (balance.micro_dollars + balance.held, self.micro_dollars),
                (balance.tokens, self.tokens),
            )
            if most is not None
        ]
        return max(parts, default=0.0)


class Bookmark(Struct, frozen=True, kw_only=True):
    """How far a transcript has been read, and what its reader must remember."""

    path: str
    at: int
    state: str = ""


class Meter:
    """What was spent, agreed on by everybody who shares *database*."""

    def __init__(self, database: Database, *, clock: Callable[[], float] = time) -> None:
        self._database = database
        self._clock = clock

    @property
    def remote(self) -> bool:
        """Say whether asking means waiting for a network."""
        return self._database.remote

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()

    def spend(
        self,
        payer: Payer,
        charges: Sequence[Charge],
        *,
        bookmark: Bookmark | None = None,
        hold: str | None = None,
        at: float | None = None,
    ) -> None:
        """Enter *charges*, with how far their transcript was read, in the place of *hold*.

        All of it or nothing; *at* is when it was spent, where that was not now.
        """
        with self._database.transaction(of=payer.session) as run:
            now = self._now(run) if at is None else at
            micros = tokens = 0
            for charge in charges:
                more = _enter(run, payer, charge, now)
                micros, tokens = micros + more[0], tokens + more[1]
            if bookmark is not None:
                values = msgspec.structs.asdict(bookmark)
                _upsert(run, "budget_reading", "path", **values)
            if hold is not None:
                _release(run, hold)
            if micros or tokens:  # last: everybody's day is among them
                _add(run, accounts_of(payer, now), micros=micros, tokens=tokens)

    def balances(self, payer: Payer) -> dict[str, Balance]:
        """Return what each of *payer*'s accounts has come to, by kind."""
        with self._database.reading() as run:
            accounts = accounts_of(payer, self._now(run))
            marks = ",".join(["(?,?)"] * len(accounts))
            rows = run(
                "SELECT kind, micros, tokens, held FROM budget_account "  # noqa: S608 - marks are ours
                f"WHERE (kind, name) IN (VALUES {marks})",
                [word for account in accounts.items() for word in account],
            )
        found = {
            str(kind): Balance(micro_dollars=int(micros), tokens=int(tokens), held=int(held))
            for kind, micros, tokens, held in rows
        }
        return {kind: found.get(kind, Balance()) for kind in accounts}

    def reserve(self, payer: Payer, limits: Mapping[str, Limit], micro_dollars: int) -> str | None:
        """Set *micro_dollars* aside in every account, or return ``None`` if one has no room."""
        self._let_expired_go()
        with self._database.transaction() as run:
            now = self._now(run)
            accounts = accounts_of(payer, now)
            for kind, limit in limits.items():
                if kind in accounts:
                    balance = _balance(run, kind, accounts[kind])
                    wanted = msgspec.structs.replace(balance, held=balance.held + micro_dollars)
                    if limit.share(wanted) > 1.0 or limit.share(balance) >= 1.0:
                        return None
            hold = uuid.uuid4().hex
            _add(run, accounts, held=micro_dollars)
            named = msgspec.json.encode(dict(accounts)).decode()
            run(
                "INSERT INTO budget_hold VALUES (?,?,?,?)",
                (hold, micro_dollars, named, now + HOLD_SECONDS),
            )
            return hold

    def release(self, hold: str) -> None:
        """Give back what *hold* set aside."""
        with self._database.transaction() as run:
            _release(run, hold)

    def bookmark(self, path: str) -> Bookmark:
        """Return how far the transcript at *path* has been read."""
        with self._database.reading() as run:
            rows = run("SELECT at, state FROM budget_reading WHERE path = ?", (path,))
        return (
            Bookmark(path=path, at=int(rows[0][0]), state=rows[0][1])
            if rows
            else Bookmark(path=path, at=0)
        )

    def tree_of(self, session: str, parent: str | None) -> str:
        """Return the session at the root of *session*'s family, *parent* having started it."""
        with self._database.transaction() as run:
            if known := run("SELECT tree FROM budget_family WHERE session = ?", (session,)):
                return str(known[0][0])
            above = run("SELECT tree FROM budget_family WHERE session = ?", (parent or session,))
            tree = str(above[0][0]) if above else parent or session
            run("INSERT INTO budget_family VALUES (?, ?)", (session, tree))
            return tree

    def repeated(self, session: str, digest: str) -> int:
        """Note a call of *session* and return how often in a row it was made."""
        with self._database.transaction() as run:
            rows = run("SELECT digest, times FROM budget_repeat WHERE session = ?", (session,))
            times = rows[0][1] + 1 if rows and rows[0][0] == digest else 1
            _upsert(run, "budget_repeat", "session", session=session, digest=digest, times=times)
            return int(times)

    def velocity(self, payer: Payer, seconds: float = 60.0) -> int:
        """Return the micro-dollars that *payer*'s tree spent in the last *seconds*."""
        with self._database.reading() as run:
            since = self._now(run) - seconds
            rows = run(
                "SELECT coalesce(sum(micros), 0) FROM budget_charge WHERE tree = ? AND time >= ?",
                (payer.tree, since),
            )
            return int(rows[0][0])

    def first_to_tell(self, payer: Payer, kind: str, level: int) -> bool:
        """Say whether nobody was told yet that the account *kind* passed *level*; one hears yes."""
        with self._database.transaction() as run:
            name = accounts_of(payer, self._now(run)).get(kind, "")
            changed = run(
                "UPDATE budget_account SET told = ? WHERE kind = ? AND name = ? AND told < ? "
                "RETURNING told",
                (level, kind, name, level),
            )
            return bool(changed)

    def has_charged(self, session: str) -> bool:
        """Say whether anything was entered for *session* or one of its subagents."""
        with self._database.reading() as run:
            rows = run(
                "SELECT 1 FROM budget_charge WHERE session = ? OR tree = ? LIMIT 1",
                (session, session),
            )
            return bool(rows)

    def latest_tree(self, project: str) -> str | None:
        """Return the root session that was the last to spend in *project*."""
        with self._database.reading() as run:
            rows = run(
                "SELECT tree FROM budget_charge WHERE project = ? ORDER BY time DESC LIMIT 1",
                (project,),
            )
        return str(rows[0][0]) if rows else None

    def by_model(
        self, *, tree: str = "", project: str = "", since: float = 0.0
    ) -> list[tuple[str, Charge, int]]:
        """Return, for each model, the sum of the charges that fit, and how many those are."""
        with self._database.reading() as run:
            rows = run(
                "SELECT model, sum(input), sum(output), sum(cache_read), sum(cache_write), "
                "sum(micros), max(estimated), count(*) FROM budget_charge "
                "WHERE (? = '' OR tree = ?) AND (? = '' OR project = ?) AND time >= ? "
                "GROUP BY model ORDER BY sum(micros) DESC, model",
                (tree, tree, project, project, since),
            )
        return [_summed(row) for row in rows]

    def accounts(self) -> list[tuple[str, str, Balance]]:
        """Return every account there is: kind, name, and what it has come to."""
        with self._database.reading() as run:
            rows = run(
                "SELECT kind, name, micros, tokens, held FROM budget_account ORDER BY kind, name"
            )
        return [
            (kind, name, Balance(micro_dollars=int(micros), tokens=int(tokens), held=int(held)))
            for kind, name, micros, tokens, held in rows
        ]

    def facts(self) -> dict[str, str]:
        """Return what people should know: a damaged file that was moved away, a clock put right."""
        with self._database.reading() as run:
            rows = run("SELECT name, value FROM budget_fact WHERE name <> 'latest'")
        return {str(name): str(value) for name, value in rows}

    def _let_expired_go(self) -> None:
        """Give back what was set aside for those who never came; each in a transaction of its own."""
        with self._database.reading() as run:
            gone = run("SELECT id FROM budget_hold WHERE until < ?", (self._now(run),))
        for (hold,) in gone:
            Meter.release(self, hold)

    def _now(self, run: RunStatement) -> float:
        """Return the time, which never goes back by less than a day."""
        now = self._clock()
        rows = run("SELECT value FROM budget_fact WHERE name = 'latest'")
        latest = float(rows[0][0]) if rows else 0.0
        if latest - SKEW < now < latest:
            return latest
        if now < latest:
            told = (
                f"the system clock went back by {latest - now:.0f} s, from {latest:.0f} to "
                f"{now:.0f}"
            )
            _upsert(run, "budget_fact", "name", name="clock", value=told)
        if now - latest > 1.0 or now < latest:  # a write a second at most
            _upsert(run, "budget_fact", "name", name="latest", value=repr(now))
        return now


def _enter(run: RunStatement, payer: Payer, charge: Charge, now: float) -> tuple[int, int]:
    """Enter *charge* and return by how much that changes money and tokens."""
    before = run("SELECT micros, input + output FROM budget_charge WHERE id = ?", (charge.id,))
    usage = charge.usage
    figures = {
        "model": charge.model,
        "input": usage.input_tokens,
        "output": usage.output_tokens,
        "cache_read": usage.cache_read_tokens,
        "cache_write": usage.cache_write_tokens,
        "micros": charge.micro_dollars,
        "estimated": int(charge.estimated),
        "host": charge.host,
        "agent": charge.agent,
    }
    who = {
        "session": payer.session,
        "tree": payer.tree,
        "project": payer.project,
        "tenant": payer.tenant,
    }
    _upsert(run, "budget_charge", "id", id=charge.id, time=now, **who, **figures)
    micros, tokens = before[0] if before else (0, 0)
    return charge.micro_dollars - int(micros), usage.total - int(tokens)


def _add(
    run: RunStatement, accounts: Accounts, *, micros: int = 0, tokens: int = 0, held: int = 0
) -> None:
    """Add to *accounts* at once, and always in one order: nobody waits for each other in turn."""
    rows = ",".join(["(?,?,?,?,?)"] * len(accounts))
    run(
        f"INSERT INTO budget_account (kind, name, micros, tokens, held) VALUES {rows} "  # noqa: S608
        "ON CONFLICT (kind, name) DO UPDATE SET micros = budget_account.micros + excluded.micros, "
        "tokens = budget_account.tokens + excluded.tokens, "
        "held = budget_account.held + excluded.held",
        [word for account in accounts.items() for word in (*account, micros, tokens, held)],
    )


def _balance(run: RunStatement, kind: str, name: str) -> Balance:
    rows = run(
        "SELECT micros, tokens, held FROM budget_account WHERE kind = ? AND name = ?", (kind, name)
    )
    if not rows:
        return Balance()
    micros, tokens, held = rows[0]
    return Balance(micro_dollars=int(micros), tokens=int(tokens), held=int(held))


def _release(run: RunStatement, hold: str) -> None:
    for micros, named in run(
        "DELETE FROM budget_hold WHERE id = ? RETURNING micros, accounts", (hold,)
    ):
        accounts: Accounts = msgspec.json.decode(named, type=dict[str, str])
        _add(run, accounts, held=-int(micros))


def _upsert(run: RunStatement, table: str, key: str, **values: object) -> None:
    names: Iterable[str] = values
    columns, marks = ", ".join(names), ", ".join("?" for _ in values)
    changes = ", ".join(f"{name} = excluded.{name}" for name in values if name != key)
    run(
        f"INSERT INTO {table} ({columns}) VALUES ({marks}) "  # noqa: S608 - names are ours
        f"ON CONFLICT ({key}) DO UPDATE SET {changes}",
        tuple(values.values()),
    )


def _summed(row: Sequence[object]) -> tuple[str, Charge, int]:
    model, *sums = row
    read, written, cached, kept, micros, estimated, count = (int(str(value)) for value in sums)
    usage = Usage(
        input_tokens=read,
        output_tokens=written,
        cache_read_tokens=cached,
        cache_write_tokens=kept,
    )
    charge = Charge(
        id="", model=str(model), usage=usage, micro_dollars=micros, estimated=bool(estimated)
    )
    return str(model), charge, count
