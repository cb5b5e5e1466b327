"""journal: counts and lockouts outlive the process that made them."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from snaphook.errors import StoreError
from snaphook.providers.policies import HookPipeline, PolicyConfig, PreToolUseContext
from snaphook.providers.policies.journal import FileTally, PolicyJournal


def pipelines(tmp_path, **policies):
    config = PolicyConfig(state_dir=str(tmp_path / "state"), **policies)
    return HookPipeline(config), HookPipeline(config)


@pytest.mark.req("SQ-3")
async def test_the_limit_of_questions_holds_across_processes(tmp_path):
    first, second = pipelines(tmp_path, max_ask_user_per_session=2)
    ask = PreToolUseContext(tool_name="AskUserQuestion", arguments={}, session_id="s")

    said = [(await pipeline.run_pre_tool_hooks(ask)).action for pipeline in (first, second, first)]

    assert said == ["allow", "allow", "block"]


async def test_a_lockout_holds_across_processes_until_it_is_cleared(tmp_path):
    first, second = pipelines(tmp_path, reviewer_lockout=True)
    edit = PreToolUseContext(
        tool_name="Edit", arguments={"file_path": "src/a.ts"}, agent_name="ada"
    )

    first.get_reviewer_lockout().lockout("src/a.ts", "ada")
    assert (await second.run_pre_tool_hooks(edit)).action == "block"
    assert second.get_reviewer_lockout().get_locked_agents("src/a.ts") == ["ada"]

    second.get_reviewer_lockout().clear_lockout("src/a.ts")
    assert (await first.run_pre_tool_hooks(edit)).action == "allow"

    first.get_reviewer_lockout().lockout("src/a.ts", "ada")
    second.get_reviewer_lockout().clear_all()
    assert not first.get_reviewer_lockout().is_locked_out("src/a.ts", "ada")


def test_lines_of_many_writers_arrive_whole(tmp_path):
    path = tmp_path / "journal"

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: PolicyJournal(path).append(f"line {n} " + "x" * 200), range(400)))

    assert sorted(line.split()[1] for line in PolicyJournal(path).lines()) == sorted(
        map(str, range(400))
    )


async def test_a_torn_line_is_passed_over(tmp_path):
    _, pipeline = pipelines(tmp_path, reviewer_lockout=True)
    journal = tmp_path / "state" / "lockouts"
    journal.parent.mkdir(parents=True)
    journal.write_text('["lock", "a", "ada"]\n["lock", "b"\n["lock", "c", "ada"]\n')

    lockout = pipeline.get_reviewer_lockout()

    assert [lockout.is_locked_out(name, "ada") for name in "abc"] == [True, False, True]


def test_sessions_long_silent_are_swept_away(tmp_path):
    FileTally(tmp_path).add("old", None)
    FileTally(tmp_path).add("new", None)
    old = min(
        tmp_path.iterdir(), key=lambda path: FileTally(tmp_path)._journal("old")._path != path
    )
    os.utime(old, (0, 0))

    tally = FileTally(tmp_path)

    assert (tally.used("old"), tally.used("new")) == (0, 1)


def test_a_directory_that_cannot_be_written_is_told(tmp_path):
    (tmp_path / "file").write_text("")

    with pytest.raises(StoreError, match="cannot be saved"):
        PolicyJournal(tmp_path / "file" / "journal").append("x")


def test_neither_an_empty_line_nor_an_unfinished_one_is_a_line(tmp_path):
    path = tmp_path / "journal"
    path.write_bytes(b"one\n\ntwo\nthr")

    assert PolicyJournal(path).lines() == ("one", "two")


def test_an_empty_line_counts_as_no_question(tmp_path):
    tally = FileTally(tmp_path)
    tally.add("s", "call-1")
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes() + b"\n")

    assert tally.used("s") == 1


def test_what_a_killed_writer_left_of_a_line_counts_as_no_question(tmp_path):
    tally = FileTally(tmp_path)
    tally.add("s", "call-1")
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes() + path.read_bytes()[:20])  # cut short at the end of a page

    tally.add("s", "call-2")

    assert path.read_bytes().count(b"\n") == 3
    assert tally.used("s") == 2
    assert tally.asked("s", "call-1")
    assert tally.asked("s", "call-2")
