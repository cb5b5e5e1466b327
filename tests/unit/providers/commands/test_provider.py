"""Command hooks as a provider, with real processes."""

import asyncio
import json
import logging
import os
import subprocess
import sys

import pytest

from snaphook.canon import (
    BY_NAME,
    HostEvent,
    Message,
    PostToolUse,
    PostToolUseOutput,
    PreToolUseOutput,
    SessionStart,
    SessionStartOutput,
    Stance,
    Stop,
    StopOutput,
    UserPromptOutput,
    UserPromptSubmit,
    Verdict,
)
from snaphook.config import Dialect
from snaphook.engine import Engine
from snaphook.engine.drive import dispatch_sync
from snaphook.errors import ConfigError
from snaphook.providers.commands import CommandHooks

WAVE, CLAUDE, SNAPHOOK = Dialect.WAVE, Dialect.CLAUDE, Dialect.SNAPHOOK

REWRITE = """echo '{"hookSpecificOutput": {"hookEventName": "PreToolUse",
  "updatedInput": {"command": "%s"}}}'"""


@pytest.mark.req("WS-2", "WX-6", "WX-S")
async def test_a_hook_before_a_tool_can_stop_it(session, make):
    output = await session.fire(session.call(), make("PreToolUse", "echo no >&2; exit 2"))

    assert output == PreToolUseOutput(decision=Verdict.DENY, reason="no", by="commands")


@pytest.mark.req("WS-3", "WX-8")
async def test_a_hook_after_a_tool_speaks_to_the_agent(session, make):
    event = PostToolUse(
        context=session.context,
        tool_name="Edit",
        tool_args={"file_path": "a.py"},
        tool_result={"success": True},
    )
    says = (
        f"{sys.executable} -c 'import json,sys; print(json.load(sys.stdin)[\"tool_response\"])' >&2"
        "; exit 2"
    )

    output = await session.fire(event, make("PostToolUse", says, matcher="Edit|Write"))

    assert output == PostToolUseOutput(
        decision=Verdict.BLOCK, reason="{'success': True}", by="commands"
    )


@pytest.mark.req("WS-4", "WX-4", "WX-9")
async def test_a_prompt_hook_adds_to_a_prompt_or_erases_it(session, make):
    event = UserPromptSubmit(context=session.context, prompt="hello")

    added = await session.fire(event, make("UserPromptSubmit", "echo '  context '"))
    erased = await session.fire(event, make("UserPromptSubmit", "echo bad >&2; exit 2"))

    assert added == UserPromptOutput(additional_context=("context",), by="commands")
    assert erased == UserPromptOutput(decision=Verdict.DENY, reason="bad", by="commands")


@pytest.mark.req("WS-5", "WX-12")
async def test_a_stop_hook_sends_the_agent_back(session, make):
    output = await session.fire(
        Stop(context=session.context), make("Stop", "echo 'not done' >&2; exit 2")
    )

    assert output == StopOutput(decision=Verdict.BLOCK, reason="not done", by="commands")


async def test_w6_a_stop_hook_that_always_blocks_is_told_so_and_capped(session, make):
    """Defect W6 of Wave: nothing told the hook, and nothing ended the loop."""
    seen = f"{sys.executable} -c 'import json,sys; print(json.load(sys.stdin)[\"stop_hook_active\"])' >> seen"
    provider = CommandHooks([make("Stop", f"{seen}; echo again >&2; exit 2")])
    engine = Engine([provider], stop_block_cap=2)

    said = [await engine.dispatch(Stop(context=session.context)) for _ in range(3)]

    assert [getattr(output, "decision", None) for output in said] == ["block", "block", None]
    assert (session.folder / "seen").read_text().split() == ["False", "True", "True"]


async def test_claude_runs_what_one_file_says_twice_only_once(session, make):
    twice = [make("Stop", "echo x >> ran", CLAUDE) for _ in range(2)]

    await session.fire(Stop(context=session.context), *twice, make("Stop", "echo x >> ran", WAVE))

    assert (session.folder / "ran").read_text() == "x\nx\n"


@pytest.mark.req("WS-7", "WS-10", "BB-2")
@pytest.mark.parametrize(
    ("dialect", "command"),
    [
        (WAVE, '"$WAVE_PROJECT_DIR"/say.sh'),
        (CLAUDE, '"$CLAUDE_PROJECT_DIR"/say.sh'),
        (CLAUDE, '"${CLAUDE_PROJECT_DIR}/say.sh"'),
        (SNAPHOOK, "./say.sh"),
        (SNAPHOOK, "[[ -x say.sh ]] && source say.sh"),
    ],
)
async def test_scripts_are_found_relative_to_the_project(session, make, dialect, command):
    session.script("say.sh", "#!/bin/sh\necho from $PWD\n")

    output = await session.fire(
        UserPromptSubmit(context=session.context, prompt="p"),
        make("UserPromptSubmit", command, dialect),
    )

    assert output == UserPromptOutput(additional_context=(f"from {session.folder}",), by="commands")


