"""Where people ask: what ``snaphook allow`` and ``snaphook pause`` want, granted or refused.

Plea  ->  proof  ->  Permit  ->  Word

What the client says of itself counts for nothing; see proof.py.
"""

import asyncio
from collections.abc import Callable
from pathlib import Path
from time import time

import msgspec
from msgspec.structs import replace

from snaphook.config import Surroundings
from snaphook.config.places import project_root
from snaphook.errors import SnaphookError
from snaphook.providers.guard.way_out import Stop

from ..frames import Answer, Request  # noqa: TID252 - the daemon's own
from .always import allow_always
from .desk import Desk, settings_folder
from .diary import MINTED, REFUSED, REVOKED, SECRET_SET, Settle
from .judge import NoWay, stop_of_command
from .permits import Permit, matches, normal
from .person import Proof
from .processes import Process, callers, now
from .proof import Gatekeeper, Proven, Refused
from .secrets import Guesses
from .stops import Kept
from .words import Deed, PermitLine, Plea, StopLine, Word

ONCE_SECONDS = 900.0
"""How long a permit for one use waits for it."""
LONGEST = 12 * 3600.0


class Counter:
    """Grants what a person asks for, and nothing to anybody else."""

    def __init__(self, desk: Desk, settle: Settle) -> None:
        self._desk = desk
        self._settle = settle
        self._gate = Gatekeeper(Surroundings.here(Path("/")).config_dir / "passphrase")
        self._code_guesses = Guesses(now)

    async def answer(self, request: Request) -> Answer:
        """Return the word that *request* is given."""
        chain = callers()
        try:
            plea = msgspec.json.decode(request.stdin, type=Plea)
            word = await self._word(plea, request, chain)
        except msgspec.MsgspecError as problem:
            word = Word(says=f"no plea: {problem}", fix="Compare versions: snaphook doctor")
        except NoWay as why:
            word = Word(says=why.what, fix=why.fix)
        except (SnaphookError, OSError) as problem:
            word = Word(says=str(problem))
        return Answer(stdout=msgspec.json.encode(word))

    async def _word(self, plea: Plea, request: Request, chain: tuple[Process, ...]) -> Word:
        self._desk.sweep(request.env)
        around = Surroundings.here(Path(request.cwd or "/"), request.env)
        match plea.do:
            case Deed.LIST:
                return self._listing(plea, around)
            case Deed.REVOKE:
                return self._revoke(request, lambda one: one.id == plea.what, plea.what)
            case Deed.END_PAUSE:
                return self._revoke(request, lambda one: one.pauses, "pause")
            case Deed.SET_PASSPHRASE:
                return await self._set_passphrase(plea, request, chain)
            case Deed.PAUSE:
                return await self._grant(plea, request, chain, None, around)
            case Deed.ALLOW:
                wanted = self._wanted(plea, request, around)
                return await self._grant(plea, request, chain, wanted, around)

    def _wanted(self, plea: Plea, request: Request, around: Surroundings) -> Kept:
        """Return what is to be allowed: a stop by its number, or a command that would be stopped."""
        here = str(project_root(around))
        if (
            kept := self._fitting(plea, here)
            if plea.glob
            else self._desk.stops.find(plea.what, here)
        ):
            return kept
        if plea.what.isdecimal():
            raise NoWay(f"nothing was stopped under the number {plea.what}")
        settings, around = self._settle(request.cwd, request.env)
        stop = stop_of_command(plea.what, plea.tool, here, settings, around)
        return Kept(number=0, time=time(), stop=stop)

    def _fitting(self, plea: Plea, here: str) -> Kept | None:
        """Return the latest stop that the pattern fits, with what objected to any that it fits."""
        found = [
            one for one in self._desk.stops.latest(here) if matches(plea.what, one.stop.command)
        ]
        if not found:
            return None
        rules = frozenset[str]().union(*(one.stop.rules for one in found))
        return replace(found[0], stop=replace(found[0].stop, rules=rules))

    async def _grant(
        self,
        plea: Plea,
        request: Request,
        chain: tuple[Process, ...],
        kept: Kept | None,
        around: Surroundings,
    ) -> Word:
        """Return what became of a wish to allow *kept*, or everything."""
        if plea.code and plea.how == "always":
            raise NoWay("a code is for one call", "Leave --always away.")
        said = await self._who(plea, request, chain, kept)
        where = str(project_root(around))
        if isinstance(said, Refused):
            if not said.asks:
                command = kept.stop.command if kept else "pause"
                self._desk.diary.note(
                    REFUSED, said.why, env=request.env, command=command, project=where
                )
            return Word(says=said.why, fix=said.fix, asks="passphrase" if said.asks else "")
        if kept and plea.how == "always":
            settings, around = self._settle(kept.stop.cwd, request.env)
            file = await asyncio.to_thread(allow_always, kept.stop, settings, around)
            told = f"always, in {file}"
            self._desk.diary.note(
                MINTED, told, env=request.env, command=kept.stop.command, project=where
            )
            return Word(done=True, says=f"Allowed for good, in {file}: {kept.stop.command}")
        permit = self._mint(plea, said, kept.stop if kept else None, where)
        wait = permit.until - now() + 0.1
        asyncio.get_running_loop().call_later(wait, self._desk.sweep, request.env)
        told = f"{permit.id}: {_terms(permit, plea)}; proved by {said.proof}"
        self._desk.diary.note(
            MINTED,
            told,
            env=request.env,
            command=permit.command or "pause",
            project=where,
            session=permit.session,
        )
        return Word(done=True, says=_granted(permit, plea))

    async def _who(
        self, plea: Plea, request: Request, chain: tuple[Process, ...], kept: Kept | None
    ) -> Proven | Refused:
        """Return the person who asks."""
        if not plea.code or kept is None:
            return await self._gate.prove(chain, request.env, self._desk.agents, plea.passphrase)
        if wait := self._code_guesses.wait:
            return Refused(why=f"too many wrong codes; the next one is heard in {wait:.0f} s")
        if not self._desk.codes.take(kept.number, plea.code):
            self._code_guesses.wrong()
            return Refused(
                why="that is not the code for this, or it was used, or it is too old",
                fix="A new denial sends a new one.",
            )
        return Proven(proof=Proof.CODE)

    def _mint(self, plea: Plea, said: Proven, stop: Stop | None, here: str) -> Permit:
        if stop and plea.how == "session" and not stop.session:
            raise NoWay("no session asked for this yet", "Give its number: 'snaphook allow' lists.")
        seconds = {"once": ONCE_SECONDS, "session": LONGEST}.get(plea.how, plea.seconds)
        project = stop.project if stop else here
        return self._desk.permits.mint(
            Permit(
                id="",
                command=(plea.what if plea.glob else normal(stop.command)) if stop else "",
                tool=stop.tool if stop else "",
                glob=plea.glob,
                rules=stop.rules if stop else frozenset(),
                project="" if plea.anywhere else project,
                session=stop.session if stop and plea.how == "session" else "",
                once=stop is not None and plea.how == "once",
                until=now() + min(seconds, LONGEST),
                made=time(),
                proof=said.proof,
                seen=said.seen,
                known_since=said.known_since,
                known_by=said.known_by,
                told_by=settings_folder() if said.proof is Proof.CODE else "",
            )
        )

    async def _set_passphrase(
        self, plea: Plea, request: Request, chain: tuple[Process, ...]
    ) -> Word:
        said = await self._gate.prove(
            chain, request.env, self._desk.agents, plea.passphrase, alone_is_enough=True
        )
        refused = (
            said
            if isinstance(said, Refused)
            else await self._gate.change(said, plea.new_passphrase)
        )
        if refused is None:
            self._desk.diary.note(SECRET_SET, "a new passphrase", env=request.env, cwd=request.cwd)
            return Word(done=True, says="The passphrase is set; it is asked for from now on.")
        if not refused.asks:
            told = f"setting a passphrase: {refused.why}"
            self._desk.diary.note(REFUSED, told, env=request.env, cwd=request.cwd)
        return Word(says=refused.why, fix=refused.fix, asks="passphrase" if refused.asks else "")

    def _revoke(self, request: Request, chosen: Callable[[Permit], bool], name: str) -> Word:
        """Take permits back: whoever asks, it only gets stricter."""
        gone = [one for one in self._desk.permits if chosen(one)]
        if not gone:
            raise NoWay(f"there is no {name}", "'snaphook allow --list' shows what is allowed.")
        for permit in gone:
            self._desk.permits.revoke(permit.id)
            self._desk.diary.note(
                REVOKED,
                f"{permit.id} was taken back",
                env=request.env,
                command=permit.command or "pause",
                project=permit.project or request.cwd,
            )
        return Word(done=True, says=f"Taken back: {', '.join(one.id for one in gone)}")

    def _listing(self, plea: Plea, around: Surroundings) -> Word:
        here = "" if plea.anywhere else str(project_root(around))
        return Word(
            done=True,
            stops=tuple(_stop_line(one) for one in self._desk.stops.latest(here)),
            permits=tuple(_permit_line(one) for one in self._desk.permits if not one.used_by),
        )


