"""Gates inside an agent that a person drives.

Stop  ->  gates  ->  block, with the failed gate's output as the reason

The agent cannot say "done" while a gate is closed; after as many fixes as the builder would get, it
may, and the person is told which gate is still closed.
"""

from collections import OrderedDict
from pathlib import Path

from snaphook.canon import HookContext, HooksProvider, Message, Stance, Stop, StopOutput, Verdict
from snaphook.canon import UserPromptOutput, UserPromptSubmit

from .feedback import feedback, tail
from .read import read_gates
from .run import run_gates

MAX_RETRIES = 3
REMEMBERED = 1024


class GatesProvider(HooksProvider):
    """Blocks Stop while a gate of the project fails, *max_retries* times in a row."""

    name = "gates"
    stance = Stance.CLOSED

    def __init__(self, *, max_retries: int = MAX_RETRIES, outputs: str = "") -> None:
        self._max_retries = max_retries
        self._outputs = outputs
        self._attempts: OrderedDict[tuple[str, str | None], int] = OrderedDict()

    async def on_user_prompt_submitted(
        self, event: UserPromptSubmit, context: HookContext
    ) -> UserPromptOutput | None:
        """Start the count over: this is a new task."""
        self._attempts.pop(_whose(context), None)
        return None

    async def on_stop(self, event: Stop, context: HookContext) -> StopOutput | None:
        """Run the gates, and send the agent back to the first that is closed."""
        codebase = Path(context.team_root or context.cwd or ".")
        gates = read_gates(codebase)
        outputs = Path(self._outputs) if self._outputs else codebase / ".sauna" / "outputs"
        failed = (await run_gates(gates, codebase=codebase, outputs=outputs)).failure
        whose = _whose(context)
        if failed is None:
            self._attempts.pop(whose, None)
            return None
        attempts = self._attempts.pop(whose, 0)
        if attempts >= self._max_retries:
            note = (
                f"gates: '{failed.gate}' still fails after {attempts} fix attempts "
                f"(exit code {failed.exit_code}). The agent may stop; its work is not done.\n"
                f"{tail(failed)}"
            )
            return StopOutput(messages=(Message(note),))
        self._attempts[whose] = attempts + 1
        if len(self._attempts) > REMEMBERED:
            self._attempts.popitem(last=False)
        return StopOutput(decision=Verdict.BLOCK, reason=feedback(failed))


def _whose(context: HookContext) -> tuple[str, str | None]:
    return context.session_id, context.agent_id
