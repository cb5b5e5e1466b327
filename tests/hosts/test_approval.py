"""Twenty harmless commands and a dangerous one, in the real agents' own permission modes.

Where an agent cannot be asked without a person, a command that needs a prompt is refused; so a
result of each harmless command shows that none was needed.
"""

import json
import os
import re
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec.structs import replace

from snaphook.hosts.install import Preset
from snaphook.testing import Script, Turn, say
from snaphook.testing.agents.program import agent_environment

from .conftest import PROGRAMS, Bench

pytestmark = pytest.mark.timeout(300)  # a whole agent starts, on a busy machine too

HARMLESS = (
    "python3 -c 'print(6 * 7)'",
    "awk 'END { print NR }' README.md",
    'for f in *.md; do wc -l "$f"; done',
    "bash -c 'head -n 1 README.md'",
    "find . -name '*.md' -exec wc -c {} +",
    "find . -type f | xargs -n 1 basename",
    "timeout 5 cat README.md",
    "env LANG=C sort README.md",
    "wc -l < README.md",
    'while read -r line; do echo "$line"; done < README.md',
    "sort README.md | diff - README.md",
    "python3 -c 'import json; print(json.dumps([1, 2]))'",
    "sed -n '1,2p' README.md | tr a-z A-Z",
    "if test -f README.md; then echo yes; fi",
    "seq 3 | paste -sd+ - | awk '{ print $1 }'",
    "python3 - <<'EOF'\nimport os\nprint(sorted(os.listdir('.')))\nEOF",
    "printf '%s\\n' b a | sort | xargs echo",
    "( cd . && ls | sort -r | head -n 3 )",
    "cut -c1-3 README.md | nl | rev",
    "nice -n 1 du -sk .",
)
"""Claude Code and Copilot CLI ask about most of these in their default modes, the others about all."""
TOGETHER = 5
"""Commands that the model asks for at once."""
DANGEROUS = 'rm -rf "$HOME/Documents"'


HEADLESS = ("claude-code", "copilot-cli", "gemini-cli")


def prepared(here: Bench, level: str = "read-only") -> None:
    """Script the commands, and switch approval on."""
    kept = here.place.home / "Documents" / "letter.txt"
    kept.parent.mkdir(parents=True)
    kept.write_text("dear reader")
    calls = [here.agent.runs(f"echo 'end'-{at}; {one}") for at, one in enumerate(HARMLESS)]
    turns = [Turn(answer=say("", *calls[:TOGETHER]), when="look around", tools=True)]
    for at in range(TOGETHER, len(calls), TOGETHER):
        # Some agents ask side questions with tools in between; those have not heard the results.
        more = say("", *calls[at : at + TOGETHER])
        turns.append(Turn(answer=more, when=f"end-{at - 1}", tools=True))
    last = Turn(
        answer=say("", here.agent.runs(DANGEROUS)), when=f"end-{len(calls) - 1}", tools=True
    )
    here.place.server.script = Script([*turns, last], otherwise=say("done"))
    here.ruled(f'[approve]\nlevel = "{level}"\n')
    here.wired(preset=Preset.GUARD, approves=True)


def check(here: Bench) -> None:
    """Hold that every harmless command ran, and the dangerous one did not."""
    heard = "\n".join(line.text for asked in here.asked for line in asked.lines)
    ended = {int(at) for at in re.findall(r"\bend-(\d+)\b", heard)}
    assert ended == set(range(len(HARMLESS))), heard[-2000:]
    assert (here.place.home / "Documents" / "letter.txt").exists()


@pytest.mark.parametrize(
    "host", [pytest.param(one, marks=pytest.mark.needs(one)) for one in HEADLESS]
)
def test_harmless_commands_need_no_prompt_and_the_dangerous_one_is_stopped(host, bench):
    here = bench(host)
    here = replace(here, agent=replace(here.agent, modes={"as installed": ()}))
    prepared(here)

    here.run("look around", timeout=200)

    check(here)
    assert any(asked.heard("Snaphook Guard") for asked in here.asked)


@contextmanager
def speaking(here: Bench, *words: str) -> Iterator[tuple[Callable[[Any], None], Iterator[Any]]]:
    """Yield how to send a message to the agent, and the messages it sends."""
    process = subprocess.Popen(
        [str(PROGRAMS[here.agent.host]), *words],
        cwd=here.place.project,
        env=agent_environment(here.agent, here.place),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        start_new_session=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    to, out = process.stdin, process.stdout

    def send(message: Any) -> None:
        to.write(json.dumps(message) + "\n")
        to.flush()

    try:
        yield send, (json.loads(line) for line in out if line.startswith("{"))
    finally:
        os.killpg(process.pid, 9)
        process.wait()
        to.close()
        out.close()


@pytest.mark.needs("qwen-code")
def test_qwen_code_asks_about_the_dangerous_command_alone(bench):
    here = bench("qwen-code")
    prepared(here)
    prompts = []

    with speaking(here, "--input-format", "stream-json", "--output-format", "stream-json") as (
        send,
        messages,
    ):
        start = {"subtype": "initialize"}
        send({"type": "control_request", "request_id": "1", "request": start})
        said = {"role": "user", "content": "look around"}
        send({"type": "user", "message": said, "session_id": "s", "parent_tool_use_id": None})
        for message in messages:
            if message["type"] == "control_request":
                prompts.append(message["request"]["input"]["command"])
                no = {"behavior": "deny", "message": "no"}
                about = {"subtype": "success", "request_id": message["request_id"], "response": no}
                send({"type": "control_response", "response": about})
            elif message["type"] == "result":
                break

    check(here)
    assert prompts == [DANGEROUS]


@pytest.mark.needs("codex")
def test_codex_asks_about_nothing_and_the_dangerous_command_is_denied(bench):
    """With the policy that Codex uses where a project is not trusted: it asks about each command."""
    here = bench("codex")
    prepared(here)
    prompts = []

    with speaking(here, "app-server") as (send, messages):
        about = {"clientInfo": {"name": "test", "version": "1"}}
        send({"id": 901, "method": "initialize", "params": about})
        send({"method": "initialized"})
        where = {"cwd": str(here.place.project), "approvalPolicy": "untrusted"}
        send({"id": 902, "method": "thread/start", "params": where})
        for message in messages:
            if message.get("id") == 902:
                text = [{"type": "text", "text": "look around"}]
                thread = {"threadId": message["result"]["thread"]["id"], "input": text}
                send({"id": 903, "method": "turn/start", "params": thread})
            elif "method" in message and "id" in message:
                prompts.append(message["params"].get("command"))
                send({"id": message["id"], "result": {"decision": "decline"}})
            elif message.get("method") == "turn/completed":
                break

    check(here)
    assert prompts == []
    assert any(asked.heard("Snaphook Guard") for asked in here.asked)
