"""The daemon's side of ``snaphook allow`` and ``snaphook pause``.

OverrideRequest  ->  offer with a challenge  ->  proof  ->  ActiveOverride  ->  OverrideReply

What the client says about itself counts for nothing: only a proof that an agent cannot make lifts a *deny*.
"""

import asyncio
import os
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from time import time

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.config import Environment
from snaphook.config.settings_files import project_root
from snaphook.daemon.frames import ReplyFrame, RequestFrame
from snaphook.errors import SnaphookError
from snaphook.process.ancestry import callers, now
from snaphook.stores.overrides import root
from snaphook.stores.overrides.active import ActiveOverride
from snaphook.stores.overrides.codes import Guesses
from snaphook.stores.overrides.keys import KeyStore, KnownKey
from snaphook.stores.overrides.override import (
    OFFER_SECONDS,
    Level,
    Method,
    Override,
    matches,
    normal,
    signed_bytes,
)
from snaphook.stores.overrides.person import Witness, descends, doubt, refusal, witness
from snaphook.stores.overrides.proof import Proof, verify
from snaphook.stores.overrides.recent import RecentCall
from snaphook.stores.overrides.registry import (
    GRANTED,
    REFUSED,
    REVOKED,
    OverrideRegistry,
    settings_folder,
)
from snaphook.stores.overrides.standing import Standing, StandingOverrides

from .audit import Settle
from .enroll import OLD_PASSPHRASE, enroll, forget
from .evaluate import CannotAllow, block_of_command
from .listing import granted, key_line, override_line, recent_line, standing_line, terms
from .messages import SET_UP, OverrideAction, OverrideReply, OverrideRequest
from .notifier import channels_since

ONCE_SECONDS = 900.0
"""How long an override for one use waits for it."""
LONGEST = 12 * 3600.0
OFFERS = 64


class Refusal(Exception):  # noqa: N818 - an answer, not a failure
    """Why a request is refused; it goes on record."""

    def __init__(self, what: str, fix: str = "Run it in your own terminal.") -> None:
        super().__init__(what)
        self.what = what
        self.fix = fix


class _Offer(Struct, frozen=True, kw_only=True):
    """Terms that wait for a proof."""

    override: Override
    number: int
    settings: str
    until: float


