"""Every run of a command hook is in the record: name, exit code, duration, and what it printed."""

import json
import os
import subprocess
import sys

import pytest
from tests.until import until

from snaphook import Engine, HookContext, PreToolUse
from snaphook.canon.hook_runs import RecordedRun
from snaphook.config import CommandHook, Dialect, Layer, Origin
from snaphook.engine import dispatch_sync
from snaphook.providers.commands import CommandHooks
from snaphook.providers.telemetry.measures import Measures
from snaphook.scrub import Scrubber
from snaphook.stores.eventlog.redaction import SENSITIVE
from snaphook.wiring.recording import PRINTED, record

SECRET = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"
EVENT = PreToolUse(
    context=HookContext(session_id="s", cwd="/"), tool_name="Bash", tool_args={"command": "ls"}
)


def kept(*hooks):
    """Return the runs in the record of an event that *hooks* were asked about."""
    made = [
        CommandHook(event="PreToolUse", dialect=Dialect.SNAPHOOK, **{"origin": ORIGIN, **hook})
        for hook in hooks
    ]
    outcome = dispatch_sync(Engine([CommandHooks(made)]), EVENT)
    return record(outcome, Scrubber()).hooks


ORIGIN = Origin(layer=Layer.CODE)


def test_each_run_is_kept_with_its_end_and_what_it_printed():
    good, bad = kept(
        {"name": "good", "command": "echo fine"},
        {"name": "bad", "command": "echo out; echo err >&2; exit 3"},
    )

    assert good == RecordedRun(
        hook="good", exit_code=0, stdout="fine\n", duration_ms=good.duration_ms
    )
    assert bad == RecordedRun(
        hook="bad", exit_code=3, stdout="out\n", stderr="err\n", duration_ms=bad.duration_ms
    )
    assert min(good.duration_ms, bad.duration_ms) > 0
    assert (good.ended, good.failed, bad.ended, bad.failed) == ("exit 0", False, "exit 3", True)


@pytest.mark.parametrize(
    ("hook", "ended"),
    [
        ({"command": "sleep 9", "timeout": 0.2}, "timed out"),
        ({"command": "kill -9 $$"}, "killed by signal 9"),
        ({"command": "true", "background": True}, "in the background"),
    ],
)
def test_a_run_that_did_not_end_by_itself_says_how(hook, ended):
    (run,) = kept({"name": "odd", **hook})

    assert run.ended == ended


def test_what_a_hook_prints_is_scrubbed_and_shortened():
    (run,) = kept({"name": "loud", "command": f"echo {SECRET}; seq 100000; echo end >&2"})

    assert SECRET not in run.stdout
    assert "[REDACTED:" in run.stdout
    assert len(run.stdout) < PRINTED + 100
    assert run.stdout.endswith("100000\n")
    assert run.stderr == "end\n"


def test_a_redaction_takes_the_runs_out_too():
    assert "hooks" in SENSITIVE


def test_telemetry_counts_runs_by_hook_and_end():
    hook = CommandHook(
        event="PreToolUse", dialect=Dialect.SNAPHOOK, name="bad", command="exit 3", origin=ORIGIN
    )
    measures = Measures()
    measures.take(record(dispatch_sync(Engine([CommandHooks([hook])]), EVENT), Scrubber()))

    (labels,) = measures.numbers["snaphook.hook.runs"]
    assert {"bad", "exit 3"} <= set(labels)


def test_the_log_shows_each_run_and_what_a_failed_one_said(tmp_path):
    settings = tmp_path / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(
        '[[hooks.PreToolUse]]\nname = "lint"\ncommand = "echo no semicolon >&2; exit 1"\n'
    )
    env = {
        "HOME": str(tmp_path),
        "PATH": os.environ["PATH"],
        "SNAPHOOK_DIRECT": "1",
        "SNAPHOOK_NO_DAEMON": "1",
    }
    wire = {
        "hook_event_name": "PreToolUse",
        "session_id": "s",
        "cwd": str(tmp_path),
        "tool_name": "Bash",
        "tool_input": {"command": "ls"},
    }

    def snaphook(*args, stdin=""):
        return subprocess.run(
            [sys.executable, "-I", "-m", "snaphook", *args],
            input=stdin,
            env=env,
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )

    snaphook("hook", "claude-code", "PreToolUse", stdin=json.dumps(wire))
    shown = until(lambda: out if "lint" in (out := snaphook("log").stdout) else "")

    assert "hook 'lint': exit 1, " in shown
    assert "no semicolon" in shown
    (run,) = json.loads(snaphook("log", "--json").stdout)["hooks"]
    assert (run["hook"], run["exit_code"], run["stderr"]) == ("lint", 1, "no semicolon\n")
