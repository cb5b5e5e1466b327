"""Event × exit code × dialect: what is decided, and who hears what."""

import json
from typing import Any

import pytest

from snaphook.canon import (
    AnyEvent,
    ErrorOccurred,
    HookContext,
    HostEvent,
    Notification,
    PermissionRequest,
    PostToolUse,
    PostToolUseFailure,
    PreCompact,
    PreToolUse,
    SessionEnd,
    SessionStart,
    Stance,
    Stop,
    SubagentStart,
    SubagentStop,
    UserPromptSubmit,
    Verdict,
)
from snaphook.canon.delivery import Delivery, deliver
from snaphook.config import CommandHook, Dialect, Layer, Origin
from snaphook.process import CapturedStream, Completed
from snaphook.providers.commands.interpret import interpret
from snaphook.providers.commands.plan import HookPlan

HERE = HookContext(session_id="s")
TOOL: dict[str, Any] = {"context": HERE, "tool_name": "Bash", "tool_args": {"command": "ls"}}
PRE, POST = PreToolUse(**TOOL), PostToolUse(**TOOL)
FAILURE = PostToolUseFailure(**TOOL, error="e")
ASKED = PermissionRequest(**TOOL)
PROMPT = UserPromptSubmit(context=HERE, prompt="p")
STOP, START, END = Stop(context=HERE), SessionStart(context=HERE), SessionEnd(context=HERE)
CHILD, CHILD_DONE = (
    SubagentStart(context=HERE, agent_name="scout"),
    SubagentStop(context=HERE, agent_name="scout"),
)
COMPACT = PreCompact(context=HERE)
NOTE = Notification(context=HERE, message="m")
ERROR = ErrorOccurred(context=HERE, error="e")
WORKTREE = HostEvent(context=HERE, kind="WorktreeCreate", payload={"name": "w"})
IDLE = HostEvent(context=HERE, kind="TeammateIdle")
EVENTS = (PRE, POST, FAILURE, ASKED, PROMPT, STOP, START, END, CHILD, CHILD_DONE, COMPACT, NOTE,
          ERROR, WORKTREE, IDLE)  # fmt: skip

WAVE, CLAUDE, SNAPHOOK = Dialect.WAVE, Dialect.CLAUDE, Dialect.SNAPHOOK


def ended(code: int | None = None, out: str = "", err: str = "", **how) -> Completed:
    return Completed(
        exit_code=code,
        stdout=CapturedStream(out.encode()),
        stderr=CapturedStream(err.encode()),
        **how,
    )


def said(dialect: Dialect, event: AnyEvent, completed: Completed, **hook) -> Delivery:
    """Return who hears what of a hook of *dialect* that ended so."""
    command = CommandHook(
        event=event.event_name,
        command="check",
        dialect=dialect,
        origin=Origin(layer=Layer.CODE),
        **hook,
    )
    (planned,) = HookPlan([command]).hooks_for(event)
    return deliver(event, interpret(planned, event, completed).output)


