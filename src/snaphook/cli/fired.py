"""What came of an event that was fired by hand, for people and for programs.

Outcome + HookResults  ->  text, or one JSON object
"""

import json
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon import reason, verdict
from snaphook.canon.delivery import deliver
from snaphook.config import CommandHook, ProviderEntry, Settings
from snaphook.engine import Outcome, ProviderAnswer
from snaphook.printable import printable_line
from snaphook.providers.commands import HookResult


class FiredEvent(Struct, frozen=True, kw_only=True):
    """An event, everybody's answer, every command that ran, and what was not allowed to."""

    outcome: Outcome
    ran: Sequence[HookResult]
    settings: Settings

    @property
    def withheld(self) -> list[CommandHook]:
        """Return the hooks that would have run, had anybody approved them."""
        name = self.outcome.event.event_name
        hooks = (hook for hook in self.settings.withheld if isinstance(hook, CommandHook))
        return [hook for hook in hooks if hook.event == name]

    @property
    def withheld_providers(self) -> list[ProviderEntry]:
        """Return the providers that nobody approved."""
        return [one for one in self.settings.withheld if isinstance(one, ProviderEntry)]


def as_json(fired: FiredEvent) -> str:
    """Return everything as one object on one line."""
    outcome = fired.outcome
    heard = deliver(outcome.event, outcome.output)
    output = msgspec.to_builtins(outcome.output) if outcome.output else {}
    output.pop("event", None)
    story = {
        "event": outcome.event.event_name,
        "verdict": heard.verdict,
        "to_agent": heard.to_agent,
        "to_user": heard.to_user,
        "context": heard.context,
        "prompt_erased": heard.prompt_erased,
        "providers": [_answer(answer) for answer in outcome.answers],
        "hooks": msgspec.to_builtins(fired.ran),
        "withheld": [
            *(hook.command for hook in fired.withheld),
            *(entry.use for entry in fired.withheld_providers),
        ],
        "output": output,
        "duration_ms": round(outcome.duration_ms, 3),
    }
    return json.dumps(story, default=str, ensure_ascii=False)


def _answer(answer: ProviderAnswer) -> dict[str, Any]:
    return {
        "name": answer.by,
        "verdict": verdict(answer.output),
        "reason": reason(answer.output),
        "error": str(answer.error) if answer.error else None,
        "again": answer.again,
        "duration_ms": round(answer.duration_ms, 3),
    }


def as_text(fired: FiredEvent) -> str:
    """Return the story as people read it."""
    return "\n".join([*_asked(fired), *_sum(fired.outcome)])


def _asked(fired: FiredEvent) -> Iterator[str]:
    yield fired.outcome.event.event_name
    for answer in fired.outcome.answers:
        yield f"  {printable_line(answer.by):<12}  {_said(answer)}"
    for result in fired.ran:
        yield printable_line(f"    {result.hook}  {_ended(result)}  ({result.origin})")
    if not fired.outcome.answers:
        yield "  no hooks for this event"
    for hook in fired.withheld:
        yield printable_line(f"  not trusted   {hook.command.strip()}  ({hook.origin})")
    for entry in fired.withheld_providers:
        yield printable_line(f"  not trusted   provider '{entry.name}'  ({entry.origin})")
    if fired.withheld or fired.withheld_providers:
        yield "  To approve them, run: snaphook trust"


def _said(answer: ProviderAnswer) -> str:
    again = ", asked again" if answer.again else ""
    took = f"({answer.duration_ms:.2f} ms{again})"
    if answer.error:
        return f"failed  {took}\n      {printable_line(str(answer.error))}"
    if answer.output is None:
        return f"no opinion  {took}"
    return f"{verdict(answer.output) or 'adds context'}  {took}"


def _ended(result: HookResult) -> str:
    if result.failure:
        how = f"did not start: {result.failure}"
    elif result.timed_out:
        how = "ran out of time"
    elif result.signal is not None:
        how = f"was killed by signal {result.signal}"
    else:
        how = f"exit {result.exit_code}"
    return f"{how}, {result.duration_ms:.0f} ms"


def _sum(outcome: Outcome) -> Iterator[str]:
    heard = deliver(outcome.event, outcome.output)
    yield f"→ {heard.verdict or 'goes on'}"
    for name, texts in (
        ("to the agent", heard.to_agent),
        ("to the person", heard.to_user),
        ("context", heard.context),
    ):
        for text in texts:
            yield f"  {name:<14}" + text.replace("\n", "\n" + " " * 16)
    for field in ("modified_args", "modified_prompt", "environment", "modified_config"):
        if changed := getattr(outcome.output, field, None):
            yield f"  {field.replace('_', ' '):<14}{json.dumps(changed, default=str)}"
    if heard.prompt_erased:
        yield "  the prompt is erased"
