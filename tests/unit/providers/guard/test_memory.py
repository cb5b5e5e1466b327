"""What a session has done, kept on disk for whoever answers next."""

import asyncio
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from snaphook.canon import HookContext, PostToolUse, PreToolUse, SessionEnd, Verdict
from snaphook.providers.guard import GuardSettings, StillWorld, examine
from snaphook.providers.guard.custom_rules.tables import CustomRule
from snaphook.providers.guard.memory import RecordedSession
from snaphook.providers.guard.provider import RememberingGuard
from snaphook.providers.guard.remember import decisive, note_of
from snaphook.providers.guard.sessions import KEPT_SECONDS, SessionNote, SessionNotes, remembered

PROJECT = "/home/me/project"
WORLD = StillWorld(files={f"{PROJECT}/src/app.py": "x = 1\n"})
SETTINGS = GuardSettings(
    own=(
        CustomRule(id="read-first", verdict="deny", tool=("Edit", "Write"), unless_read=True),
        CustomRule(
            id="tests-first",
            verdict="deny",
            program="git",
            subcommand="push",
            unless_ran=("make test", "pytest"),
        ),
    )
)
CONTEXT = HookContext(session_id="s/1", cwd=PROJECT, team_root=PROJECT)


def note(tool, args, result=None):
    return note_of(tool, args, result, WORLD, GuardSettings())


@pytest.mark.parametrize(
    ("tool", "args", "result", "noted"),
    [
        ("Read", {"file_path": "src/app.py"}, None, SessionNote(read=(f"{PROJECT}/src/app.py",))),
        ("Edit", {"file_path": "src/app.py"}, None,
         SessionNote(read=(f"{PROJECT}/src/app.py",), changed=True)),
        ("WebSearch", {"query": "x"}, None, SessionNote()),
        ("Bash", {"command": "cat src/app.py"}, None,
         SessionNote(read=(f"{PROJECT}/src/app.py",), ran=("cat src/app.py",))),
        ("Bash", {"command": "make test"}, None, SessionNote(ran=("make test",))),
        ("Bash", {"command": "make test"}, {"exit_code": 0}, SessionNote(ran=("make test",))),
        ("Bash", {"command": "make test"}, {"exit_code": 2}, SessionNote()),
        ("Bash", {"command": "make test"}, {"interrupted": True}, SessionNote()),
        ("Bash", {"command": "uv run pytest -q"}, None,
         SessionNote(ran=("uv run pytest -q", "pytest -q"))),
        ("Bash", {"command": "make lint && make test"}, None, SessionNote(ran=("make lint", "make test"))),
        ("Bash", {"command": "make test | tail -3"}, None, SessionNote(ran=("tail -3",))),
        ("Bash", {"command": "make test || true"}, None, SessionNote()),
        ("Bash", {"command": "make test; echo done"}, None, SessionNote(ran=("echo done",))),
        ("Bash", {"command": "make test &"}, None, SessionNote()),
        ("Bash", {"command": "! make test"}, None, SessionNote()),
        ("Bash", {"command": "bash -c 'make test || true'"}, None,
         SessionNote(ran=("bash -c make test || true",))),
        ("Bash", {"command": "rm src/app.py"}, None, SessionNote(changed=True)),
        ("Bash", {"command": "git pull"}, None, SessionNote(changed=True)),
        ("Bash", {"command": "make test && git checkout -- ."}, None,
         SessionNote(changed=True)),
    ],
)  # fmt: skip
def test_what_a_call_says_about_its_session(tool, args, result, noted):
    assert note(tool, args, result) == noted


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a", ["a"]),
        ("a && b", ["b", "a"]),
        ("a; b", ["b"]),
        ("a || b", []),
        ("a | b", ["b"]),
        ("a && b | c", ["c", "a"]),
        ("if a; then b; fi", []),
        ("a 'unclosed", []),
    ],
)
def test_only_commands_whose_failure_would_show_are_decisive(text, parts):
    assert [text[slice(*span)].strip() for span in decisive(text)] == parts


def test_a_change_takes_back_what_passed_before():
    notes = [
        SessionNote(read=("/a",), ran=("make test",)),
        SessionNote(changed=True),
        SessionNote(ran=("make lint",)),
    ]

    assert remembered(notes) == RecordedSession(read=frozenset({"/a"}), ran=("make lint",))