@pytest.mark.req("WX-1", "WX-6", "WX-8", "WX-9", "WX-12", "WX-15")
@pytest.mark.parametrize(
    ("dialect", "event", "heard"),
    [
        pytest.param(
            WAVE, PRE, Delivery(verdict=Verdict.DENY, to_agent=("no",)), id="wave PreToolUse"
        ),
        pytest.param(
            WAVE, POST, Delivery(verdict=Verdict.BLOCK, to_agent=("no",)), id="wave PostToolUse"
        ),
        pytest.param(
            WAVE,
            PROMPT,
            Delivery(verdict=Verdict.DENY, to_user=("no",), prompt_erased=True),
            id="wave UserPromptSubmit: the user only",
        ),
        pytest.param(WAVE, STOP, Delivery(verdict=Verdict.BLOCK, to_agent=("no",)), id="wave Stop"),
        pytest.param(
            WAVE,
            CHILD_DONE,
            Delivery(verdict=Verdict.BLOCK, to_agent=("no",)),
            id="wave SubagentStop",
        ),
        pytest.param(
            WAVE,
            ASKED,
            Delivery(verdict=Verdict.DENY, to_agent=("no",), to_user=("no",)),
            id="wave PermissionRequest",
        ),
        pytest.param(WAVE, START, Delivery(to_user=("no",)), id="wave SessionStart"),
        pytest.param(WAVE, COMPACT, Delivery(to_user=("no",)), id="wave PreCompact"),
        pytest.param(WAVE, END, Delivery(to_user=("no",)), id="wave SessionEnd"),
        pytest.param(WAVE, WORKTREE, Delivery(to_user=("no",)), id="wave WorktreeCreate"),
        pytest.param(
            CLAUDE, PRE, Delivery(verdict=Verdict.DENY, to_agent=("no",)), id="PreToolUse"
        ),
        pytest.param(
            CLAUDE, POST, Delivery(verdict=Verdict.BLOCK, to_agent=("no",)), id="PostToolUse"
        ),
        pytest.param(CLAUDE, FAILURE, Delivery(context=("no",)), id="PostToolUseFailure"),
        pytest.param(
            CLAUDE,
            PROMPT,
            Delivery(verdict=Verdict.DENY, to_user=("no",), prompt_erased=True),
            id="UserPromptSubmit",
        ),
        pytest.param(CLAUDE, STOP, Delivery(verdict=Verdict.BLOCK, to_agent=("no",)), id="Stop"),
        pytest.param(CLAUDE, ASKED, Delivery(to_user=("no",)), id="PermissionRequest: no decision"),
        pytest.param(CLAUDE, START, Delivery(to_user=("no",)), id="SessionStart"),
        pytest.param(
            CLAUDE, COMPACT, Delivery(verdict=Verdict.BLOCK, to_user=("no",)), id="PreCompact"
        ),
        pytest.param(CLAUDE, CHILD, Delivery(to_user=("no",)), id="SubagentStart: cannot stop"),
        pytest.param(CLAUDE, NOTE, Delivery(to_user=("no",)), id="Notification"),
        pytest.param(CLAUDE, IDLE, Delivery(to_agent=("no",)), id="TeammateIdle"),
        pytest.param(
            SNAPHOOK,
            CHILD,
            Delivery(verdict=Verdict.DENY, to_agent=("no",)),
            id="own SubagentStart",
        ),
        pytest.param(
            SNAPHOOK,
            ASKED,
            Delivery(verdict=Verdict.DENY, to_agent=("no",), to_user=("no",)),
            id="own PermissionRequest",
        ),
        pytest.param(SNAPHOOK, ERROR, Delivery(to_user=("no",)), id="own ErrorOccurred"),
    ],
)
def test_exit_2_has_the_effect_of_its_row(dialect, event, heard):
    assert said(dialect, event, ended(2, out="ignored", err="no\n")) == heard


@pytest.mark.req("WX-14", "WX-5")
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event_name)
@pytest.mark.parametrize("code", [1, 3, 127, 255])
def test_every_other_exit_code_tells_the_user_and_stops_nothing(dialect, event, code):
    assert said(dialect, event, ended(code, out="ignored", err="oops\n")) == Delivery(
        to_user=("oops",)
    )


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("code", [1, 2])
def test_a_failure_without_a_word_says_that_it_is_one(dialect, code):
    heard = said(dialect, PRE, ended(code))

    assert (*heard.to_agent, *heard.to_user) == (
        f"Hook execution failed: hook 'check' (exit code {code})",
    )


@pytest.mark.req("WX-4", "WX-5", "WX-E")
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event_name)
def test_in_wave_only_a_prompt_hook_and_a_worktree_hook_have_their_stdout_read(event):
    heard = said(WAVE, event, ended(0, out=" text \n", err="ignored"))

    assert heard == (Delivery(context=("text",)) if event in (PROMPT, WORKTREE) else Delivery())


@pytest.mark.parametrize("dialect", [CLAUDE, SNAPHOOK])
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event_name)
def test_elsewhere_a_starting_session_hears_it_too(dialect, event):
    heard = said(dialect, event, ended(0, out="text\n", err="ignored"))

    assert heard == (
        Delivery(context=("text",)) if event in (PROMPT, START, WORKTREE) else Delivery()
    )


