"""Machines of a fleet: each with a home, a runtime folder and a daemon of its own, on one database."""

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from tests.faults.nursery import CLIENT, Nursery

from snaphook.stores.eventlog.read import records

PRICE = 10
"""Micro-dollars for a token that the model of ``spend`` writes."""
T = TypeVar("T")


class FleetAnswer(Struct, frozen=True, kw_only=True):
    """What an agent was told."""

    verdict: str = "silence"
    reason: str = ""


class Machine(Nursery):
    """One machine; its agent is Claude Code, as far as hooks can tell."""

    def begin(self, settings: str) -> None:
        """Start anew: nothing recorded, *settings*, a daemon."""
        self.close_gently()
        shutil.rmtree(self.home / ".local", ignore_errors=True)
        for transcript in self.folder.glob("*.jsonl"):
            transcript.unlink()
        file = self.home / ".config/snaphook/snaphook.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(settings)
        self.start()

    def ask(self, session: str, command: str = "ls -la") -> FleetAnswer:
        """Have the agent ask to run *command*; return what it hears."""
        said = self.tell(
            "PreToolUse", session, tool_name="Bash", tool_input={"command": command}
        ).get("hookSpecificOutput", {})
        if "permissionDecision" not in said:
            return FleetAnswer()
        reason = said.get("permissionDecisionReason", "")
        return FleetAnswer(verdict=said["permissionDecision"], reason=reason)

    def tell(self, event: str, session: str, **fields: Any) -> dict[str, Any]:
        """Report *event* through the native client and return the answer."""
        wire = {
            "hook_event_name": event,
            "session_id": session,
            "cwd": str(self.project),
            "transcript_path": str(self.transcript(session)),
            **fields,
        }
        done = subprocess.run(
            [CLIENT, "claude-code", event],
            input=json.dumps(wire).encode(),
            capture_output=True,
            env=self.env,
            cwd=self.project,
            timeout=60,
        )
        assert done.returncode == 0, done.stderr
        answer: dict[str, Any] = json.loads(done.stdout) if done.stdout else {}
        return answer

    def spend(self, session: str, dollars: float, answer: str) -> None:
        """Have a model's *answer* cost *dollars*, as the agent's transcript tells it."""
        usage = {"input_tokens": 0, "output_tokens": round(dollars * 1_000_000 / PRICE)}
        message = {"id": answer, "model": "claude-sonnet-5", "role": "assistant", "usage": usage}
        line = {"type": "assistant", "sessionId": session, "message": message}
        with self.transcript(session).open("a") as file:
            file.write(json.dumps(line) + "\n")

    def transcript(self, session: str) -> Path:
        """Return where the agent writes what *session* said and used."""
        return self.folder / f"{session}.jsonl"

    def recorded(self) -> list[str]:
        """Return the ids of everything in this machine's own record."""
        return [record.id for record in records(self.record)]

    def snaphook(self, *words: str) -> str:
        """Run a command of ours on this machine."""
        done = subprocess.run(
            [sys.executable, "-m", "snaphook", *words],
            env=self.env,
            cwd=self.project,
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
        return done.stdout


def eventually(look: Callable[[], T], wanted: T, within: float = 50.0) -> T:
    """Return what *look* finds: *wanted*, or whatever it still is when the time is up."""
    until = time.monotonic() + within
    while (found := look()) != wanted and time.monotonic() < until:
        time.sleep(0.05)
    return found
