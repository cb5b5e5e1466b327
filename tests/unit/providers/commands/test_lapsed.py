"""A lost approval is told at each session's start, and once within a session."""

import asyncio

from snaphook.canon import HookContext, PreToolUse, Recipient, SessionStart
from snaphook.providers.commands.lapsed import LapsedApproval
from snaphook.stores.eventlog import LogSettings
from snaphook.stores.eventlog.read import records
from snaphook.wiring.lapse_notices import LapseNotices

CONTEXT = HookContext(session_id="s", cwd="/p")
CALL = PreToolUse(tool_name="Bash", tool_args={"command": "ls"}, context=CONTEXT)


def test_every_session_is_told_once_whichever_process_answers(tmp_path):
    """Without a daemon each call is answered by a provider of its own."""

    def told(session):
        notices = LapseNotices(LogSettings(), tmp_path)
        provider = LapsedApproval(("/p/snaphook.toml: changed",), is_first=notices.is_first)
        context = HookContext(session_id=session, cwd="/p")
        call = PreToolUse(tool_name="Bash", tool_args={"command": "ls"}, context=context)
        return asyncio.run(provider.on_pre_tool_use(call, context)) is not None

    assert [told("a"), told("a"), told("b"), told("a")] == [True, False, True, False]
    found = list(records(tmp_path / "log"))
    assert [(one.event, one.session, one.by) for one in found] == [
        ("ApprovalLapsed", "a", "snaphook"),
        ("ApprovalLapsed", "b", "snaphook"),
    ]
    assert "/p/snaphook.toml: changed" in (found[0].reason or "")


def test_a_start_counts_as_told(tmp_path):
    notices = LapseNotices(LogSettings(), tmp_path)
    first, second = (LapsedApproval(("x",), is_first=notices.is_first) for _ in range(2))

    asyncio.run(first.on_session_start(SessionStart(context=CONTEXT), CONTEXT))

    assert asyncio.run(second.on_pre_tool_use(CALL, CONTEXT)) is None


def test_marks_that_cannot_be_written_hide_nothing(tmp_path):
    (tmp_path / "lapsed").write_text("a file in the way")

    assert LapseNotices(LogSettings(), tmp_path).is_first("x", "s", "/p")


def test_a_person_is_told_once_and_at_every_start():
    provider = LapsedApproval(("/p/snaphook.toml: /p/check changed since it was approved",))

    first = asyncio.run(provider.on_pre_tool_use(CALL, CONTEXT))
    again = asyncio.run(provider.on_pre_tool_use(CALL, CONTEXT))
    start = asyncio.run(provider.on_session_start(SessionStart(context=CONTEXT), CONTEXT))

    assert first is not None
    assert (first.decision, first.rule, again) == (None, "trust.lapsed", None)
    for output in (first, start):
        (message,) = output.messages
        assert message.to is Recipient.USER
        assert "/p/check changed" in message.text
        assert "snaphook trust" in message.text