def test_what_a_compaction_hook_prints_must_survive():
    command = CommandHook(
        event="PreCompact", command="c", dialect=CLAUDE, origin=Origin(layer=Layer.CODE)
    )
    (planned,) = HookPlan([command]).hooks_for(COMPACT)
    output = interpret(planned, COMPACT, ended(0, out="keep this\n")).output

    assert getattr(output, "preserve_context", None) == ("keep this",)


@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event_name)
def test_no_output_means_no_opinion(dialect, event):
    assert said(dialect, event, ended(0)) == Delivery()


BROKEN = [
    pytest.param({"timed_out": True, "duration": 5.0}, "timed out after 5.0 s", id="W3 timeout"),
    pytest.param({"signal": 9}, "was killed by SIGKILL", id="W4 signal"),
    pytest.param({"failure": "no such file"}, "failed to run: no such file", id="no start"),
]


@pytest.mark.req("WX-E", "WS-E1")
@pytest.mark.parametrize("dialect", Dialect)
@pytest.mark.parametrize("event", EVENTS, ids=lambda event: event.event_name)
@pytest.mark.parametrize(("how", "words"), BROKEN)
def test_w3_w4_a_hook_that_broke_is_told_to_the_user_and_its_stdout_is_lost(
    dialect, event, how, words
):
    """Defects W3 and W4 of Wave: both counted as exit 0, and half a context was injected."""
    heard = said(dialect, event, ended(out="half a context", **how))

    assert heard == Delivery(to_user=heard.to_user)
    assert [words in text for text in heard.to_user] == [True]


@pytest.mark.parametrize("how", [*(case.values[0] for case in BROKEN), {"code": 1}])
@pytest.mark.parametrize(
    ("event", "verdict"),
    [
        (PRE, Verdict.DENY),
        (PROMPT, Verdict.DENY),
        (POST, Verdict.BLOCK),
        (STOP, None),
        (START, None),
    ],
    ids=lambda case: getattr(case, "event_name", case),
)
def test_a_closed_stance_stops_where_something_can_be_stopped(event, verdict, how):
    """Never on Stop: a broken hook would hold the agent for ever."""
    assert said(CLAUDE, event, ended(**how), stance=Stance.CLOSED).verdict is verdict


def test_a_lost_stop_script_does_not_hold_the_agent():
    lost = ended(2, err="python3: can't open file '/gone.py': [Errno 2] No such file or directory")

    assert said(CLAUDE, STOP, lost).verdict is None
    assert said(CLAUDE, PRE, lost).verdict is Verdict.DENY


def doc(event: AnyEvent | None = None, /, **keys) -> str:
    specific = keys.pop("specific", None)
    if specific is not None and event is not None:
        specific = {"hookEventName": event.event_name, **specific}
    return json.dumps(keys | ({"hookSpecificOutput": specific} if specific is not None else {}))


def permission(decision: str, **more) -> str:
    return doc(PRE, specific={"permissionDecision": decision, **more})


ALLOWED = Delivery(verdict=Verdict.ALLOW)