@pytest.mark.req("BB-2")
async def test_the_exec_form_fills_in_the_project_without_a_shell(session, make):
    session.script("say.sh", '#!/bin/sh\necho "$1"\n')

    output = await session.fire(
        UserPromptSubmit(context=session.context, prompt="p"),
        make("UserPromptSubmit", "${CLAUDE_PROJECT_DIR}/say.sh", CLAUDE, args=("$HOME; ${NONE}",)),
    )

    assert output == UserPromptOutput(additional_context=("$HOME; ${NONE}",), by="commands")


@pytest.mark.req("WS-8")
async def test_hooks_of_one_event_run_in_the_configured_order(session, make):
    hooks = [make("Stop", f"sleep {pause}; echo {i} >> order") for i, pause in enumerate((0.2, 0))]

    await session.fire(Stop(context=session.context), *hooks)

    assert (session.folder / "order").read_text() == "0\n1\n"


async def test_the_first_exit_2_wins_and_the_rest_still_run(session, make):
    hooks = [
        make("UserPromptSubmit", "touch a; echo context"),
        make("UserPromptSubmit", "touch b; echo first >&2; exit 2"),
        make("UserPromptSubmit", "touch c; echo second >&2; exit 2"),
        make("UserPromptSubmit", "touch d; echo warning >&2; exit 1"),
    ]

    output = await session.fire(UserPromptSubmit(context=session.context, prompt="p"), *hooks)

    assert output == UserPromptOutput(decision=Verdict.DENY, reason="first", by="commands")
    assert sorted(path.name for path in session.folder.iterdir()) == ["a", "b", "c", "d"]
    assert [result.silenced for result in session.results] == [True, False, True, True]


async def test_claude_hooks_run_side_by_side_and_speak_in_order(session, make):
    """Each waits for the other: one after the other they would run into their timeouts."""
    meet = "touch {0}; until [ -e {1} ]; do sleep 0.01; done; echo {0}"
    hooks = [
        make("UserPromptSubmit", meet.format(*pair), CLAUDE, timeout=20)
        for pair in (("a", "b"), ("b", "a"))
    ]

    output = await session.fire(UserPromptSubmit(context=session.context, prompt="p"), *hooks)

    assert output == UserPromptOutput(additional_context=("a", "b"), by="commands")


@pytest.mark.parametrize(("parallel", "answered"), [(True, True), (False, False)])
async def test_our_own_hooks_run_side_by_side_if_the_settings_say_so(
    session, make, parallel, answered
):
    meet = "touch {0}; for i in 1 2 3 4 5 6 7 8; do [ -e {1} ] && exit 0; sleep 0.1; done; exit 1"
    hooks = [make("Stop", meet.format(*pair), SNAPHOOK) for pair in (("a", "b"), ("b", "a"))]

    await session.fire(Stop(context=session.context), *hooks, parallel=parallel)

    assert (session.results[0].exit_code == 0) is answered


@pytest.mark.req("WS-E1")
async def test_conflicting_hooks_the_stricter_wins(session, make):
    allow = 'echo \'{"decision": "approve"}\''

    output = await session.fire(
        session.call(),
        make("PreToolUse", allow, CLAUDE),
        make("PreToolUse", "echo no >&2; exit 2", CLAUDE),
        make("PreToolUse", allow, CLAUDE),
    )

    assert output == PreToolUseOutput(decision=Verdict.DENY, reason="no", by="commands")


async def test_a_later_hook_sees_what_an_earlier_one_changed(session, make):
    output = await session.fire(
        session.call("ls"),
        make("PreToolUse", REWRITE % "ls -l", SNAPHOOK),
        make("PreToolUse", "cat > seen", SNAPHOOK),
    )

    assert output == PreToolUseOutput(
        decision=Verdict.MODIFY, modified_args={"command": "ls -l"}, by="commands"
    )
    seen = json.loads((session.folder / "seen").read_text())
    assert seen["tool_input"] == {"command": "ls -l"}


