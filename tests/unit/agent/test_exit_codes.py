"""Every event, every way a command hook can end, through ``send_message()`` with real commands.

The Wave dialect. Where its seed documents and the original program disagree, the seed wins: there a
hook that ran out of time or was killed counted as a success, a hook on SessionStart, PreCompact or
SessionEnd failed without a word, and PostToolUse also ran after a tool that failed.
"""

from enum import StrEnum
from pathlib import Path

import pytest

from snaphook.agent import (
    Agent,
    AgentOptions,
    ErrorBlock,
    Listener,
    Permission,
    Permissions,
    TextBlock,
    ToolBlock,
)
from snaphook.config import CommandHook, Dialect, Layer, Origin
from snaphook.engine import Engine
from snaphook.providers.commands import CommandHooks
from snaphook.testing import ScriptedModel

from .conftest import EVERYTHING

OUT, ERR = "STDOUT-OF-THE-HOOK", "STDERR-OF-THE-HOOK"
PROMPT = "PROMPT-OF-THE-PERSON"
HUGE = 3_000_000

ENDINGS = {
    "exit 0": f"echo {OUT}; echo {ERR} >&2",
    "exit 2": f"echo {OUT}; echo {ERR} >&2; exit 2",
    "exit 1": f"echo {OUT}; echo {ERR} >&2; exit 1",
    "exit 127": f"echo {ERR} >&2; no-such-program-{OUT}",
    "timeout": f"echo {OUT}; echo {ERR} >&2; sleep 20",
    "signal": f"echo {OUT}; echo {ERR} >&2; kill -9 $$",
    "huge": f"echo {ERR} >&2; head -c {HUGE} /dev/zero | tr '\\0' x >&2; exit 2",
    "not UTF-8": f"printf '{ERR} \\377\\376' >&2; exit 2",
    "silent": "exit 2",
}
TOLD = {
    "exit 1": ERR,
    "exit 127": ERR,
    "timeout": "timed out after",
    "signal": "was killed by SIGKILL",
    "silent": "Hook execution failed",
    "not UTF-8": f"{ERR} \ufffd\ufffd",
}
"""What is heard of each ending; stderr where nothing else is said."""


class Effect(StrEnum):
    """What exit 2 comes to."""

    ERASED = "the prompt is gone, the person hears why"
    BLOCKED = "the tool does not run, the model hears why"
    REFUSED = "permission is denied, the person and the model hear why"
    HEARD = "the model hears it and goes on"
    SHOWN = "the person hears it, nothing stops"


EXIT_2 = {
    "SessionStart": Effect.SHOWN,
    "UserPromptSubmit": Effect.ERASED,
    "PreToolUse": Effect.BLOCKED,
    "PermissionRequest": Effect.REFUSED,
    "PostToolUse": Effect.HEARD,
    "PostToolUseFailure": Effect.HEARD,
    "Stop": Effect.HEARD,
    "SubagentStart": Effect.SHOWN,
    "SubagentStop": Effect.HEARD,
    "PreCompact": Effect.SHOWN,
    "PostCompact": Effect.SHOWN,
    "ErrorOccurred": Effect.SHOWN,
    "Notification": Effect.SHOWN,
    "SessionEnd": Effect.SHOWN,
}


class Session(Listener):
    """A session that fires every event, with one hook on one of them."""

    def __init__(self, folder: Path, event: str, command: str) -> None:
        hook = CommandHook(
            event=event,
            command=command,
            dialect=Dialect.WAVE,
            origin=Origin(layer=Layer.CODE),
            timeout=0.3 if "sleep" in command else 20,
        )
        self.model = ScriptedModel(EVERYTHING)
        self.errors: list[str] = []
        self.agent = Agent(
            model=self.model,
            engine=Engine([CommandHooks([hook])]),
            options=AgentOptions(cwd=str(folder), max_backoff_ms=1),
            permissions=Permissions(ask=self._yes),
            listener=self,
        )

    async def _yes(self, question: object) -> Permission:
        return Permission.ALLOW

    def on_error(self, text: str) -> None:
        self.errors.append(text)

    async def run(self) -> None:
        await self.agent.send_message(PROMPT)
        self.before = self.agent.messages
        await self.agent.compact()
        await self.agent.close()

    def tools(self) -> list[ToolBlock]:
        return [tool for message in self.before for tool in message.tools]

    def model_heard(self, text: str) -> bool:
        return any(asked.heard(text) for asked in self.model.asked)

    def person_heard(self, text: str) -> bool:
        return any(text in error for error in self.errors)


