"""What a builder hears of a gate that failed, and what people hear when there are no more tries.

GateRun  ->  text
"""

from .gate import GateRun

TAIL_LINES = 20


def feedback(run: GateRun) -> str:
    """Return the message that goes back into the same session: which command, its code, its output."""
    output = run.output or "(no output)"
    full = f"\n\nThe whole output is in {run.full_output}" if run.full_output else ""
    how = f"exit code {run.exit_code}" + (f": {run.why}" if run.why else "")
    return (
        f"Hook failed: `{run.gate.command}` ({how})\n\n"
        f"Output:\n{output}{full}\n\n"
        "Please fix the issue and try again."
    )


def tail(run: GateRun, lines: int = TAIL_LINES) -> str:
    """Return the end of the gate's output."""
    return "\n".join(run.output.splitlines()[-lines:])