def test_memory_outlives_the_process_that_wrote_it(tmp_path):
    SessionNotes(tmp_path / "s").note("one", SessionNote(read=("/a",)))

    later = SessionNotes(tmp_path / "s")

    assert later.of("one").has_read("/a")
    assert not later.of("two").has_read("/a")


@pytest.mark.req("BB-F")
def test_half_a_line_counts_as_not_written(tmp_path):
    sessions = SessionNotes(tmp_path)
    sessions.note("one", SessionNote(ran=("make test",)))
    [file] = tmp_path.glob("*.jsonl")
    file.write_bytes(file.read_bytes() + b'{"read":["/a')

    assert sessions.of("one").has_run(("make test",))
    assert not sessions.of("one").has_read("/a")


def test_sessions_with_names_that_look_alike_do_not_share_a_file(tmp_path):
    sessions = SessionNotes(tmp_path)
    sessions.note("a/b", SessionNote(read=("/a",)))

    assert not sessions.of("a_b").has_read("/a")


def test_nothing_is_forgotten_that_is_noted_while_the_file_is_shortened(tmp_path, monkeypatch):
    monkeypatch.setattr("snaphook.providers.guard.sessions.MOST_BYTES", 200)
    names = [f"/file-{number}" for number in range(400)]

    with ThreadPoolExecutor(4) as pool:  # every note is a reason to shorten
        notes = (SessionNote(read=(name,)) for name in names)
        list(pool.map(lambda note: SessionNotes(tmp_path).note("one", note), notes))

    known = SessionNotes(tmp_path).of("one")
    assert [name for name in names if not known.has_read(name)] == []


def test_a_long_memory_is_shortened_to_what_counts(tmp_path, monkeypatch):
    monkeypatch.setattr("snaphook.providers.guard.sessions.MOST_BYTES", 2_000)
    sessions = SessionNotes(tmp_path)
    for at in range(200):
        sessions.note("one", SessionNote(read=("/a",), changed=True, ran=(f"make {at}",)))

    [file] = tmp_path.glob("*.jsonl")
    assert file.stat().st_size < 2_500
    assert sessions.of("one").has_run(("make 199",))
    assert sessions.of("one").has_read("/a")


def test_sessions_nobody_has_heard_of_are_forgotten(tmp_path):
    sessions = SessionNotes(tmp_path)
    sessions.note("old", SessionNote(read=("/a",)))
    [file] = tmp_path.glob("*.jsonl")
    os.utime(file, (1, 1))
    sessions.note("new", SessionNote(read=("/a",)))

    sessions.forget_old(KEPT_SECONDS + 10)

    assert (sessions.of("old").has_read("/a"), sessions.of("new").has_read("/a")) == (False, True)


@pytest.mark.req("BB-PT-8")
def test_a_session_reads_before_it_edits_and_tests_before_it_pushes(tmp_path):
    def guard() -> RememberingGuard:  # each event may be answered by another process
        return RememberingGuard(
            SETTINGS, sessions=lambda: SessionNotes(tmp_path), world=lambda *_: WORLD
        )

    def wants(tool, **args):
        event = PreToolUse(context=CONTEXT, tool_name=tool, tool_args=args)
        said = asyncio.run(guard().on_pre_tool_use(event, CONTEXT))
        return said.decision if said else None

    def did(tool, **args):
        event = PostToolUse(context=CONTEXT, tool_name=tool, tool_args=args)
        asyncio.run(guard().on_post_tool_use(event, CONTEXT))

    assert wants("Edit", file_path="src/app.py") is Verdict.DENY
    did("Read", file_path="src/app.py")
    assert wants("Edit", file_path="src/app.py") is None
    did("Edit", file_path="src/app.py")
    assert wants("Bash", command="git push origin topic") is Verdict.DENY
    did("Bash", command="pytest -q | tail -1")
    assert wants("Bash", command="git push origin topic") is Verdict.DENY
    did("Bash", command="pytest -q")
    assert wants("Bash", command="git push origin topic") is None
    did("Edit", file_path="src/app.py")
    assert wants("Bash", command="git push origin topic") is Verdict.DENY
    asyncio.run(guard().on_session_end(SessionEnd(context=CONTEXT), CONTEXT))
    assert wants("Edit", file_path="src/app.py") is None


def test_an_agent_cannot_write_its_own_memory():
    command = 'echo \'{"ran":["make test"]}\' >> ~/.local/share/snaphook/guard/sessions/s.jsonl'

    assert examine(command, StillWorld()).rule.startswith("self.")
