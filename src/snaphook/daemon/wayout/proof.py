"""Have a person prove that they are one.

Plea + the process that asks  ->  Proven, or a refusal

Asked in this order: can it be a person at all; is there a passphrase, and do they know it; if there is
none, does their terminal prove it. A code that was sent elsewhere needs nothing of this.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from .person import Proof, Witness, descends, doubt, refusal, witness
from .processes import Process, now
from .secrets import SHORTEST, Found, Guesses, Hashed, hashed, load, store

SET_ONE = (
    "Use a terminal that was open before the agent began, or set a passphrase once, while no agent runs: "
    "snaphook allow --set-passphrase"
)


class Proven(Struct, frozen=True, kw_only=True):
    """A person, and by what they are known."""

    proof: Proof
    seen: Witness = Witness()
    known_since: float = 0.0
    known_by: Witness | None = None


class Refused(Struct, frozen=True, kw_only=True):
    """Why not, and what to do next; or what is to be said first."""

    why: str
    fix: str = "A person can do this in a terminal of their own."
    asks: bool = False
    """A passphrase would do."""


ASK = Refused(why="the passphrase is needed", fix="Type it when asked.", asks=True)


class Gatekeeper:
    """Knows the passphrase's hash, and counts the wrong guesses."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._guesses = Guesses(now)
        self._one_at_a_time = asyncio.Lock()
        self._looked = False
        self._remembered: Hashed | None = None
        self._set_by: Witness | None = None

    async def prove(
        self,
        chain: tuple[Process, ...],
        env: Mapping[str, str],
        agents: tuple[Process, ...],
        passphrase: str,
        *,
        alone_is_enough: bool = False,
    ) -> Proven | Refused:
        """Return the person at the end of *chain*, or why it cannot be told that they are one.

        *alone_is_enough*: where no agent was met yet, any terminal will do.
        """
        seen = witness(chain, env)
        if why := refusal(seen):
            return Refused(why=why)
        if any(descends(seen, agent) for agent in agents):
            return Refused(why="an agent started the process that asks")
        try:
            found = self._passphrase()
        except (OSError, ValueError) as problem:
            return Refused(why=f"the passphrase cannot be used ({problem})", fix=self._mend())
        if found is not None:
            return await self._by_passphrase(found, seen, passphrase)
        if why := _doubtful(seen, agents, alone_is_enough=alone_is_enough):
            return Refused(why=why, fix=SET_ONE)
        return Proven(proof=Proof.TERMINAL, seen=seen)

    async def change(self, proven: Proven, new: str) -> Refused | None:
        """Have *new* asked for from now on; the old one was part of the proof."""
        if len(new) < SHORTEST:
            return Refused(
                why=f"a passphrase has at least {SHORTEST} characters", fix="Take a longer one."
            )
        made = await asyncio.to_thread(hashed, new)
        await asyncio.to_thread(store, self._path, made)
        self._remembered, self._looked, self._set_by = made, True, proven.seen
        return None

    async def _by_passphrase(
        self, found: Found, seen: Witness, passphrase: str
    ) -> Proven | Refused:
        async with self._one_at_a_time:  # or many guesses would be made before the first is counted
            if wait := self._guesses.wait:
                return Refused(
                    why=f"too many wrong guesses; the next one is heard in {wait:.0f} s",
                    fix="Wait, then type it when asked.",
                )
            if not passphrase:
                return ASK
            if not await asyncio.to_thread(found.hashed.fits, passphrase):
                self._guesses.wrong()
                return Refused(why="that is not the passphrase", fix="Try again.")
            self._guesses.right()
        return Proven(
            proof=Proof.PASSPHRASE, seen=seen, known_since=found.since, known_by=self._set_by
        )

    def _passphrase(self) -> Found | None:
        """Return the passphrase; one that was changed or taken away behind our back is an error."""
        found = load(self._path)
        held = found.hashed if found else None
        if not self._looked:
            self._looked, self._remembered = True, held
        elif held != self._remembered:
            raise PermissionError(1, "somebody changed its file", str(self._path))
        return found

    def _mend(self) -> str:
        return f"If that was you, run 'snaphook daemon restart'; if not, look into {self._path} and the log."


def _doubtful(seen: Witness, agents: tuple[Process, ...], *, alone_is_enough: bool) -> str:
    """Return why this terminal does not prove a person."""
    if alone_is_enough and not agents:
        return ""
    if seen.driven:
        return f"{seen.driven} can be told to type into this terminal"
    if seen.leader is None:
        return "it was detached from the shell of its terminal"
    return next((why for agent in agents if (why := doubt(seen, agent))), "")