def _terms(permit: Permit, plea: Plea) -> str:
    where = f"in {permit.project}" if permit.project else "everywhere"
    left = permit.until - now()
    span = f"{left / 60:.0f} min" if left >= 60 else f"{left:.0f} s"
    if permit.pauses:
        return f"every rule only warns for {span}, {where}"
    how = {"once": f"once, within {span}", "session": "in this session"}.get(
        plea.how, f"for {span}"
    )
    return f"{how}, {where}"


def _granted(permit: Permit, plea: Plea) -> str:
    if permit.pauses:
        return f"Paused ({permit.id}): {_terms(permit, plea)}."
    return f"Allowed ({permit.id}): {permit.command}\n{_terms(permit, plea)}."


def _stop_line(kept: Kept) -> StopLine:
    stop = kept.stop
    return StopLine(
        number=kept.number,
        time=kept.time,
        project=stop.project,
        tool=stop.tool,
        command=stop.command,
        reason=stop.reason,
        rules=tuple(sorted(stop.rules)),
    )


def _permit_line(permit: Permit) -> PermitLine:
    return PermitLine(
        id=permit.id,
        what=permit.command or "(everything: rules only warn)",
        where=permit.project,
        rules=tuple(sorted(permit.rules)),
        left=max(0.0, permit.until - now()),
        once=permit.once,
        proof=permit.proof,
    )
