"""A lost approval is told at each session's start, and once within a session."""

import asyncio

from snaphook.canon import HookContext, PreToolUse, Recipient, SessionStart
from snaphook.providers.commands.lapsed import LapsedApproval

CONTEXT = HookContext(session_id="s", cwd="/p")
CALL = PreToolUse(tool_name="Bash", tool_args={"command": "ls"}, context=CONTEXT)


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
