"""A telemetry provider proves that every hook of the reference agent fires, where it should."""

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.servers.otlp import receiver

from snaphook.agent import Mode, Permission, Permissions
from snaphook.canon import PreToolUseOutput, Verdict
from snaphook.canon.table import BY_NAME
from snaphook.engine import Engine
from snaphook.providers.telemetry import TelemetryProvider, TelemetrySettings
from snaphook.testing import Recorder, ScriptedProvider

from .conftest import EVERYTHING


def counted(telemetry: TelemetryProvider) -> dict[str, int]:
    found: dict[str, int] = {}
    for family in text_string_to_metric_families(telemetry.exposition()):
        for sample in family.samples:
            if sample.name == "snaphook_events_total":
                found[sample.labels["snaphook_event"]] = int(sample.value)
    return found


@pytest.mark.req("SQ-7")
@pytest.mark.req("SQ-14")
async def test_a_telemetry_provider_counts_every_hook_that_fires(make):
    recorder, telemetry = Recorder(), TelemetryProvider(env={})
    ask = ScriptedProvider(
        "on_pre_tool_use", PreToolUseOutput(decision=Verdict.ASK, reason="sure?")
    )

    async def yes(_question):
        return Permission.ALLOW

    permissions = Permissions(mode=Mode.ALLOW_ALL, ask=yes)
    agent = make(EVERYTHING, ask, recorder, telemetry, permissions=permissions)

    await agent.send_message("go")
    await agent.compact()
    await agent.close()
    seen = counted(telemetry)
    telemetry.close()

    assert seen == {name: recorder.names.count(name) for name in recorder.names}
    assert set(BY_NAME) <= set(seen)


@pytest.mark.req("SQ-14")
async def test_a_whole_session_with_a_subagent_is_one_trace(make):
    deny = PreToolUseOutput(decision=Verdict.DENY, reason="not this one")
    with receiver() as collector:
        telemetry = TelemetryProvider(TelemetrySettings(endpoint=collector.url), env={})
        engine = Engine([ScriptedProvider("on_pre_tool_use", deny)], observers=[telemetry.observe])
        agent = make(EVERYTHING, engine=engine)
        await agent.send_message("go")
        await agent.close()
        telemetry.close()

    assert len({span.trace_id for span in collector.spans}) == 1
    assert sum(not span.parent_span_id for span in collector.spans) == 1
    asked = {span.span_id for span in collector.spans if span.name == "hook PreToolUse"}
    [line] = collector.lines
    assert line.span_id in asked


async def test_a_collector_that_is_away_costs_the_agent_nothing_and_memory_is_bounded(make):
    class Away:
        def spans(self, spans: object) -> bool:
            raise OSError("away")

        stops = metrics = spans

        def close(self) -> None:
            pass

    telemetry = TelemetryProvider(TelemetrySettings(interval=0.1), collector=Away(), env={})  # type: ignore[arg-type]
    agent = make(EVERYTHING, telemetry)

    result = await agent.send_message("go")

    assert result.text == "All done."
    with pytest.raises(OSError, match="away"):
        telemetry.close()
