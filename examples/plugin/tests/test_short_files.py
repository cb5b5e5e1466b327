"""The example's own tests: the shipped suite first, then what is its own."""

from snaphook_short_files import ShortFiles

from snaphook import Engine, HookContext, PreToolUse, Verdict
from snaphook.testing.conformance import check_provider


def test_it_keeps_every_promise_of_a_provider():
    assert check_provider(ShortFiles) == []


async def test_a_long_file_is_denied_and_a_short_one_is_not():
    engine = Engine([ShortFiles(most=2)])
    context = HookContext(session_id="s")

    def write(content: str) -> PreToolUse:
        return PreToolUse(context=context, tool_name="Write", tool_args={"content": content})

    denied = await engine.dispatch(write("1\n2\n3\n"))

    assert denied is not None
    assert denied.decision is Verdict.DENY
    assert await engine.dispatch(write("1\n2\n")) is None
