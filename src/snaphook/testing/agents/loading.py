"""Whether an agent calls the hooks that ``init`` writes: one short run on a scripted model.

AgentProgram + its program  ->  Loading

The agent runs in a home of its own, wired as ``init`` wires it, so nothing of the user's is touched and no
hook of theirs runs.
"""

import tempfile
import time
from pathlib import Path

from msgspec import Struct

from snaphook.config.environment import Environment
from snaphook.hosts import host_named
from snaphook.hosts.install import InstallLedger, Scope, apply, wire
from snaphook.stores.eventlog import LogSettings
from snaphook.stores.eventlog.host_activity import host_activity
from snaphook.testing.script import Script, Turn, say
from snaphook.testing.server import ModelServer

from .program import AgentProgram, AgentSandbox

SECONDS = 120
WRITTEN_WITHIN = 3.0


class Loading(Struct, frozen=True, kw_only=True):
    """What came of the run."""

    asked: bool
    """The agent reached the model, so its start did not fail for another reason."""
    events: tuple[str, ...] = ()
    """The events that reached us, by our names."""
    said: str = ""
    """The end of its output, where it did not reach the model."""


def loading(agent: AgentProgram, program: str) -> Loading:
    """Run *agent* once and return which of our hooks it called."""
    with (
        tempfile.TemporaryDirectory(prefix="snaphook-init-", ignore_cleanup_errors=True) as folder,
        ModelServer(_script(agent)) as server,
    ):
        home, project = Path(folder).resolve() / "home", Path(folder).resolve() / "project"
        project.mkdir()
        place = AgentSandbox(home=home, project=project, server=server)
        around = Environment(cwd=project, home=home, env={}, managed=home / "etc")
        agent.prepare(place)
        host = host_named(agent.host)
        apply(wire(host, scope=Scope.USER, around=around, root=project), InstallLedger(home / "l"))
        run = agent.run(program, place, "please go", timeout=SECONDS)
        events = _events(agent.host, LogSettings().place(around.data_dir))
    return Loading(
        asked=bool(server.asked),
        events=events,
        said=(run.stderr.strip() or run.stdout.strip())[-300:],
    )


def _events(host: str, record: Path) -> tuple[str, ...]:
    """Return what was recorded; without a daemon the record is written after the answer was given."""
    until = time.monotonic() + WRITTEN_WITHIN
    while True:
        came = tuple(sorted(event for name, event in host_activity(record) if name == host))
        if "PreToolUse" in came or time.monotonic() > until:
            return came
        time.sleep(0.1)


def _script(agent: AgentProgram) -> Script:
    answers = say("", agent.runs("echo ok > snaphook.txt")), say("done")
    turns = [Turn(answer=answer, tool=agent.shell_tool) for answer in answers]
    return Script(turns, otherwise=say("ok"))