@pytest.mark.parametrize(
    ("event", "code", "out", "heard"),
    [
        pytest.param(
            PRE,
            0,
            permission("deny", permissionDecisionReason="why"),
            Delivery(verdict=Verdict.DENY, to_agent=("why",)),
            id="deny",
        ),
        pytest.param(
            PRE,
            1,
            permission("deny", permissionDecisionReason="why"),
            Delivery(verdict=Verdict.DENY, to_agent=("why",)),
            id="deny with exit 1",
        ),
        pytest.param(
            PRE,
            0,
            permission("deny"),
            Delivery(
                verdict=Verdict.DENY,
                to_agent=("hook 'check' blocked this without giving a reason",),
            ),
            id="deny without a reason",
        ),
        pytest.param(
            PRE,
            2,
            permission("allow"),
            Delivery(verdict=Verdict.DENY, to_agent=("err",)),
            id="2 + allow",
        ),
        pytest.param(PRE, 0, permission("allow"), ALLOWED, id="allow"),
        pytest.param(
            PRE,
            0,
            permission("ask", permissionDecisionReason="sure?"),
            Delivery(verdict=Verdict.ASK, to_user=("sure?",)),
            id="ask: the reason is the user's",
        ),
        pytest.param(
            PRE, 0, permission("defer"), Delivery(verdict=Verdict.ASK), id="defer is no allow"
        ),
        pytest.param(
            PRE,
            0,
            doc(decision="block", reason="why"),
            Delivery(verdict=Verdict.DENY, to_agent=("why",)),
            id="legacy block",
        ),
        pytest.param(PRE, 0, doc(decision="approve"), ALLOWED, id="legacy approve"),
        pytest.param(
            PRE,
            0,
            doc(PRE, specific={"updatedInput": {"command": "ls -l"}}),
            Delivery(verdict=Verdict.MODIFY),
            id="rewritten",
        ),
        pytest.param(
            PRE,
            0,
            doc(PRE, specific={"additionalContext": "know"}),
            Delivery(context=("know",)),
            id="context alone",
        ),
        pytest.param(
            PRE,
            0,
            doc(**{"continue": False}, stopReason="enough"),
            Delivery(verdict=Verdict.DENY, to_agent=("enough",)),
            id="continue: false stops the call too",
        ),
        pytest.param(
            PRE, 0, "noise\n" + permission("deny"), Delivery(), id="noise before it: text"
        ),
        pytest.param(PRE, 0, "{bad", Delivery(), id="bad JSON is text"),
        pytest.param(
            POST,
            0,
            doc(decision="block", reason="why"),
            Delivery(verdict=Verdict.BLOCK, to_agent=("why",)),
            id="PostToolUse block",
        ),
        pytest.param(
            FAILURE,
            0,
            doc(FAILURE, decision="block", reason="why", specific={"additionalContext": "c"}),
            Delivery(context=("why", "c")),
            id="PostToolUseFailure",
        ),
        pytest.param(
            PROMPT,
            0,
            doc(decision="block", reason="why"),
            Delivery(verdict=Verdict.DENY, to_user=("why",), prompt_erased=True),
            id="UserPromptSubmit block",
        ),
        pytest.param(
            PROMPT,
            0,
            doc(PROMPT, systemMessage="psst", specific={"additionalContext": "c"}),
            Delivery(context=("c",), to_user=("psst",)),
            id="UserPromptSubmit context and a word to the user",
        ),
        pytest.param(
            STOP,
            0,
            doc(decision="block", reason="go on"),
            Delivery(verdict=Verdict.BLOCK, to_agent=("go on",)),
            id="Stop block",
        ),
        pytest.param(
            STOP,
            0,
            doc(STOP, specific={"decision": "block", "reason": "x"}),
            Delivery(),
            id="Stop: a nested decision is ignored",
        ),
        pytest.param(
            STOP,
            0,
            doc(**{"continue": False}, decision="block", reason="x", stopReason="enough"),
            Delivery(to_user=("enough",)),
            id="Stop: continue false beats block",
        ),
        pytest.param(
            CHILD_DONE,
            0,
            doc(CHILD_DONE, specific={"additionalContext": "more"}),
            Delivery(verdict=Verdict.BLOCK, to_agent=("more",)),
            id="SubagentStop goes on with context",
        ),
        pytest.param(
            START,
            0,
            doc(START, specific={"additionalContext": "c"}),
            Delivery(context=("c",)),
            id="start",
        ),
        pytest.param(
            NOTE,
            0,
            doc(NOTE, specific={"additionalContext": "c"}),
            Delivery(to_agent=("c",)),
            id="note",
        ),
        pytest.param(
            ASKED,
            0,
            doc(ASKED, specific={"decision": {"behavior": "allow"}}),
            ALLOWED,
            id="PermissionRequest allow",
        ),
        pytest.param(
            ASKED,
            0,
            doc(ASKED, specific={"decision": {"behavior": "deny", "message": "why"}}),
            Delivery(verdict=Verdict.DENY, to_agent=("why",), to_user=("why",)),
            id="PermissionRequest deny",
        ),
        pytest.param(
            WORKTREE,
            0,
            doc(WORKTREE, specific={"worktreePath": "/w"}),
            Delivery(context=("/w",)),
            id="WorktreeCreate",
        ),
        pytest.param(COMPACT, 0, doc(systemMessage="m"), Delivery(to_user=("m",)), id="PreCompact"),
    ],
)
def test_claude_reads_a_document_on_every_event(event, code, out, heard):
    assert said(CLAUDE, event, ended(code, out=out, err="err")) == heard


