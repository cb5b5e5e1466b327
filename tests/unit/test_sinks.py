"""No secret survives, wherever something is kept or sent.

Every place that keeps or sends what an agent or a person said is one row of ``SINKS``: a function that
puts a text through it and returns all that came out at the other end. A new place gets a row.
"""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from snaphook.canon import (
    ErrorOccurred,
    HookContext,
    PostToolUse,
    PreToolUse,
    PreToolUseOutput,
    Stop,
    UserPromptOutput,
    UserPromptSubmit,
    Verdict,
)
from snaphook.config import Environment
from snaphook.engine import Engine
from snaphook.notify import deliver
from snaphook.notify.notice import Notice, plain
from snaphook.notify.settings import Webhook
from snaphook.providers.context import ContextSettings
from snaphook.providers.context import make as make_context
from snaphook.providers.memory.settings import MemorySettings
from snaphook.providers.policies import define_hooks
from snaphook.providers.resilience import ResilienceSettings
from snaphook.providers.resilience import make as make_resilience
from snaphook.providers.telemetry import TelemetryProvider, TelemetrySettings
from snaphook.providers.telemetry.collector import ExportFailure as Refused
from snaphook.providers.telemetry.measures import Measures
from snaphook.providers.telemetry.prometheus import exposition
from snaphook.providers.telemetry.span import TraceSpan
from snaphook.scrub import RULES
from snaphook.stores.eventlog import LogSettings
from snaphook.stores.memory.extract.document import DocumentOrigin
from snaphook.stores.outbox import Outbox
from snaphook.testing.secrets import made_up_secret
from snaphook.wiring.memory_jobs import keep as remember
from snaphook.wiring.memory_jobs import store_of
from snaphook.wiring.recording import keep

CONTEXT = HookContext(session_id="s", cwd="/project")
CHUNK = 60
"""Secrets put through a sink at once, one a line."""


def around(folder: Path) -> Environment:
    return Environment(cwd=folder, home=folder, env={}, managed=folder / "etc")


def everything_in(folder: Path) -> str:
    files = [path for path in folder.rglob("*") if path.is_file() and path.name != "salt"]
    return "\n".join(path.read_bytes().decode("utf-8", "replace") for path in files)


def log(text: str, folder: Path, _patch: pytest.MonkeyPatch) -> str:
    """The event log: prompts, arguments, results, last words."""
    engine = Engine([])
    events = (
        UserPromptSubmit(context=CONTEXT, prompt=text),
        PreToolUse(context=CONTEXT, tool_name="Bash", tool_args={"command": text}),
        PostToolUse(context=CONTEXT, tool_name="Read", tool_args={}, tool_result={"out": [text]}),
        Stop(context=CONTEXT, last_assistant_message=text),
    )
    for event in events:
        keep(asyncio.run(engine.evaluate(event)), LogSettings(), folder)
    return everything_in(folder)


def directives(text: str, folder: Path, _patch: pytest.MonkeyPatch) -> str:
    """The directives of a project, and what the person is told of them."""
    provider = make_context(ContextSettings(), around(folder))
    told = []
    for line in text.splitlines():
        prompt = UserPromptSubmit(context=CONTEXT, prompt=f"Always use this value: {line}")
        said = asyncio.run(provider.on_user_prompt_submitted(prompt, CONTEXT))
        assert isinstance(said, UserPromptOutput)
        told.append(repr(said))
    return everything_in(folder) + "\n".join(told)


def alerts(text: str, folder: Path, patch: pytest.MonkeyPatch) -> str:
    """The alerts of a failing model, as they wait in the outbox."""
    patch.setattr("snaphook.stores.outbox.workers.wake", lambda _around: None)
    for line in text.splitlines():
        provider = make_resilience(ResilienceSettings(threshold=1), around(folder))
        event = ErrorOccurred(
            context=CONTEXT, error=f"500 {line}", error_class="auth", current_model=str(hash(line))
        )
        asyncio.run(provider.on_error_occurred(event, CONTEXT))
    outbox = Outbox(folder / ".local/share/snaphook")
    jobs = outbox.jobs()
    outbox.close()
    assert len(jobs) == len(text.splitlines())
    return repr(jobs) + everything_in(folder)