@pytest.mark.parametrize("dialect", [CLAUDE, SNAPHOOK])
async def test_a_later_hook_cannot_carry_a_call_past_an_earlier_check(session, make, dialect):
    check = "if grep -q 'rm -rf'; then echo no >&2; exit 2; fi"

    output = await session.fire(
        session.call("ls"),
        make("PreToolUse", check, dialect),
        make("PreToolUse", REWRITE % "rm -rf /", dialect),
    )

    assert output == PreToolUseOutput(decision=Verdict.DENY, reason="no", by="commands")
    assert [result.again for result in session.results] == [False, False, True]


async def test_a_filtered_hook_is_asked_about_what_the_call_became(session, make):
    output = await session.fire(
        session.call("ls"),
        make("PreToolUse", "echo no >&2; exit 2", SNAPHOOK, condition="Bash(rm *)"),
        make("PreToolUse", REWRITE % "rm x", SNAPHOOK),
    )

    assert output == PreToolUseOutput(decision=Verdict.DENY, reason="no", by="commands")


@pytest.mark.req("WS-6")
async def test_only_hooks_whose_matcher_holds_run(session, make):
    hooks = [
        make("PreToolUse", f"touch {i}", dialect, matcher=matcher, condition=condition)
        for i, (dialect, matcher, condition) in enumerate(
            [
                (WAVE, "bash", None),
                (WAVE, "Edit", None),
                (CLAUDE, "Ba.*", "Bash(git *)"),
                (CLAUDE, "Bash", "Bash(ls *)"),
                (SNAPHOOK, "/^mcp__/", None),
            ]
        )
    ]

    await session.fire(session.call("ls -l"), *hooks)

    assert sorted(path.name for path in session.folder.iterdir()) == ["0", "3"]


def test_a_bad_matcher_stops_at_load(make):
    with pytest.raises(ConfigError, match="not a valid regular expression"):
        CommandHooks([make("PreToolUse", "true", CLAUDE, matcher="[")])


@pytest.mark.req("WS-E1", "WX-14", "WS-9")
@pytest.mark.parametrize(
    ("command", "words"),
    [
        pytest.param("echo oops >&2; exit 1", "oops", id="fails"),
        pytest.param("./missing.sh", "missing.sh: No such file", id="missing"),
        pytest.param("./plain.sh", "plain.sh: Permission denied", id="not executable"),
        pytest.param("kill -TERM $$", "was killed by SIGTERM", id="killed"),
        pytest.param("sleep 60", "timed out after", id="hangs"),
    ],
)
async def test_a_broken_hook_is_told_to_the_user_logged_and_stops_nothing(
    session, make, caplog, command, words
):
    session.script("plain.sh", "echo hi", mode=0o644)
    with caplog.at_level(logging.INFO, "snaphook.hooks"):
        output = await session.fire(
            session.call(), make("PreToolUse", command, name="lint", timeout=0.3)
        )

    assert isinstance(output, PreToolUseOutput)
    assert (output.decision, [message.to.value for message in output.messages]) == (None, ["user"])
    assert words in output.messages[0].text
    assert any("hook 'lint' on PreToolUse: status" in record.message for record in caplog.records)


@pytest.mark.req("WS-E1")
async def test_a_missing_directory_is_data(session, make):
    session.context = session.context.__class__(session_id="s", team_root="/no/such/folder")

    output = await session.fire(session.call(), make("PreToolUse", "true", name="lint"))

    assert output == PreToolUseOutput(
        messages=(
            Message(
                "hook 'lint': failed to run: [Errno 2] No such file or directory: "
                "'/no/such/folder'. Check its command and its directory."
            ),
        ),
        by="commands",
    )


async def test_a_hook_that_must_answer_and_cannot_stops_the_call(session, make):
    output = await session.fire(
        session.call(), make("PreToolUse", "sleep 60", timeout=0.2, stance=Stance.CLOSED)
    )

    assert isinstance(output, PreToolUseOutput)
    assert output.decision is Verdict.DENY
    assert "timed out after" in (output.reason or "")


@pytest.mark.req("WS-E1")
async def test_a_hook_may_change_files_while_the_agent_works(session, make):
    source = session.script("a.py", "x=1\n", mode=0o644)

    output = await session.fire(
        PostToolUse(
            context=session.context, tool_name="Edit", tool_args={"file_path": str(source)}
        ),
        make("PostToolUse", "sed -i.bak 's/x=1/x = 1/' a.py"),
    )

    assert output is None
    assert source.read_text() == "x = 1\n"


