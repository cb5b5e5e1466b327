"""Real gates under a real shell, well-behaved and not."""

import asyncio
import contextlib
import os
import resource
import signal
import subprocess
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.thorough import thorough

from snaphook.providers.gates import Gate, GateRun, Verdicts, feedback, run_gates
from snaphook.providers.gates.run import FULL, KEEP, run_gate


def timeless(verdicts: Verdicts) -> list[GateRun]:
    return [replace(run, duration=0.0) for run in verdicts.runs]


def ran(command: str, code: int = 0, output: str = "", why: str = "") -> GateRun:
    return GateRun(gate=Gate(command=command), exit_code=code, output=output, why=why)


def size_of(path: str) -> int:
    return Path(path).stat().st_size


def words_in(path: str) -> list[str]:
    return Path(path).read_text().split()


@pytest.mark.req("SA-4", "SA-5", "SA-6")
@pytest.mark.parametrize(
    ("commands", "runs"),
    [
        pytest.param((), [], id="no gates"),
        pytest.param(
            ("echo a", "echo b"), [ran("echo a", 0, "a"), ran("echo b", 0, "b")], id="all"
        ),
        pytest.param(
            ("echo a", "echo no; exit 7", "touch never"),
            [ran("echo a", 0, "a"), ran("echo no; exit 7", 7, "no")],
            id="the first failure stops the round",
        ),
        pytest.param(
            ("echo out; echo err >&2; exit 1",),
            [ran("echo out; echo err >&2; exit 1", 1, "out\nerr")],
            id="stdout, then stderr",
        ),
        pytest.param(("",), [ran("")], id="an empty command passes"),
        pytest.param(
            ("kill -9 $$",),
            [ran("kill -9 $$", 137, "", "it was killed by SIGKILL")],
            id="killed by a signal is a failure",
        ),
        pytest.param(("cat",), [ran("cat")], id="stdin is empty"),
    ],
)
async def test_gates_run_in_order_up_to_the_first_failure(tmp_path, commands, runs):
    gates = [Gate(command=command) for command in commands]

    assert timeless(await run_gates(gates, codebase=tmp_path)) == runs
    assert not (tmp_path / "never").exists()


async def test_a_missing_program_is_a_failure_with_the_shells_words(tmp_path):
    run = await run_gate(Gate(command="no-such-program-here"), codebase=tmp_path)

    assert run.exit_code == 127
    assert "not found" in run.output


@pytest.mark.req("SA-12")
@pytest.mark.parametrize(
    "command",
    [
        "printf '%s|' \"a  b\" '$HOME' `echo x` $((1+1))",
        "for i in 1 2; do echo $i; done | sort -r",
        "echo '{session} {message_file}' \\\n  next",
        'x=1; [ $x = 1 ] && echo "it\'s"  # a comment',
    ],
)
def test_a_command_runs_exactly_as_it_does_by_hand(tmp_path, command):
    by_hand = subprocess.check_output(["sh", "-c", command], text=True).strip("\n")

    run = asyncio.run(run_gate(Gate(command=command), codebase=tmp_path))

    assert (run.exit_code, run.output) == (0, by_hand)


@pytest.mark.req("SA-4")
async def test_a_gate_runs_in_the_codebase(tmp_path):
    run = await run_gate(Gate(command="pwd -P"), codebase=tmp_path)

    assert run.output == str(tmp_path.resolve())


async def test_a_codebase_that_is_gone_is_a_failed_gate_not_a_crash(tmp_path):
    run = await run_gate(Gate(command="true"), codebase=tmp_path / "gone")

    assert run.exit_code == 127
    assert "it could not be started" in run.why


async def test_a_gate_that_hangs_is_ended_with_all_it_started(tmp_path):
    gate = Gate(command="(sleep 1; touch survived) & wait", timeout=0.3)

    run = await run_gate(gate, codebase=tmp_path)

    await asyncio.sleep(1.2)
    assert (run.exit_code, run.why) == (124, "it timed out after 0.3 s")
    assert not (tmp_path / "survived").exists()


async def test_a_gate_that_leaves_a_daemon_behind_does_not_wait_for_it(tmp_path):
    run = await run_gate(Gate(command="sleep 60 & echo $! > child"), codebase=tmp_path)

    with contextlib.suppress(ProcessLookupError):
        os.kill(int((tmp_path / "child").read_text()), signal.SIGKILL)
    assert run.passed
    assert run.duration < 30


async def test_binary_output_can_be_told_to_any_agent(tmp_path):
    command = r"printf '\000\377\033[31mred\033[0m\r\n\007end'; exit 1"

    run = await run_gate(Gate(command=command), codebase=tmp_path)

    assert run.output == "�red\nend"


async def test_a_gigabyte_is_bounded_in_memory_and_on_disk(tmp_path):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    much = thorough(1_000_000_000, 400_000_000)  # more than it may grow by
    command = f"echo first; head -c {much} /dev/zero | tr '\\0' x; echo; echo last; exit 1"

    run = await run_gate(Gate(command=command), codebase=tmp_path, outputs=tmp_path / "outputs")

    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert run.output.startswith("first\n")
    assert run.output.endswith("\nlast")
    assert "bytes left out" in run.output
    assert len(run.output) < KEEP + 100
    assert size_of(run.full_output) < FULL + 100
    assert grown < 200_000  # KiB
    assert run.full_output in feedback(run)


async def test_long_output_is_whole_in_the_file_the_feedback_names(tmp_path):
    run = await run_gate(
        Gate(command="seq 1 20000; exit 1"), codebase=tmp_path, outputs=tmp_path / "outputs"
    )

    whole = words_in(run.full_output)
    assert whole == [str(number) for number in range(1, 20001)]
    assert run.output.startswith("1\n2\n")
    assert run.output.endswith("19999\n20000")


async def test_a_disk_that_takes_no_output_costs_the_file_and_nothing_else(tmp_path):
    (tmp_path / "outputs").write_text("a file where a folder should be")

    run = await run_gate(
        Gate(command="seq 1 20000; exit 1"), codebase=tmp_path, outputs=tmp_path / "outputs"
    )

    assert (run.exit_code, run.full_output) == (1, "")
    assert run.output.endswith("20000")


@pytest.mark.req("SA-7")
def test_feedback_says_which_command_failed_how_and_what_it_printed():
    assert feedback(ran("make test", 2, "1 failed")) == (
        "Hook failed: `make test` (exit code 2)\n\n"
        "Output:\n1 failed\n\n"
        "Please fix the issue and try again."
    )


def test_feedback_about_a_silent_gate_says_so():
    assert "Output:\n(no output)\n" in feedback(ran("false", 1))


def test_feedback_explains_a_code_that_would_mislead():
    assert "(exit code 124: it timed out after 5 s)" in feedback(
        ran("x", 124, why="it timed out after 5 s")
    )


async def test_a_watcher_hears_of_each_gate_before_and_after(tmp_path):
    heard: list[tuple[str, int | None]] = []

    await run_gates(
        [Gate(command="true"), Gate(command="exit 4", name="four")],
        codebase=tmp_path,
        watch=lambda gate, run: heard.append((str(gate), run.exit_code if run else None)),
    )

    assert heard == [("true", None), ("true", 0), ("four", None), ("four", 4)]