def notifications(text: str, folder: Path, patch: pytest.MonkeyPatch) -> str:
    """What is handed to a channel."""
    sent: list[str] = []

    def sender(_channel: object) -> Callable[..., None]:
        return lambda _channel, notice, _around, _delivery: sent.append(plain(notice))

    patch.setattr(deliver, "sender", sender)
    for line in text.splitlines():
        notice = Notice(title=f"Done: {line}", text=line, facts={"Run": {"Words": line}})
        deliver.send_now(Webhook(url="http://127.0.0.1:9"), notice, around(folder), delivery="1")
    assert len(sent) == len(text.splitlines())
    return "\n".join(sent) + everything_in(folder)


def results(text: str, _folder: Path, _patch: pytest.MonkeyPatch) -> str:
    """A tool's result, as the policies hand it to the model."""
    ran = PostToolUse(context=CONTEXT, tool_name="Read", tool_args={}, tool_result={"out": text})
    said = asyncio.run(define_hooks(scrub_secrets=True).on_post_tool_use(ran, CONTEXT))
    assert said is not None
    return repr(said.modified_result)


class Hears:
    """A collector that keeps all it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def spans(self, spans: Sequence[TraceSpan]) -> bool:
        self.told.append(repr(spans))
        return True

    def stops(self, stops: Sequence[Refused]) -> bool:
        self.told.append(repr(stops))
        return True

    def metrics(self, measures: Measures, now: float) -> bool:
        self.told.append(exposition(measures))
        return True

    def close(self) -> None:
        pass


def telemetry(text: str, _folder: Path, _patch: pytest.MonkeyPatch) -> str:
    """Traces, lines and metrics, with all the content there is."""
    collector = Hears()
    provider = TelemetryProvider(TelemetrySettings(content=True), collector=collector, env={})
    deny = PreToolUseOutput(decision=Verdict.DENY, reason=f"no: {text}")
    engine = Engine([{"on_pre_tool_use": lambda *_: deny}], observers=[provider.observe])
    for event in (
        UserPromptSubmit(context=CONTEXT, prompt=text),
        PreToolUse(context=CONTEXT, tool_name="Bash", tool_args={"command": text}),
        PostToolUse(
            context=CONTEXT, tool_name="Read", tool_args={"path": text}, tool_result={"out": [text]}
        ),
        Stop(context=CONTEXT, last_assistant_message=text),
    ):
        asyncio.run(engine.evaluate(event))
    provider.close()
    assert len(collector.told) == 3
    return "\n".join(collector.told)


def memory(text: str, folder: Path, _patch: pytest.MonkeyPatch) -> str:
    """The memories of a project, and the pages they are shown on."""
    run = folder / "run"
    run.mkdir()
    notes = run / "THOUGHTS.md"
    notes.write_text(
        "# Thoughts\n\n" + "".join(f"- We found {line}\n" for line in text.split("\n"))
    )
    here = around(folder)
    store = store_of(MemorySettings(), here)
    remember(store, [notes], DocumentOrigin(project=str(folder)), MemorySettings(), here)
    kept = store.stats().memories
    store.close()
    notes.unlink()
    assert kept, "nothing was kept, so nothing is proved"
    return everything_in(folder)


SINKS: Mapping[str, Callable[[str, Path, pytest.MonkeyPatch], str]] = {
    "alerts": alerts,
    "directives": directives,
    "log": log,
    "memory": memory,
    "notifications": notifications,
    "results": results,
    "telemetry": telemetry,
}


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize("sink", SINKS)
def test_none_of_the_rules_own_positives_survives_in_any_sink(sink, tmp_path, monkeypatch):
    dice = random.Random(sink)
    made = [made_up_secret(rule, dice) for rule in RULES]
    single = [each for each in made if "\n" not in each.text]
    assert len(single) > 400

    for start in range(0, len(single), CHUNK):
        chunk = single[start : start + CHUNK]
        folder = tmp_path / str(start)
        folder.mkdir()
        left = SINKS[sink]("\n".join(each.text for each in chunk), folder, monkeypatch)

        assert [each.text for each in chunk if each.secret in left] == []
