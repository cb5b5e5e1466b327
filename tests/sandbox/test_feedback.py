"""What a confined call was refused reaches the agent, the record and the person."""

import asyncio

import pytest

from snaphook.canon import HookContext, PostToolUse, PreToolUse
from snaphook.providers.guard.provider import GuardProvider
from snaphook.providers.guard.sandboxing.feedback import SandboxFeedback
from snaphook.providers.guard.sandboxing.needs import Sandbox
from snaphook.sandbox.calls import ConfinedCalls
from snaphook.stores.overrides.registry import OverrideMatch

SILENT = "import os\ntry: os.unlink(open('orders').read())\nexcept OSError: pass\n"


class Person:
    """Whoever allows things; notes what was reported."""

    def __init__(self):
        self.reported = []
        self.allows = None

    def find(self, call):
        return self.allows if call.rules == {"sandbox"} else None

    def report(self, call):
        self.reported.append(call)
        return "To override this, the user can run in their own terminal: snaphook allow 1 --once"


class Session:
    """A guard that confines, and who tells of it, in a box."""

    def __init__(self, box):
        self.box, self.person = box, Person()
        confiner = box.confiner()
        calls = ConfinedCalls(box.base / "data" / "sandbox" / "calls")
        sandbox = Sandbox(make=lambda: confiner, calls=calls)
        self.guard = GuardProvider(
            box.guard, world=lambda _e, _c: box.world(), sandbox=sandbox, overrides=self.person
        )
        self.feedback = SandboxFeedback(
            sandbox, world=self.guard.world, kept=box.base / "kept", overrides=self.person
        )
        self.context = HookContext(session_id="s", cwd=str(box.project), team_root=str(box.project))

    def before(self, command, call="c1"):
        event = PreToolUse(
            tool_name="Bash", tool_args={"command": command}, tool_use_id=call, context=self.context
        )
        return asyncio.run(self.guard.on_pre_tool_use(event, self.context))

    def after(self, command, result="", call="c1"):
        event = PostToolUse(
            tool_name="Bash",
            tool_args={"command": command},
            tool_use_id=call,
            tool_result=result,
            context=self.context,
        )
        return asyncio.run(self.feedback.on_post_tool_use(event, self.context))


@pytest.fixture
def session(new_box):
    box = new_box()
    (box.project / "clean.py").write_text(SILENT)
    (box.project / "orders").write_text(str(box.outside / "data.txt"))
    return Session(box)


def run(session, command, call="c1"):
    made = session.before(command, call).modified_args["command"]
    done = session.box.start(["bash", "-c", made])
    return made, done


def test_a_refusal_that_the_command_hides_is_told(session):
    made, done = run(session, "python3 clean.py")
    said = session.after(made, done.stdout + done.stderr)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert (
        f"The sandbox refused: {session.box.outside}/data.txt (outside the project)"
        in said.additional_context
    )
    assert said.additional_context.endswith("snaphook allow 1 --once")
    assert said.rule == "sandbox.outside"
    assert [one.command for one in session.person.reported] == ["python3 clean.py"]


def test_calls_side_by_side_are_told_apart(session):
    (session.box.project / "other.py").write_text("print('fine')\n")
    one, _ = run(session, "python3 clean.py", "c1")
    two, _ = run(session, "python3 other.py", "c2")

    assert one.partition(".")[0] == two.partition(".")[0]
    assert one.split()[1] != two.split()[1]


def test_a_call_without_a_refusal_is_not_spoken_of(session):
    (session.box.project / "fine.py").write_text("open('made', 'w')\n")
    made, done = run(session, "python3 fine.py")

    assert session.after(made, done.stdout) is None
    assert session.person.reported == []


def test_what_a_person_allowed_runs_unconfined(session):
    session.person.allows = OverrideMatch(note="Allowed by a person (p1).")
    output = session.before("python3 clean.py")

    assert output.modified_args is None
    assert "runs without the sandbox" in output.messages[0].text
    assert session.after("python3 clean.py", "") is None


def test_a_pause_of_the_rules_leaves_the_sandbox_on(session):
    session.person.allows = OverrideMatch(note="Paused.", pauses=True)

    assert "snaphook-sandbox" in session.before("python3 clean.py").modified_args["command"]


def test_a_name_that_a_person_made_is_mentioned_and_stays(session):
    made, _ = run(session, "python3 clean.py")
    (session.box.project / "snaphook.toml").write_text("# mine\n")
    said = session.after(made)

    assert "snaphook.toml (protected: it appeared during the call" in said.additional_context
    assert (session.box.project / "snaphook.toml").read_text() == "# mine\n"


@pytest.mark.parametrize("shell", ["bash", "dash"])
@pytest.mark.parametrize(
    ("command", "ends", "code"),
    [
        ('eval "$(cat cmd)"; cd sub', "sub", 0),
        (". ./env.sh", "sub", 0),
        ('eval "$(cat cmd)"; cd sub; false', "", 1),
        ('eval "$(cat cmd)"; exec true', "", 0),
        ('eval "$(cat cmd)"; (exit 7)', "", 7),
    ],
)
def test_a_cd_in_code_that_the_shell_runs_lasts_and_so_does_the_exit_code(
    session, shell, command, ends, code
):
    box = session.box
    (box.project / "sub").mkdir()
    (box.project / "cmd").write_text("echo evaluated > made")
    (box.project / "env.sh").write_text('cd sub\neval "$(cat ../cmd)"\n')
    made = box.rewritten(command)
    done = box.start([shell, "-c", f'{made}; echo "$? $PWD"'])

    assert done.stdout.splitlines()[-1] == f"{code} {box.project}{'/' if ends else ''}{ends}", (
        done.stderr
    )
    assert list(box.project.rglob("made"))
