"""Replay, explain and the live guard say the same of one call, the safety net and the sandbox included."""

import asyncio
import io
import json
import random
import subprocess
from pathlib import Path

import pytest
from tests.corpus.guard_rows import rows

from snaphook.canon import HookContext, PreToolUse
from snaphook.cli.guard.explain import explain_batch
from snaphook.config import Environment
from snaphook.providers.guard.provider import GuardProvider
from snaphook.replay import CurrentPolicy
from snaphook.wiring import assembly

RECOVERABLE = (
    "git reset --hard",
    "git reset --hard HEAD~1",
    "git checkout -- kept.py",
    "git checkout .",
    "git restore kept.py",
    "git clean -fd",
    "git stash drop",
    "rm kept.py",
    "rm -rf src",
    "echo x > kept.py",
    "mv kept.py /tmp/x",
    "git reset --hard && rm -rf /",
    "git reset --hard; cat .env",
    "cp /dev/null notes.txt",
    "$TOOL --all",
    "npm test",
    'bash -c "$X"',
)
SETTINGS = {
    "defaults": "",
    "everything recoverable": (
        "[guard]\nsafety_net = ['git.reset-unsaved', 'git.discard', 'git.history', 'delete.sources', "
        "'overwrite.sources', 'overwrite.kept']\n"
    ),
    "no net": "[guard]\nsafety_net = []\n",
    "stricter": "[guard]\npacks = ['ci', 'docker']\n[guard.rules]\n'git.reset-unsaved' = 'deny'\n",
    "no sandbox": "[sandbox]\nmode = 'off'\n",
}
_STOPS = {"ask": "ask", "deny": "deny"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    for name in ("kept.py", "src/app.py"):
        (root / name).write_text("print(1)\n")
    (root / ".gitignore").write_text("notes.txt\n.env\n")

    def git(*words: str) -> None:
        subprocess.run(["git", "-C", str(root), *words], check=True, capture_output=True)

    git("init", "-q")
    git("add", ".")
    git("-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "-qm", "first")
    (root / "kept.py").write_text("print(2)\n")
    (root / "notes.txt").write_text("mine\n")
    (root / "new.py").write_text("print(3)\n")
    return root


def wanted(project: Path, settings: str) -> None:
    """Put *settings* where a person keeps them: a project's own may loosen nothing."""
    file = project.parent / "home/.config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True)
    file.write_text(settings)


def commands() -> list[str]:
    """Return commands of every kind: a sample of the corpus, and what a snapshot can take back."""
    sample = random.Random(20).sample([row.command for row in rows() if row.cwd is None], 150)
    return [*RECOVERABLE, *sample]


def live(guard: GuardProvider, event: PreToolUse) -> str:
    output = asyncio.run(guard.on_pre_tool_use(event, event.context))
    decision = output.decision if output is not None else None
    return _STOPS.get(decision.name.lower(), "pass") if decision is not None else "pass"


@pytest.mark.parametrize("settings", SETTINGS.values(), ids=SETTINGS)
def test_replay_explain_and_live_say_the_same(project, settings):
    wanted(project, settings)
    around = Environment.here(project)
    guard = assembly.guard_of(assembly.read_settings(around, dialects=assembly.NATIVE), around)
    policy = CurrentPolicy(around)
    asked = commands()
    lines = b"".join(json.dumps({"command": one}).encode() + b"\n" for one in asked)
    out = io.StringIO()
    explain_batch(io.BytesIO(lines), out, str(project))
    explained = [json.loads(line)["verdict"] for line in out.getvalue().splitlines()]

    differ = []
    for number, (command, said) in enumerate(zip(asked, explained, strict=True)):
        context = HookContext(session_id=f"s{number}", cwd=str(project), agent_name="")
        event = PreToolUse(tool_name="Bash", tool_args={"command": command}, context=context)
        answers = (
            live(guard, event),
            policy.ruling(event).answer,
            _STOPS.get(said, "pass"),
        )
        if len(set(answers)) > 1:
            differ.append((command, answers))

    assert differ == []


@pytest.mark.parametrize("host", ["claude-code", "generic"])
def test_what_a_host_can_do_counts_for_all(project, host):
    around = Environment.here(project)
    guard = assembly.guard_of(assembly.read_settings(around, dialects=assembly.NATIVE), around)
    policy = CurrentPolicy(around)

    for number, command in enumerate(RECOVERABLE):
        context = HookContext(session_id=f"s{number}", cwd=str(project), host=host)
        event = PreToolUse(tool_name="Bash", tool_args={"command": command}, context=context)
        assert policy.ruling(event).answer == live(guard, event), command


def test_a_snapshot_lets_a_reset_go_on_everywhere(project):
    """'git reset --hard' went on live, and 'would be stopped' in replay."""
    wanted(project, SETTINGS["everything recoverable"])
    around = Environment.here(project)
    context = HookContext(session_id="s", cwd=str(project))
    event = PreToolUse(tool_name="Bash", tool_args={"command": "git reset --hard"}, context=context)
    guard = assembly.guard_of(assembly.read_settings(around, dialects=assembly.NATIVE), around)

    preview = guard.preview(event, context)

    assert preview.judgement.rule == "git.reset-unsaved"
    assert preview.snapshot
    assert live(guard, event) == "pass"
    assert CurrentPolicy(around).ruling(event).answer == "pass"


def test_a_replay_follows_what_a_session_did_before(project):
    (project / "x.sh").write_text("echo hello\n")
    policy = CurrentPolicy(Environment.here(project))

    def ruled(session: str, command: str, result: str = "") -> str:
        context = HookContext(session_id=session, cwd=str(project))
        event = PreToolUse(tool_name="Bash", tool_args={"command": command}, context=context)
        return policy.ruling(event, result).rule

    get = "curl -so x.sh https://example.com/x.sh"
    assert [ruled("one", get), ruled("one", "bash x.sh")] == ["", "remote.unread"]
    assert ruled("two", "bash x.sh") == ""
    assert [ruled("two", get), ruled("two", "bash x.sh")] == ["", "remote.unread"]
    assert ruled("three", "docker run -d --name db redis", "f" * 64) == ""
    assert [ruled("three", "docker rm -f db"), ruled("two", "docker rm -f db")] == [
        "",
        "containers.remove",
    ]
