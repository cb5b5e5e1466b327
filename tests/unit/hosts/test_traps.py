"""The traps of the hosts' protocols, one by one; each test names the trap it stays out of.

Traps 1, 2, 3 and 22 also have tests with a running program, in tests/unit/cli/test_hook.py, and the
real hosts confirm the rest in tests/hosts.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snaphook.canon import (
    Event,
    HookContext,
    HostEvent,
    Message,
    Output,
    PostToolUse,
    PostToolUseOutput,
    PreToolUse,
    PreToolUseOutput,
    Recipient,
    Stop,
    StopOutput,
    UserPromptOutput,
    Verdict,
)
from snaphook.hosts import HOSTS, Host, HostCall, host_named
from snaphook.hosts.detect_host import detect_host
from snaphook.hosts.host import time_limit
from snaphook.hosts.install.entries import handler
from snaphook.hosts.install.trust import hash_of
from snaphook.hosts.placement import HooksFormat, Wired

ALLOW, MODIFY, ASK, DENY, BLOCK = Verdict
HERE = HookContext(session_id="s")
PLACED = [name for name in HOSTS if host_named(name).PLACEMENT is not None]
BY_EXIT_CODE = ("wave", "windsurf", "kiro", "goose", "kimi")
ANSWERS_IN_JSON = [name for name in HOSTS if name not in BY_EXIT_CODE]


def tool_call(host: Host) -> PreToolUse:
    """Return a shell call as *host* would have sent it, by the event that can say most about it."""
    rows = {name: can for name, can in host.CAN.items() if can.event is PreToolUse}
    shell = next(
        (theirs for theirs, tool in host.TOOLS.tools.items() if tool.name == "Bash"), "Bash"
    )
    if host.NAME == "codex":  # its hooks are told the canonical name and keys
        shell = "Bash"
    return PreToolUse(
        context=HERE,
        tool_name="Bash",
        tool_args={"command": "rm x", "description": "d"},
        extra={"hook_event_name": next(iter(rows)), "tool_name": shell},
    )


def answer(host: Host, output: Output, event: Event | None = None) -> dict[str, Any]:
    stdout = host.encode(event or tool_call(host), output).stdout
    body: dict[str, Any] = json.loads(stdout) if stdout else {}
    return body


def wired(name: str) -> Iterator[tuple[Wired, dict[str, Any]]]:
    placement = host_named(name).PLACEMENT
    assert placement is not None
    for entry in placement.wired:
        yield entry, handler(placement, entry, ("snaphook", "hook"), name)


@pytest.mark.parametrize("name", PLACED)
def test_trap_2_the_command_is_a_program_not_a_script_an_interpreter_might_miss(name):
    for entry, written in wired(name):
        command = written.get("command")
        assert command == f"snaphook hook {name} {entry.event}"


@pytest.mark.parametrize("name", PLACED)
def test_trap_3_we_answer_before_the_host_gives_up_and_lets_the_call_through(name):
    host = host_named(name)
    for entry, _ in wired(name):
        assert time_limit(host, HostCall(event=entry.event)) < entry.timeout


def test_trap_3_the_hosts_that_can_fail_closed_are_told_to():
    claude = {entry.event: written for entry, written in wired("claude-code")}
    cursor = {entry.event: written for entry, written in wired("cursor")}

    assert claude["PreToolUse"]["onFailure"] == "block"
    assert claude["UserPromptSubmit"]["onFailure"] == "block"
    for event in ("preToolUse", "beforeShellExecution", "beforeMCPExecution", "subagentStart"):
        assert cursor[event]["failClosed"] is True


CODEX_KEYS = {
    "PreToolUse": {"permissionDecision", "permissionDecisionReason", "updatedInput"},
    "PostToolUse": set[str](),
    "UserPromptSubmit": set[str](),
}
OUTPUTS = {
    "PreToolUse": st.builds(
        PreToolUseOutput,
        decision=st.sampled_from([None, ALLOW, MODIFY, ASK, DENY]),
        reason=st.sampled_from([None, "", "why"]),
        modified_args=st.sampled_from([None, {"command": "ls"}]),
        additional_context=st.sampled_from([None, "", "know this", ("a", "b")]),
        messages=st.sampled_from([(), (Message("m", Recipient.BOTH),)]),
    ),
    "PostToolUse": st.builds(
        PostToolUseOutput,
        decision=st.sampled_from([None, BLOCK]),
        reason=st.sampled_from([None, "", "why"]),
        suppress_output=st.booleans(),
        modified_result=st.sampled_from(["", "new", {"a": 1}]),
        additional_context=st.sampled_from([None, "know this"]),
    ),
    "UserPromptSubmit": st.builds(
        UserPromptOutput,
        decision=st.sampled_from([None, DENY]),
        reason=st.sampled_from([None, "", "why"]),
        modified_prompt=st.sampled_from([None, "other"]),
        additional_context=st.sampled_from([None, "know this"]),
    ),
}
EVENTS: dict[str, Event] = {
    "PreToolUse": PreToolUse(context=HERE, tool_name="Bash", tool_args={"command": "rm x"}),
    "PostToolUse": PostToolUse(context=HERE, tool_name="Bash", tool_args={}, tool_result="x"),
}


@pytest.mark.parametrize("kind", ["PreToolUse", "PostToolUse"])
@given(data=st.data())
def test_trap_4_codex_hears_no_key_it_does_not_know_and_never_an_empty_reason(kind, data):
    output = data.draw(OUTPUTS[kind])

    body = answer(host_named("codex"), output, EVENTS[kind])

    assert set(body) <= {"hookSpecificOutput", "systemMessage", "decision", "reason"}
    inner = body.get("hookSpecificOutput", {"hookEventName": kind})
    assert inner["hookEventName"] == kind
    assert set(inner) <= CODEX_KEYS[kind] | {"hookEventName", "additionalContext"}
    if body.get("decision") is not None:
        assert (body["decision"], bool(body["reason"])) == ("block", True)
    decision = inner.get("permissionDecision")
    assert decision in (None, "deny", "allow")
    assert decision != "deny" or inner["permissionDecisionReason"]
    assert ("updatedInput" in inner) is (decision == "allow")


def test_trap_4_codex_hears_nothing_nested_about_a_stop():
    stop = Stop(context=HERE)

    assert answer(
        host_named("codex"), StopOutput(decision=BLOCK, additional_context="x"), stop
    ) == {
        "decision": "block",
        "reason": "A hook gave no reason.\nx",
    }


def test_trap_5_the_trust_hash_is_the_one_codex_computes():
    written = {"type": "command", "command": "guard", "timeout": 10}

    # of {"event_name":"pre_tool_use","hooks":[{"async":false,"command":"guard","timeout":10,
    # "type":"command"}],"matcher":"Bash"}; Codex itself is asked in tests/hosts.
    assert hash_of("PreToolUse", "Bash", written) == (
        "sha256:1d4fdbf2f186d9126551b954f680f8e1f473594f4f880056c3e4dc40bb92cd32"
    )


def test_trap_6_copilot_hears_a_refusal_in_both_shapes_and_the_rest_flat():
    copilot = host_named("copilot-cli")

    denied = answer(copilot, PreToolUseOutput(decision=DENY, reason="no"))
    assert denied["permissionDecision"] == denied["hookSpecificOutput"]["permissionDecision"]
    assert answer(copilot, PreToolUseOutput(additional_context="x")) == {"additionalContext": "x"}


@pytest.mark.parametrize("name", ANSWERS_IN_JSON)
@given(output=OUTPUTS["PreToolUse"])
def test_trap_7_stdout_is_one_json_document_or_nothing(name, output):
    host = host_named(name)

    stdout = host.encode(tool_call(host), output).stdout

    if stdout:
        assert isinstance(json.loads(stdout), dict)


@pytest.mark.parametrize("name", ["cursor", "opencode", "cline", "generic"])
def test_trap_7_where_silence_would_block_no_opinion_is_an_empty_object(name):
    assert json.loads(host_named(name).SILENCE.stdout) == {}


@pytest.mark.parametrize("name", HOSTS)
@given(output=OUTPUTS["PreToolUse"])
def test_trap_8_continue_false_is_never_sent_for_a_tool(name, output):
    assert b'"continue"' not in host_named(name).encode(tool_call(host_named(name)), output).stdout


@pytest.mark.parametrize("name", ["codex", "opencode", "gemini-cli"])
def test_trap_9_asking_is_refusing_where_the_host_would_run_the_call_or_hang(name):
    host = host_named(name)
    samples = {
        "codex": {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}},
        "gemini-cli": {"hook_event_name": "BeforeTool", "tool_name": "x", "tool_input": {}},
        "opencode": {
            "hook": "tool.execute.before",
            "input": {"tool": "bash"},
            "output": {"args": {}},
        },
    }
    event = host.decode(json.dumps(samples[name]).encode(), HostCall())

    body = json.dumps(answer(host, PreToolUseOutput(decision=ASK, reason="Sure?"), event))

    assert '"deny"' in body
    assert '"ask"' not in body


def test_trap_9_gemini_asks_when_a_person_was_promised():
    gemini = host_named("gemini-cli")
    wire = b'{"hook_event_name": "BeforeTool", "tool_name": "x", "tool_input": {}}'
    event = gemini.decode(wire, HostCall(env={"SNAPHOOK_ATTENDED": "1"}))

    assert answer(gemini, PreToolUseOutput(decision=ASK), event) == {"decision": "ask"}


def test_trap_10_a_prompt_nobody_submitted_is_recorded_and_not_judged():
    wire = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": ""}

    event = host_named("qwen-code").decode(json.dumps(wire).encode(), HostCall())

    assert isinstance(event, HostEvent)


def test_trap_10_the_stop_at_a_sessions_end_is_recorded_and_not_judged():
    wire = {"hook_event_name": "Stop", "hookEventName": "stop", "reason": "session_end"}

    event = host_named("grok").decode(json.dumps(wire).encode(), HostCall())

    assert isinstance(event, HostEvent)


def test_trap_10_cursor_asks_us_once_about_a_command():
    matchers = {entry.event: entry.matcher for entry, _ in wired("cursor")}

    pattern = re.compile(matchers["preToolUse"] or "")
    heard = [tool for tool in ("Shell", "MCP:search", "Write", "ShellX") if pattern.search(tool)]
    assert heard == ["Write", "ShellX"]


def test_trap_10_gemini_is_not_asked_to_call_before_every_request():
    assert not {"PreCompress", "BeforeModel", "AfterModel"} & {
        e.event for e, _ in wired("gemini-cli")
    }


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("claude-code", ("hookSpecificOutput", "updatedInput")),
        ("codex", ("hookSpecificOutput", "updatedInput")),
        ("gemini-cli", ("hookSpecificOutput", "tool_input")),
        ("copilot-cli", ("modifiedArgs",)),
        ("vscode", ("hookSpecificOutput", "updatedInput")),
        ("grok", ("hookSpecificOutput", "updatedInput")),
        ("opencode", ("args",)),
    ],
)
def test_trap_11_a_rewrite_holds_the_whole_input(name, where):
    whole = {"command": "rm -i x", "description": "d"}
    body: Any = answer(host_named(name), PreToolUseOutput(decision=MODIFY, modified_args=whole))

    for key in where:
        body = body[key]
    assert body == whole


def test_trap_11_qwen_asks_because_it_would_not_apply_a_rewrite():
    output = PreToolUseOutput(decision=MODIFY, modified_args={"command": "rm -i x"})

    inner = answer(host_named("qwen-code"), output)["hookSpecificOutput"]

    assert inner["permissionDecision"] == "ask"
    assert "updatedInput" not in inner


def test_trap_12_timeouts_are_in_the_hosts_own_unit():
    seconds = {name: next(iter(wired(name)))[1] for name in PLACED}

    assert seconds["gemini-cli"]["timeout"] == 60_000
    assert seconds["claude-code"]["timeout"] == 60
    assert seconds["copilot-cli"]["timeoutSec"] == 60
    assert all(written["timeout"] < 1000 for _, written in wired("qwen-code"))


@pytest.mark.parametrize("name", PLACED)
def test_trap_13_matchers_are_none_all_or_a_regular_expression(name):
    for entry, _ in wired(name):
        if entry.matcher not in (None, "*"):
            re.compile(entry.matcher or "")


@pytest.mark.parametrize("name", PLACED)
def test_trap_14_no_entry_could_take_its_file_down(name):
    host = host_named(name)
    for entry, written in wired(name):
        assert entry.event in host.CAN
        assert isinstance(written["command"], str)
        assert "//" not in written["command"]
        timeouts = [v for key, v in written.items() if key.startswith("timeout")]
        assert all(type(timeout) is int and timeout > 0 for timeout in timeouts)


@pytest.mark.parametrize(
    ("payload", "env", "host"),
    [
        ({"session_id": "s", "tool_use_id": "t"}, {}, "claude-code"),
        ({"session_id": "s", "tool_use_id": "t"}, {"COPILOT_CLI": "1"}, "claude-code"),
        ({"session_id": "s", "timestamp": "2026"}, {"COPILOT_CLI": "1"}, "copilot-cli"),
        ({"timestamp": "2026", "hook_event_name": "Stop"}, {}, "vscode"),
        ({"cursor_version": "3", "hook_event_name": "stop"}, {}, "cursor"),
        ({"hookEventName": "stop", "workspaceRoot": "/p", "timestamp": "2026"}, {}, "grok"),
    ],
)
def test_trap_15_a_hook_in_claudes_settings_answers_whoever_runs_it(payload, env, host):
    assert detect_host("claude-code", json.dumps(payload).encode(), env) == host


@pytest.mark.parametrize("wire", [b"", b"nonsense", b"[]", b"3"])
def test_trap_15_a_payload_that_tells_nothing_leaves_the_name_on_the_command_line(wire):
    assert detect_host("claude-code", wire, {"COPILOT_CLI": "1"}) == "claude-code"


@pytest.mark.parametrize("name", HOSTS)
def test_trap_16_no_opinion_says_nothing_that_could_outvote_another_hook(name):
    reply = host_named(name).SILENCE

    # Antigravity asks a person where nothing is said; its allow is what silence is elsewhere.
    words = (b'{"decision":"allow"}',) if name == "antigravity" else (b"", b"{}")
    assert reply.stdout.strip() in words
    assert (reply.stderr, reply.exit_code) == (b"", 0)


@pytest.mark.parametrize("name", HOSTS)
def test_trap_17_the_reason_of_a_block_after_the_tool_reaches_the_model(name):
    host = host_named(name)
    rows = [(key, can) for key, can in host.CAN.items() if can.event is PostToolUse]
    event, can = next(iter(rows), ("", None))
    if can is None or not (can.say or can.context):
        return  # nothing we say after a tool reaches this host's model; its page says so
    ran = PostToolUse(
        context=HERE, tool_name="Bash", tool_args={}, extra={"hook_event_name": event}
    )

    reply = host.encode(ran, PostToolUseOutput(decision=BLOCK, reason="lint failed"))

    assert b"lint failed" in (reply.stderr if reply.exit_code == 2 else reply.stdout)


@pytest.mark.parametrize("name", ["gemini-cli", "copilot-cli", "wave"])
def test_trap_18_a_call_without_an_id_is_a_call(name):
    host = host_named(name)
    event = next(key for key, can in host.CAN.items() if can.event is PreToolUse)
    wire = {"tool_name": "x", "tool_input": {}, "toolName": "x", "toolArgs": {}}

    decoded = host.decode(json.dumps(wire).encode(), HostCall(event=event))

    assert isinstance(decoded, PreToolUse)
    assert decoded.tool_use_id is None


@pytest.mark.parametrize("name", PLACED)
def test_trap_19_a_projects_file_names_our_program_and_no_script_of_the_project(name):
    placement = host_named(name).PLACEMENT
    assert placement is not None
    if placement.shape is HooksFormat.FILE:
        return
    for entry, written in wired(name):
        assert written["command"].split() == ["snaphook", "hook", name, entry.event]


@pytest.mark.parametrize("name", ["codex", "grok", "wave", "antigravity"])
def test_trap_20_an_allow_the_host_would_void_or_ignore_is_not_sent(name):
    host = host_named(name)

    assert host.encode(tool_call(host), PreToolUseOutput(decision=ALLOW)) == host.SILENCE


@pytest.mark.parametrize("name", HOSTS)
def test_trap_21_variables_named_like_fields_change_nothing(name):
    host = host_named(name)
    wire = json.dumps({"hook_event_name": "X", "event": "X", "hook": "X"}).encode()
    lies = {"cwd": "/lie", "prompt": "lie", "tool_name": "lie", "session_id": "lie"}

    assert host.decode(wire, HostCall(env=lies)) == host.decode(wire, HostCall())


def test_trap_22_tool_input_that_comes_as_text_is_unfolded():
    wire = {
        "hook_event_name": "beforeMCPExecution",
        "tool_name": "t",
        "tool_input": '{"a": 1}',
        "mcp_server_name": "s",
    }

    event = host_named("cursor").decode(json.dumps(wire).encode(), HostCall())

    assert isinstance(event, PreToolUse)
    assert (event.tool_name, event.tool_args) == ("mcp__s__t", {"a": 1})


@pytest.mark.parametrize("name", ["codex", "gemini-cli", "copilot-cli"])
def test_trap_17_where_a_block_replaces_the_result_a_new_result_keeps_its_place(name):
    host = host_named(name)
    event = next(key for key, can in host.CAN.items() if can.event is PostToolUse)
    ran = PostToolUse(
        context=HERE, tool_name="Bash", tool_args={}, extra={"hook_event_name": event}
    )
    output = PostToolUseOutput(decision=BLOCK, reason="lint failed", modified_result="key = …")

    body = json.dumps(answer(host, output, ran), ensure_ascii=False)

    assert "key = …\\n\\nlint failed" in body


def test_trap_21_an_agent_inside_another_does_not_take_the_outer_ones_project_for_its_own():
    wire = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {}, "cwd": "/inner"}
    outer = HostCall(env={"CLAUDE_PROJECT_DIR": "/outer"})

    assert (
        host_named("codex").decode(json.dumps(wire).encode(), outer).context.team_root == "/inner"
    )
    assert (
        host_named("claude-code").decode(json.dumps(wire).encode(), outer).context.team_root
        == "/outer"
    )