@pytest.mark.req("WX-E", "WX-S")
async def test_fifty_kilobytes_of_context_arrive_whole(session, make):
    output = await session.fire(
        UserPromptSubmit(context=session.context, prompt="p" * 50_000),
        make("UserPromptSubmit", "head -c 51200 /dev/zero | tr '\\0' x"),
    )

    assert output == UserPromptOutput(additional_context=("x" * 51_200,), by="commands")


@pytest.mark.req("WX-E")
async def test_a_flood_is_cut_and_says_so(session, make):
    await session.fire(
        UserPromptSubmit(context=session.context, prompt="p"),
        make("UserPromptSubmit", "head -c 5000000 /dev/zero | tr '\\0' x"),
    )

    (result,) = session.results
    assert result.truncated == 5_000_000 - 1024 * 1024
    assert "bytes left out" in result.stdout


async def test_a_session_start_hook_leaves_variables_for_the_shell(session, make):
    lines = """echo 'export BB5_PROJECT="black box"' >> "$CLAUDE_ENV_FILE"; echo context"""

    output = await session.fire(
        SessionStart(context=session.context),
        make("SessionStart", lines, CLAUDE),
        make("SessionStart", "echo 'B=$BB5_PROJECT' >> \"$CLAUDE_ENV_FILE\"", SNAPHOOK),
        environ=lambda: {"PATH": os.environ["PATH"], "BB5_PROJECT": "outer"},
    )

    assert output == SessionStartOutput(
        additional_context=("context",),
        environment={"BB5_PROJECT": "black box", "B": "outer"},
        by="commands",
    )


async def test_an_async_hook_is_not_waited_for_and_has_no_say(session, make, caplog):
    with caplog.at_level(logging.INFO, "snaphook.hooks"):
        output = await session.fire(
            session.call(),
            make(
                "PreToolUse", "sleep 0.2; echo no; touch done; exit 2", name="slow", background=True
            ),
        )
        assert (output, session.results) == (None, [])
        assert not (session.folder / "done").exists()
        for _ in range(500):
            if caplog.records:
                break
            await asyncio.sleep(0.01)

    (record,) = caplog.records
    assert record.getMessage().startswith("hook 'slow' on PreToolUse: status 2")


async def test_every_event_can_have_hooks(session, make):
    for name in [*BY_NAME, "PostCompact", "WorktreeCreate", "CwdChanged"]:
        spec = BY_NAME.get(name)
        known = {
            "context": session.context,
            "tool_name": "Bash",
            "tool_args": {},
            "prompt": "p",
            "error": "e",
            "message": "m",
            "agent_name": "a",
        }
        event = (
            spec.event(**{k: v for k, v in known.items() if k in spec.event.__struct_fields__})
            if spec
            else HostEvent(context=session.context, kind=name)
        )
        for dialect in Dialect:
            await session.fire(event, make(name, f"cat > {name}-{dialect}", dialect))
            heard = json.loads((session.folder / f"{name}-{dialect}").read_text())
            assert heard["hook_event_name"] == name


def test_without_an_event_loop_hooks_run_on_the_spot(session, make):
    engine = Engine([CommandHooks([make("PreToolUse", "echo no >&2; exit 2")])])

    assert dispatch_sync(engine, session.call()).output == PreToolUseOutput(
        decision=Verdict.DENY, reason="no", by="commands"
    )


async def test_hooks_without_an_event_cost_no_process(session, make):
    assert await session.fire(session.call(), make("Stop", "touch ran")) is None
    assert not (session.folder / "ran").exists()


@pytest.mark.req("WS-11")
async def test_sixty_hanging_hooks_do_not_keep_another_from_starting(session, make):
    hanging = CommandHooks([make("Stop", "sleep 60", timeout=3)])
    engine = Engine([hanging])
    stops = [asyncio.create_task(engine.dispatch(Stop(context=session.context))) for _ in range(60)]
    await asyncio.sleep(0)

    output = await session.fire(
        UserPromptSubmit(context=session.context, prompt="p"), make("UserPromptSubmit", "echo hi")
    )

    assert output == UserPromptOutput(additional_context=("hi",), by="commands")
    assert not any(stop.done() for stop in stops)
    for stop in stops:
        stop.cancel()
    await asyncio.gather(*stops, return_exceptions=True)


def test_the_hook_process_needs_no_asyncio():
    """What the daemon's absence costs is paid on every call: the imports are kept few."""
    program = (
        "import sys\n"
        "from snaphook.providers.commands import CommandHooks\n"
        "heavy = {'asyncio', 'concurrent.futures'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    ended = subprocess.run(
        [sys.executable, "-I", "-c", program], capture_output=True, text=True, check=False
    )
    assert ended.stderr == ""
