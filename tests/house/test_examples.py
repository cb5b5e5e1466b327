"""The examples in the docs run, and print what the page says they print."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.thorough import EVERYTHING, only_thoroughly

DOCS = Path(__file__).parents[2] / "docs"
SDKS = (
    "how-to/sdks/claude-agent-sdk.md",
    "how-to/sdks/langchain.md",
    "how-to/sdks/mcp-proxy.md",
    "how-to/sdks/openai-agents.md",
    "how-to/sdks/pydantic-ai.md",
)
PAGES = (
    "how-to/add-a-host.md",
    "how-to/audit.md",
    "how-to/budget.md",
    "how-to/context.md",
    "how-to/embed.md",
    "how-to/outbox.md",
    "how-to/resilience.md",
    "how-to/sdks/agent-hooks.md",
    *(SDKS if EVERYTHING else ()),
    "how-to/tenants.md",
    "reference/scripted-model.md",
)
EXAMPLE = re.compile(r"```python\n(?P<code>.*?)```(?:\n\n```text\n(?P<printed>.*?)```)?", re.DOTALL)


def examples() -> list[object]:
    return [
        pytest.param(found["code"], found["printed"] or "", id=f"{page} {number}")
        for page in (*PAGES, "../README.md")
        for number, found in enumerate(EXAMPLE.finditer((DOCS / page).read_text()), start=1)
    ]


@pytest.mark.parametrize(("code", "printed"), examples())
def test_an_example_runs_and_prints_what_the_page_says(tmp_path, code, printed):
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, printed, "")


@only_thoroughly
def test_the_demo_plays_to_its_end():
    demo = DOCS.parent / "examples" / "demo_agent.py"

    done = subprocess.run([sys.executable, str(demo)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "✗ Hook blocked tool execution: [Snaphook Guard: blocked]" in done.stdout
    assert "↩ to the agent: The tests have not passed." in done.stdout


def test_the_guard_demo_stops_takes_back_and_replays():
    demo = DOCS.parent / "examples" / "demo_guard.py"

    done = subprocess.run([sys.executable, str(demo)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "snaphook allow 1 --once" in done.stdout
    assert 'print("half a day of work")' in done.stdout
    assert "deny → ask" in done.stdout


@only_thoroughly
def test_the_builder_demo_fixes_what_its_gate_found():
    demo = DOCS.parent / "examples" / "demo_builder.py"

    done = subprocess.run([sys.executable, str(demo)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "gate tests: failed (exit code 1)" in done.stdout
    assert "3 of 3 begun tasks passed, 1 fix" in done.stdout


@pytest.mark.req("SQ-9")
@pytest.mark.req("SQ-10")
@pytest.mark.skipif(not EVERYTHING, reason="its parts are tested one by one; it takes a while")
def test_the_business_demo_stops_an_agent_and_finds_a_cut_record():
    demo = DOCS.parent / "examples" / "demo_business.py"

    done = subprocess.run([sys.executable, str(demo)], capture_output=True, text=True)

    assert done.returncode == 0, done.stdout + done.stderr
    assert "tree: 102 % of $1.0000" in done.stdout
    assert "direct: tail cut:" in done.stdout


def test_the_provenance_demo_asks_about_a_page_and_not_about_the_person():
    demo = DOCS.parent / "examples" / "demo_provenance.py"

    done = subprocess.run([sys.executable, demo], capture_output=True, text=True, check=True)

    assert done.stdout.count("\nask  [Snaphook Provenance]") == 2
    assert "goes on" in done.stdout
    assert "package 'acme-fix' from call 1" in done.stdout
