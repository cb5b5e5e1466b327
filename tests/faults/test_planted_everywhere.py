"""Tokens of 164 services in every field of a session's events: none is in what we keep, send or show.

planted tokens  ->  real hooks, daemon, worker, exporter, channel  ->  every byte we wrote, sent and printed
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tests.token_formats import Planted, planted
from tests.until import until

SNAPHOOK = Path(sys.executable).with_name("snaphook")
PROSE = "I found this in the old config: {} and it should be rotated.\n"


class _Collector(BaseHTTPRequestHandler):
    """Takes whatever telemetry and notices are posted, and keeps it."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.bodies.append(self.path.encode() + body)  # type: ignore[attr-defined]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def collector() -> Iterator[ThreadingHTTPServer]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Collector)
    server.bodies = []  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def settings(port: int) -> str:
    return f"""
[memory]
retain = true
[budget]
limit = 500
[essentials]
undo = true
[telemetry]
endpoint = "http://127.0.0.1:{port}"
content = true
interval = 0.2
[notify]
min_seconds = 0
events = ["stop", "notification", "subagent", "alert", "denied", "manual"]
[notify.channels.here]
type = "webhook"
url = "http://127.0.0.1:{port}/notice"
"""


def calls(
    made: list[Planted], project: Path, transcript: Path
) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield the events of a session; every text in them holds tokens."""
    lines = [each.text for each in made]
    text = "".join(PROSE.format(line) for line in lines)
    yield "SessionStart", {"source": "startup"}
    yield "UserPromptSubmit", {"prompt": f"From now on, use these:\n{text}"}
    yield "UserPromptSubmit", {"prompt": f"Always use this value: {lines[0]}"}
    for part in range(0, len(lines), 82):
        here = lines[part : part + 82]
        command = "cat <<'END'\n" + "\n".join(here) + "\nEND\ngit reset --hard"
        tool: dict[str, object] = {
            "tool_name": "Bash",
            "tool_input": {"command": command, "description": here[0]},
        }
        yield "PreToolUse", tool
        yield "PostToolUse", {**tool, "tool_response": {"stdout": text, "stderr": here[-1]}}
        yield "PostToolUseFailure", {**tool, "error": f"exit 1: {here[1]}"}
        content = {"file_path": f"{project}/{part}.txt", "content": "\n".join(here)}
        yield "PreToolUse", {"tool_name": "Write", "tool_input": content}
        yield (
            "PreToolUse",
            {"tool_name": f"mcp__x__{part}", "tool_input": {"a": {"b": [here, text]}}},
        )
    yield "PreToolUse", {"tool_name": "Bash", "tool_input": {"command": f"rm -rf / # {lines[5]}"}}
    yield "Notification", {"message": f"waiting for {lines[7]}", "notification_type": "idle_prompt"}
    yield "SubagentStop", {"agent_id": "a1", "agent_type": "x", "last_assistant_message": text}
    yield "PreCompact", {"trigger": "auto", "custom_instructions": text}
    yield "Stop", {"last_assistant_message": text, "transcript_path": str(transcript)}
    yield "SessionEnd", {"reason": "other"}


COMMANDS = (
    ["log", "-n", "500"],
    ["log", "--json"],
    ["stats"],
    ["undo", "list"],
    ["outbox", "list"],
    ["directives", "list"],
    ["memory", "retain", "DECISIONS.md"],
    ["memory", "recall", "old config rotated"],
    ["trace"],
    ["audit", "checkpoint"],
    ["audit", "export"],
    ["status"],
)


@pytest.mark.req("SQ-3")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("daemon", [True, False], ids=["daemon", "direct"])
def test_no_token_is_kept_sent_or_shown_anywhere(tmp_path, collector, daemon):
    made = planted(f"everywhere/{daemon}")
    home, project, runtime = tmp_path / "home", tmp_path / "project", tmp_path / "run"
    (home / ".config/snaphook").mkdir(parents=True)
    (home / ".config/snaphook/snaphook.toml").write_text(settings(collector.server_port))
    runtime.mkdir(mode=0o700)
    project.mkdir()
    subprocess.run(["git", "init", "-q", "."], cwd=project, check=True)
    text = "".join(f"- {PROSE.format(each.text)}" for each in made)
    (project / "DECISIONS.md").write_text(f"## Config\n\n{text}")
    transcript = tmp_path / "transcript.jsonl"
    transcript.write_text(
        "".join(
            json.dumps(
                {"type": kind, "message": {"role": kind, "content": PROSE.format(each.text)}}
            )
            + "\n"
            for each in made
            for kind in ("user", "assistant")
        )
    )
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "XDG_RUNTIME_DIR": str(runtime)}
    env |= {} if daemon else {"SNAPHOOK_NO_DAEMON": "1"}
    shown: list[bytes] = []

    def run(*words: str, stdin: str = "") -> bytes:
        done = subprocess.run(
            [str(SNAPHOOK), *words],
            cwd=project,
            env=env,
            input=stdin.encode(),
            capture_output=True,
            check=False,
            timeout=120,
        )
        return done.stdout + done.stderr

    try:
        for event, more in calls(made, project, transcript):
            call = {
                "hook_event_name": event,
                "session_id": f"s {made[3].text}",
                "cwd": str(project),
            }
            run("hook", "claude-code", event, stdin=json.dumps(call | more))
        shown = [run(*words) for words in COMMANDS]
        if daemon:
            assert until(lambda: len(collector.bodies) > 3)
    finally:
        run("daemon", "stop")

    kept = {
        str(path.relative_to(tmp_path)): path.read_bytes()
        for folder in (home, runtime)
        for path in folder.rglob("*")
        if path.is_file() and not path.is_symlink()
    }
    kept |= {f"sent {n}": body for n, body in enumerate(collector.bodies)}
    kept |= {" ".join(words): said for words, said in zip(COMMANDS, shown, strict=True)}
    found = {
        (where, each.kind)
        for where, content in kept.items()
        if "/objects/" not in where  # a snapshot keeps files as they are: that is what it is for
        for each in made
        if each.secret.encode() in content or json.dumps(each.secret)[1:-1].encode() in content
    }

    assert any(b"REDACTED" in content for content in kept.values())
    assert any(where.endswith(".log") for where in kept)
    assert found == set()