class OverrideService:
    """Grants what a person asks for and proves; refuses the rest, on record."""

    def __init__(self, registry: OverrideRegistry, settle: Settle) -> None:
        self._registry = registry
        self._settle = settle
        self._offers: OrderedDict[str, _Offer] = OrderedDict()
        self._code_guesses = Guesses(now)

    async def answer(self, request: RequestFrame) -> ReplyFrame:
        """Return the reply to *request*."""
        around = Environment.here(Path(request.cwd or "/"), request.env)
        try:
            asked = msgspec.json.decode(request.stdin, type=OverrideRequest)
            reply = await self._reply(asked, request, around)
        except msgspec.MsgspecError as problem:
            reply = OverrideReply(
                text=f"invalid request: {problem}", fix="Compare versions: snaphook doctor"
            )
        except CannotAllow as why:
            reply = OverrideReply(text=why.what, fix=why.fix)
        except Refusal as why:
            self._record_refusal(why.what, request, around)
            reply = OverrideReply(text=why.what, fix=why.fix)
        except (SnaphookError, OSError) as problem:
            reply = OverrideReply(text=str(problem))
        return ReplyFrame(stdout=msgspec.json.encode(reply))

    async def _reply(
        self, asked: OverrideRequest, request: RequestFrame, around: Environment
    ) -> OverrideReply:
        self._registry.watch(around)
        self._registry.sweep(request.env)
        self._registry.take_over_unserved()
        match asked.do:
            case OverrideAction.LIST:
                return self._listing(asked, around)
            case OverrideAction.REVOKE:
                return self._revoke(request, around, lambda one: one.id == asked.what, asked.what)
            case OverrideAction.END_PAUSE:
                return self._revoke(request, around, lambda one: one.override.pauses, "pause")
            case OverrideAction.PREPARE:
                return await self._prepare(asked, request, around)
            case OverrideAction.GRANT:
                return await self._grant(asked, request, around)
            case OverrideAction.ENROLL:
                seen = self._requester(request)
                return enroll(self._registry, asked.key, seen, around)
            case OverrideAction.FORGET:
                self._requester(request)
                return forget(self._registry, asked, around)

    async def _prepare(
        self, asked: OverrideRequest, request: RequestFrame, around: Environment
    ) -> OverrideReply:
        """Return the terms to prove; or grant them at once where the terminal is enough."""
        kept = self._wanted(asked, request, around) if asked.what else None
        override = self._terms(asked, kept, around)
        offer = _Offer(
            override=override,
            number=kept.number if kept else 0,
            settings=settings_folder(request.env),
            until=now() + OFFER_SECONDS,
        )
        if asked.code:
            return self._by_code(asked.code, offer, request, around)
        seen = self._requester(request)
        if not KeyStore.of(around).current():
            why = self._needs_proof(override, seen)
            if not why:
                return self._activate(self._made(offer, Method.TERMINAL, seen), request, around)
            if not await asyncio.to_thread(_root_can_prove):
                raise Refusal(f"{why}{_outdated(around)}", SET_UP)
        self._offers[override.challenge] = offer
        if len(self._offers) > OFFERS:
            self._offers.popitem(last=False)
        return OverrideReply(offer=override)

    async def _grant(
        self, asked: OverrideRequest, request: RequestFrame, around: Environment
    ) -> OverrideReply:
        offer = self._offers.pop(asked.challenge, None)
        if offer is None or offer.until < now() or asked.proof is None:
            raise Refusal("the request has expired or was used already", "Start again.")
        seen = self._requester(request)
        if offer.settings != settings_folder(request.env):
            raise Refusal("the settings have changed since the request", "Start again.")
        found = await asyncio.to_thread(_proved, offer.override, asked.proof, around)
        if found is None:
            raise Refusal("the proof is not valid", "Try again.")
        active = self._made(offer, asked.proof.method, seen)
        if isinstance(found, KnownKey):
            active = replace(
                active,
                since=found.since,
                anchored=found.anchored,
                enrolled_by=self._registry.enrolled_by.get(found.root),
            )
        if offer.override.duration == "always":
            return self._keep(offer.override, asked.proof, found, request, around)
        return self._activate(active, request, around)

    def _by_code(
        self, code: str, offer: _Offer, request: RequestFrame, around: Environment
    ) -> OverrideReply:
        if offer.override.duration == "always" or not offer.number:
            raise CannotAllow("a code is for one blocked call", "Leave out --always.")
        if wait := self._code_guesses.wait:
            raise Refusal(f"too many wrong codes; the next one is accepted in {wait:.0f} s")
        if not self._registry.codes.take(offer.number, code):
            self._code_guesses.wrong()
            raise Refusal(
                "the code is wrong, was used already, or has expired",
                "A new denial sends a new one.",
            )
        own = Environment.here(Path("/"))
        active = replace(
            self._made(offer, Method.CODE, Witness()),
            settings=settings_folder(),
            since=channels_since(own),
        )
        return self._activate(active, request, around)

    def _needs_proof(self, override: Override, seen: Witness) -> str:
        """Return why the terminal alone does not do; nothing where it answers an *ask*."""
        if not override.pauses and override.level > Level.ASK:
            return "the guard denies this, and no method is set up to override a denial"
        if override.duration == "always":
            return "--always needs a proof, and no method is set up"
        return _doubtful(seen, self._registry)

    def _made(self, offer: _Offer, method: Method, seen: Witness) -> ActiveOverride:
        override = replace(offer.override, level=min(offer.override.level, method.level))
        return ActiveOverride(
            override=override,
            method=method,
            until=now() + min(override.seconds, LONGEST),
            made=time(),
            seen=seen,
            settings=offer.settings,
        )

    def _activate(
        self, active: ActiveOverride, request: RequestFrame, around: Environment
    ) -> OverrideReply:
        self._registry.active.add(active)
        wait = active.until - now() + 0.1
        asyncio.get_running_loop().call_later(wait, self._registry.sweep, request.env)
        override = active.override
        self._registry.audit(
            GRANTED,
            f"{active.id}: {terms(override)}; proved by {active.method}",
            env=request.env,
            command=override.command or "pause",
            project=str(project_root(around)),
            session=override.session,
        )
        return OverrideReply(done=True, text=granted(override))

    def _keep(
        self,
        override: Override,
        proof: Proof,
        found: KnownKey | bool,
        request: RequestFrame,
        around: Environment,
    ) -> OverrideReply:
        if not isinstance(found, KnownKey):
            raise CannotAllow(
                "--always needs a passphrase or a security key; sudo leaves no lasting proof",
                "Use --for, or run: snaphook allow --set-passphrase",
            )
        StandingOverrides.of(around).add(Standing(override=override, proof=proof, made=time()))
        self._registry.audit(
            GRANTED,
            f"{override.id}: {terms(override)}; proved by {proof.method}",
            env=request.env,
            command=override.command,
            project=str(project_root(around)),
        )
        return OverrideReply(done=True, text=granted(override))

    def _wanted(
        self, asked: OverrideRequest, request: RequestFrame, around: Environment
    ) -> RecentCall:
        """Return what is to be allowed: a blocked call by its number, or a command."""
        here = str(project_root(around))
        recent = self._registry.recent
        kept = self._fitting(asked, here) if asked.glob else recent.find(asked.what, here)
        if kept:
            return kept
        if asked.what.isdecimal():
            raise CannotAllow(f"no blocked call has the number {asked.what}")
        settings, around = self._settle(request.cwd, request.env)
        call = block_of_command(asked.what, asked.tool, here, settings, around)
        return RecentCall(number=0, time=time(), call=call)

    def _fitting(self, asked: OverrideRequest, here: str) -> RecentCall | None:
        """Return the latest call that the pattern fits, with the rules and level of all that it fits."""
        latest = self._registry.recent.latest(here)
        found = [one for one in latest if matches(asked.what, one.call.command)]
        if not found:
            return None
        rules = frozenset[str]().union(*(one.call.rules for one in found))
        level = max(one.call.level for one in found)
        return replace(found[0], call=replace(found[0].call, rules=rules, level=level))

    def _terms(
        self, asked: OverrideRequest, kept: RecentCall | None, around: Environment
    ) -> Override:
        call = kept.call if kept else None
        if call and asked.duration == "session" and not call.session:
            raise CannotAllow("no session made this call yet", "Give the number of a blocked call.")
        project = call.project if call else str(project_root(around))
        spans = {"once": ONCE_SECONDS, "session": LONGEST, "always": 0.0}
        always = asked.duration == "always"
        return Override(
            id=f"a{os.urandom(3).hex()}" if always else self._registry.active.next_id(),
            command=(asked.what if asked.glob else normal(call.command)) if call else "",
            tool=call.tool if call else "",
            glob=asked.glob,
            rules=call.rules if call else frozenset(),
            project="" if asked.anywhere else project,
            session=call.session if call and asked.duration == "session" else "",
            duration=asked.duration if call else "for",
            seconds=min(spans.get(asked.duration, asked.seconds), LONGEST),
            level=call.level if call else Level.DENY,
            challenge=os.urandom(16).hex(),
        )

    def _requester(self, request: RequestFrame) -> Witness:
        """Return what the kernel shows of the requesting process; an agent's own is refused.

        Also with a valid proof: a person must not type a passphrase where an agent can read it.
        """
        seen = witness(callers(), request.env)
        if why := refusal(seen):
            raise Refusal(why)
        if any(descends(seen, agent) for agent in self._registry.agents):
            raise Refusal("an agent started the requesting process")
        return seen

    def _revoke(
        self,
        request: RequestFrame,
        around: Environment,
        chosen: Callable[[ActiveOverride], bool],
        name: str,
    ) -> OverrideReply:
        """Take overrides back: anybody may, since it only gets stricter."""
        gone = [one.override for one in self._registry.active if chosen(one)]
        if kept := StandingOverrides.of(around).remove(name):
            gone.append(kept.override)
        if not gone:
            raise CannotAllow(
                f"unknown override {name}", "'snaphook allow --list' shows what is allowed."
            )
        for override in gone:
            self._registry.active.revoke(override.id)
            self._registry.audit(
                REVOKED,
                f"{override.id} was revoked",
                env=request.env,
                command=override.command or "pause",
                project=override.project or request.cwd,
            )
        return OverrideReply(done=True, text=f"Revoked: {', '.join(one.id for one in gone)}")

    def _listing(self, asked: OverrideRequest, around: Environment) -> OverrideReply:
        here = "" if asked.anywhere else str(project_root(around))
        standing = StandingOverrides.of(around)
        mine = settings_folder(around.env)
        active = (
            override_line(one)
            for one in self._registry.active
            if not one.used_by and (one.settings == mine or one.method is Method.ROOT)
        )
        return OverrideReply(
            done=True,
            recent=tuple(recent_line(one) for one in self._registry.recent.latest(here)),
            overrides=(*active, *(standing_line(one) for one, _ in standing.valid())),
            keys=tuple(key_line(one) for one in KeyStore.of(around).current()),
            invalid=tuple(map(str, standing.invalid())) if standing.folder.is_dir() else (),
        )

    def _record_refusal(self, why: str, request: RequestFrame, around: Environment) -> None:
        self._registry.audit(
            REFUSED, why, env=request.env, project=str(project_root(around)), cwd=request.cwd
        )


def _outdated(around: Environment) -> str:
    """Return a remark about a passphrase that no longer counts."""
    if not (around.config_dir / OLD_PASSPHRASE).exists():
        return ""
    return " (the passphrase of an earlier version no longer counts)"


def _root_can_prove() -> bool:
    """Return whether the system can ask for a password that an agent does not know."""
    return bool(root.command(root.PLACE)) and not root.asks_no_password()


def _proved(override: Override, proof: Proof, around: Environment) -> KnownKey | bool | None:
    """Return the key that made *proof*, or True if root agreed; ``None`` if it is not valid."""
    message = signed_bytes(override)
    if proof.method is Method.ROOT:
        return root.is_proved(override.challenge, message) or None
    known = KeyStore.of(around).find(proof.key)
    return known if known and verify(known.key, message, proof) else None


def _doubtful(seen: Witness, registry: OverrideRegistry) -> str:
    """Return why an agent that runs now could have made this request; nothing if it could not."""
    if seen.driven and registry.agents:
        return f"{seen.driven} can type into this terminal, and an agent is running"
    return next((why for agent in registry.agents if (why := doubt(seen, agent))), "")
