"""Gates inside an agent that a person drives.

Stop  ->  gates  ->  block, with the failed gate's output as the reason

The agent cannot say "done" while a gate is closed; after as many fixes as the builder would get, it
may, and the person is told which gate is still closed.
"""

from pathlib import Path

from snaphook.canon import (
    HookContext,
    HooksProvider,
    Message,
    Stance,
    Stop,
    StopOutput,
    UserPromptOutput,
    UserPromptSubmit,
    Verdict,
)

from .attempts import Attempts
from .feedback import feedback, tail
from .gate import GateRun
from .read import read_gates
from .run import run_gates

MAX_RETRIES = 3
OUTPUTS = Path(".sauna") / "state" / "outputs"


class GatesProvider(HooksProvider):
    """Blocks Stop while a gate of the project fails, *max_retries* times in a row."""

    name = "gates"
    timeout = None  # every gate has its own timeout
    stance = Stance.CLOSED

    def __init__(self, *, max_retries: int = MAX_RETRIES) -> None:
        self._max_retries = max_retries

    async def on_user_prompt_submitted(
        self, event: UserPromptSubmit, context: HookContext
    ) -> UserPromptOutput | None:
        """Start the count over: this is a new task."""
        Attempts(_codebase(context)).forget(context.session_id)
        return None

    async def on_stop(self, event: Stop, context: HookContext) -> StopOutput | None:
        """Run the gates, and send the agent back to the first that is closed."""
        codebase = _codebase(context)
        gates = read_gates(codebase)
        if not gates:
            return None
        ran = await run_gates(gates, codebase=codebase, outputs=codebase / OUTPUTS)
        attempts = Attempts(codebase)
        if ran.failure is None:
            attempts.forget(context.session_id)
            return None
        return self._sent_back(ran.failure, attempts, context.session_id)

    def _sent_back(self, failed: GateRun, attempts: Attempts, session: str) -> StopOutput:
        count = attempts.of(session)
        if count < self._max_retries and attempts.set(session, count + 1):
            return StopOutput(decision=Verdict.BLOCK, reason=feedback(failed))
        attempts.forget(session)
        note = (
            f"gates: '{failed.gate}' still fails after {count} fix attempts "
            f"(exit code {failed.exit_code}). The agent may stop; its work is incomplete.\n"
            f"{tail(failed)}"
        )
        return StopOutput(messages=(Message(note),))


def _codebase(context: HookContext) -> Path:
    return Path(context.team_root or context.cwd or ".")
