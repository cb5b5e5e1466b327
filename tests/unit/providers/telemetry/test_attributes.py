"""What every signal says about who sends it, and what is told at the end."""

import socket
from typing import Any

import pytest

from snaphook.daemon.exporter import ExporterProcess
from snaphook.providers.telemetry import names as n
from snaphook.providers.telemetry.settings import TelemetrySettings
from snaphook.scrub import Scrubber
from snaphook.wiring.recording import _name


@pytest.mark.parametrize(
    ("model", "host", "provider"),
    [
        ("claude-opus-5", "", "anthropic"),
        ("anthropic:claude-sonnet-5", "cursor", "anthropic"),
        ("gpt-6-sol", "codex", "openai"),
        ("o3", "", "openai"),
        ("models/gemini-3-pro", "", "gcp.gemini"),
        ("", "claude-code", "anthropic"),
        ("house-1", "", "unknown"),
    ],
)
def test_the_provider_is_named_as_the_conventions_spell_it(model, host, provider):
    assert n.provider_name(model, host) == provider


@pytest.mark.parametrize(
    ("env", "host"),
    [({}, socket.gethostname()), ({"OTEL_RESOURCE_ATTRIBUTES": "host.name=box"}, "box")],
    ids=["this machine", "what the variable says"],
)
def test_the_host_is_named(env, host, monkeypatch):
    otlp = pytest.importorskip("snaphook.providers.telemetry.otlp")
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    made = otlp.Otlp(TelemetrySettings(endpoint="http://127.0.0.1:9"), env)

    assert made._resource.attributes["host.name"] == host


def test_the_numbers_are_told_when_the_daemon_leaves(tmp_path):
    told = []

    class Pipeline:
        settings = TelemetrySettings(interval=60.0)
        endpoint = None

        def once(self, *, all_of_it=False):
            told.append(all_of_it)
            return True

        def close(self):
            told.append("closed")

    exporter: Any = ExporterProcess({"HOME": str(tmp_path)}, lambda status: None)
    exporter._pipeline = Pipeline()
    exporter._follow_settings = lambda: None
    exporter._over.set()

    exporter.run()

    assert told == [True, "closed"]


def test_a_token_in_the_name_of_a_tool_is_scrubbed():
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"

    kept = _name(f"mcp__server__{token}__run", Scrubber(salt=b"s"))

    assert token not in kept
    assert kept.startswith("mcp__server__")
    assert kept.endswith("__run")