def cases() -> list[object]:
    return [
        pytest.param(event, ending, id=f"{event}, {ending}")
        for event in EXIT_2
        for ending in ENDINGS
    ]


@pytest.mark.req("WX-1")
@pytest.mark.req("WX-4")
@pytest.mark.req("WX-5")
@pytest.mark.req("WX-14")
@pytest.mark.req("WX-15")
@pytest.mark.req("WX-E")
@pytest.mark.parametrize(("event", "ending"), cases())
async def test_what_comes_of_a_hook(tmp_path, event, ending):
    session = Session(tmp_path, event, ENDINGS[ending])

    await session.run()

    said = TOLD.get(ending, ERR)
    match ending:
        case "exit 0":
            assert session.model_heard(OUT) is (event == "UserPromptSubmit")
            assert not session.person_heard(OUT)
            assert not session.model_heard(ERR)
            assert not session.person_heard(ERR)
        case "exit 2" | "huge" | "not UTF-8" | "silent":
            check(EXIT_2[event], session, said)
            assert not session.model_heard(OUT)
            assert all(len(text) < HUGE / 10 for text in all_texts(session.agent))
        case _:
            assert session.person_heard(said)
            assert not session.model_heard(said)
            assert not session.model_heard(OUT)
            assert "All done." in [message.text for message in session.before]


def check(effect: Effect, session: Session, said: str) -> None:
    match effect:
        case Effect.ERASED:
            assert session.before[0].blocks == (ErrorBlock(content=session.errors[0]),)
            assert session.person_heard(said)
            assert not session.model_heard(said)
            assert not session.model_heard(PROMPT)
        case Effect.BLOCKED:
            assert {(tool.error, tool.success) for tool in session.tools()} == {
                ("Hook blocked tool execution", False)
            }
            assert all(said in tool.result for tool in session.tools())
            assert session.model_heard(said)
            assert not session.person_heard(said)
        case Effect.REFUSED:
            refused = session.tools()[0]
            assert (refused.error, refused.success) == ("Permission denied", False)
            assert session.person_heard(said)
            assert session.model_heard(said)
        case Effect.HEARD:
            assert session.model_heard(said)
            assert not session.person_heard(said) or "blocked the stop" in session.errors[0]
        case Effect.SHOWN:
            assert session.person_heard(said)
            assert not session.model_heard(said)
            assert "All done." in [message.text for message in session.before]


def all_texts(agent: Agent) -> list[str]:
    return [
        text
        for message in agent.messages
        for block in message.blocks
        if (text := getattr(block, "content", None) or getattr(block, "result", None))
    ]


@pytest.mark.req("WX-18")
@pytest.mark.req("WX-21")
@pytest.mark.parametrize("event", ["PostToolUse", "Stop"])
async def test_what_the_model_hears_of_exit_2_is_a_user_message_of_its_own(tmp_path, event):
    session = Session(tmp_path, event, ENDINGS["exit 2"])

    await session.run()

    said = [m for m in session.before if m.blocks == (TextBlock(content=ERR, source="hook"),)]
    assert said
    assert {str(message.role) for message in said} == {"user"}


@pytest.mark.req("WX-16")
async def test_two_hooks_on_a_prompt_are_two_messages_after_it(tmp_path):
    session = Session(tmp_path, "UserPromptSubmit", "echo one")
    origin = Origin(layer=Layer.CODE)
    hooks = [
        CommandHook(event="UserPromptSubmit", command=line, dialect=Dialect.WAVE, origin=origin)
        for line in ("echo one; echo noise >&2", "echo two", "true")
    ]
    session.agent = Agent(
        model=session.model,
        engine=Engine([CommandHooks(hooks)]),
        options=AgentOptions(cwd=str(tmp_path), max_backoff_ms=1),
    )

    await session.run()

    texts = [(str(message.role), message.text) for message in session.before[:3]]
    assert texts == [("user", PROMPT), ("user", "one"), ("user", "two")]