@pytest.mark.parametrize(
    ("out", "words"),
    [
        pytest.param(doc(decision="deny"), "its decision is 'deny'", id="no such word"),
        pytest.param('{"permissionDecision": "deny"}', "under hookSpecificOutput", id="flat"),
        pytest.param(doc(specific={"permissionDecision": "deny"}), "hookEventName", id="no name"),
        pytest.param(
            doc(POST, specific={"permissionDecision": "deny"}), "hookEventName", id="another's name"
        ),
        pytest.param('{"continue": "no"}', "Expected `bool`", id="wrong type"),
    ],
)
def test_a_document_claude_would_not_obey_is_not_obeyed_but_told(out, words):
    heard = said(CLAUDE, PRE, ended(0, out=out))

    assert heard == Delivery(to_user=heard.to_user)
    assert words in heard.to_user[0]
    assert said(CLAUDE, PRE, ended(0, out=out), stance=Stance.CLOSED).verdict is Verdict.DENY


@pytest.mark.parametrize(
    "out",
    [
        doc(decision="deny"),
        '{"permissionDecision": "deny"}',
        doc(specific={"permissionDecision": "deny"}),
    ],
)
def test_our_own_dialect_takes_the_spellings_people_reach_for(out):
    assert said(SNAPHOOK, PRE, ended(0, out=out)).verdict is Verdict.DENY


def test_json_that_nobody_reads_is_neither_context_nor_an_answer():
    assert said(CLAUDE, PROMPT, ended(0, out='{"status": "ok"}')) == Delivery()


@pytest.mark.parametrize(
    ("event", "code", "out", "heard"),
    [
        pytest.param(
            PRE, 2, permission("allow"), ALLOWED, id="a valid document beats the exit code"
        ),
        pytest.param(
            PRE,
            2,
            "{bad",
            Delivery(verdict=Verdict.DENY, to_agent=("err",)),
            id="a malformed one does not",
        ),
        pytest.param(
            POST,
            0,
            doc(decision="block", reason="why", additionalContext="c"),
            Delivery(verdict=Verdict.BLOCK, to_agent=("why",), context=("c",)),
            id="PostToolUse",
        ),
        pytest.param(
            PRE,
            0,
            doc(PRE, **{"continue": False}, specific={"permissionDecision": "allow"}),
            Delivery(verdict=Verdict.DENY, to_agent=("A hook ended the turn",)),
            id="continue: false beats the decision",
        ),
    ],
)
def test_wave_reads_a_document_when_the_hook_asks_for_it(event, code, out, heard):
    assert said(WAVE, event, ended(code, out=out, err="err"), json_output=True) == heard


def test_wave_does_not_read_a_document_by_itself():
    assert said(WAVE, PRE, ended(0, out=permission("deny"))) == Delivery()


def test_a_hook_can_say_that_its_stdout_is_no_document():
    assert said(CLAUDE, PRE, ended(0, out=permission("deny")), json_output=False) == Delivery()


@pytest.mark.parametrize("out", ["null", "[]", '"text"', "{bad", "42"])
def test_w9_what_is_no_document_does_not_leak_into_a_starting_session(out):
    """Defect W9 of Wave: raw ``null`` and broken JSON became context."""
    assert said(WAVE, START, ended(0, out=out)) == Delivery()


def test_w9_a_document_of_a_starting_session_is_read():
    assert said(WAVE, START, ended(0, out=doc(specific={"additionalContext": "c"}))) == Delivery(
        context=("c",)
    )


def test_w9_a_document_without_known_keys_is_told_to_its_author():
    """Defect W9 of Wave: it was swallowed."""
    command = CommandHook(
        event="SessionStart", command="c", dialect=WAVE, origin=Origin(layer=Layer.CODE)
    )
    (planned,) = HookPlan([command]).hooks_for(START)

    reading = interpret(planned, START, ended(0, out='{"context": "x"}'))

    assert reading.output is None
    assert "none of its keys (context) means anything" in (reading.problem or "")
