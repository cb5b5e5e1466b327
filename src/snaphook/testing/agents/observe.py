"""What a real agent does with our answers, seen from outside.

AgentProgram + its program  ->  runs on a scripted model  ->  Observation

The agent gets a home and a project made for it and talks to loopback only. The commands that the model
asks for write a word into a file of that project, and nothing else.
"""

import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from shlex import quote

from msgspec import Struct

from snaphook.config.environment import Environment
from snaphook.hosts import host_named
from snaphook.hosts.install import InstallLedger, Scope, apply, wire
from snaphook.storage.files import write_scratch
from snaphook.testing.script import Asked, Call, Script, Turn, say
from snaphook.testing.server import ModelServer

from .program import AgentProgram, AgentRun, AgentSandbox

RULES = r"""
[[hooks.SessionStart]]
command = "echo DOCTOR-SESSION"

[[hooks.UserPromptSubmit]]
command = "echo DOCTOR-PROMPT"

[[hooks.PreToolUse]]
matcher = "Bash"
command = "grep -q snaphook-doctor-refuses && { echo DOCTOR-REASON >&2; exit 2; }; exit 0"

[[hooks.PreToolUse]]
matcher = "Bash"
command = '''grep -q snaphook-doctor-asks && echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse",
  "permissionDecision": "ask", "permissionDecisionReason": "DOCTOR-QUESTION"}}'; exit 0'''

[[hooks.PostToolUse]]
matcher = "Bash"
command = '''echo '{"hookSpecificOutput": {"hookEventName": "PostToolUse",
  "additionalContext": "DOCTOR-RESULT"}}' '''

[[hooks.Stop]]
command = "grep -q '\"stop_hook_active\": *true' || { echo DOCTOR-STOP >&2; exit 2; }"
"""
PASSED, WRITTEN = "echo fine > passed.txt", "written.txt"
REFUSED = "echo snaphook-doctor-refuses > refused.txt"
ASKED = "echo snaphook-doctor-asks > asked.txt"

_PATIENCE = 240
"""Seconds for a run: several calls, each through a Python of its own, perhaps on a busy machine."""


class Observation(Struct, frozen=True, kw_only=True):
    """What was seen of one agent."""

    ran: bool = False
    """The model was asked at all."""
    refused: bool = False
    """A refused command did not run."""
    reason: str = ""
    """Who read why: ``model``, ``person`` (it stands in the agent's output), or nobody."""
    question: str = ""
    """What became of a question with nobody there: ``refused`` or ``ran``."""
    own_hooks: bool = False
    """The agent could not write over the file that holds our hooks."""
    passed: bool = False
    """A harmless command ran, and a harmless file was written."""
    session: bool = False
    prompt: bool = False
    result: bool = False
    """Text of ours reached the model: at the start, with the prompt, with a result."""
    stop: bool = False
    """A stop was sent back."""
    tools: tuple[str, ...] = ()
    """The tools it offered the model."""


def observe(agent: AgentProgram, program: Path | str, mode: str | None = None) -> Observation:
    """Run *agent* in *mode* and return what was seen; one that stops at a denial is run for each."""
    with (
        tempfile.TemporaryDirectory(
            prefix="snaphook-live-",
            ignore_cleanup_errors=True,  # something it started may still write
        ) as folder,
        ModelServer(Script((), otherwise=say("ok"))) as server,
    ):
        place, hooks = _place(Path(folder).resolve(), agent, server)
        runs = list(_runs(agent, program, place, hooks, mode))
        intact = b"snaphook" in hooks.read_bytes()  # agents keep further settings in that file
        made = {path.name for path in place.project.iterdir()}
    asked = [one for found, _ in runs for one in found]
    said = "".join(run.stdout + run.stderr for _, run in runs)

    def heard(word: str) -> bool:
        return any(one.heard(word) for one in asked)

    read = "model" if heard("DOCTOR-REASON") else "person" if "DOCTOR-REASON" in said else ""
    return Observation(
        ran=bool(asked),
        refused=bool(asked) and "refused.txt" not in made,
        reason=read,
        question="ran" if "asked.txt" in made else "refused",
        own_hooks=intact,
        passed={"passed.txt", WRITTEN} <= made,
        session=heard("DOCTOR-SESSION"),
        prompt=heard("DOCTOR-PROMPT"),
        result=heard("DOCTOR-RESULT"),
        stop=heard("DOCTOR-STOP"),
        tools=asked[0].tools if asked else (),
    )


def _runs(
    agent: AgentProgram,
    program: Path | str,
    place: AgentSandbox,
    hooks: Path,
    mode: str | None,
) -> Iterator[tuple[list[Asked], AgentRun]]:
    harmless = [agent.runs(PASSED), agent.write_call(str(place.project / WRITTEN), "fine")]
    harmful = [agent.runs(REFUSED), agent.runs(ASKED), agent.write_call(str(hooks), "{}")]
    plans = [[*harmless, *harmful]]
    if agent.denial_ends_run:
        plans = [[*harmless, harmful[0]], *([call] for call in harmful[1:])]
    for plan in plans:
        place.server.script = _script(agent, plan)
        run = agent.run(program, place, "please go", mode=mode, timeout=_PATIENCE)
        yield [one for one in place.server.asked if agent.shell_tool in one.tools], run


def _script(agent: AgentProgram, calls: Sequence[Call]) -> Script:
    answers = [*(say("", call) for call in calls), say("done"), say("done, really")]
    turns = [Turn(answer=answer, tool=agent.shell_tool) for answer in answers]
    return Script(turns, otherwise=say("ok"))


def _place(folder: Path, agent: AgentProgram, server: ModelServer) -> tuple[AgentSandbox, Path]:
    """Return a home where *agent* is wired as ``init`` does it, and the file that holds our hooks."""
    home, project = folder / "home", folder / "project"
    rules = home / ".config/snaphook/snaphook.toml"
    rules.parent.mkdir(parents=True)
    write_scratch(rules, RULES.encode())
    project.mkdir()
    place = AgentSandbox(home=home, project=project, server=server)
    agent.prepare(place)
    around = Environment(cwd=project, home=home, env={}, managed=home / "etc")
    # Python itself, not the native client: a daemon would answer for another home than this one.
    direct = (quote(sys.executable), "-m", "snaphook", "hook")
    host = host_named(agent.host)
    changes = wire(host, scope=Scope.USER, around=around, root=project, command=direct)
    apply(changes, InstallLedger(home / "ledger"))
    return place, next(c.path for c in changes if "PreToolUse" in c.path.name or c is changes[0])
