"""Secrets of every kind, planted in every part of an event, also where a text is cut: none is kept."""

import random
from pathlib import Path

import msgspec
import pytest

from snaphook.canon import HookContext, PreToolUse, PreToolUseOutput, Verdict
from snaphook.engine import Outcome
from snaphook.hosts import HostCall
from snaphook.hosts.host import Reply
from snaphook.hosts.refusal import Refusal
from snaphook.scrub import RULES, Scrubber
from snaphook.stores.eventlog import EventLog
from snaphook.testing.secrets import made_up_secret
from snaphook.wiring.recording import LONGEST, record, refusal

SCRUBBER = Scrubber(salt=b"s" * 16)
KINDS = [rule for rule in RULES if not rule.generic]


def planted(seed):
    """Return three texts per kind of secret, each with its secret."""
    return [
        made_up_secret(rule, random.Random(f"{rule.id}{seed}{n}"))
        for rule in KINDS
        for n in range(3)
    ]


def outcome(text, *, filler=""):
    context = HookContext(
        session_id=f"s {text}", cwd=f"/p/{text}", agent_name=f"a {text}", agent_id=f"i {text}"
    )
    event = PreToolUse(
        context=context,
        tool_name=f"mcp__{text}",
        tool_args={"command": filler + text, "deep": {"list": [text, {"k": filler + text}]}},
    )
    output = PreToolUseOutput(decision=Verdict.DENY, reason=f"no: {text}")
    return Outcome(event=event, output=output, answers=(), duration_ms=1.0)


def test_more_than_750_planted_secrets_leave_no_trace(tmp_path):
    secrets = planted("a")
    log = EventLog(tmp_path / "log")
    log.append([record(outcome(f"\n{made.text}\n"), SCRUBBER) for made in secrets])
    log.close()
    kept = b"".join(path.read_bytes() for path in Path(tmp_path).rglob("*") if path.is_file())
    found = [
        made
        for made in secrets
        if len(made.secret) > 5 and msgspec.json.encode(made.secret)[1:-1] in kept
    ]

    assert len(secrets) > 600
    assert found == []


@pytest.mark.parametrize("part", [0.25, 0.5, 0.9])
def test_no_part_of_a_secret_survives_at_the_cut(part):
    """Cut before it was scrubbed, the beginning of a secret fitted no rule."""
    left = []
    for made in planted("cut"):
        reached = int(len(made.text) * part)
        filler = "x " * ((LONGEST - reached) // 2) + "\n"
        text = filler[-(LONGEST - reached) :] + made.text + "\n" + "tail " * 50
        kept = SCRUBBER.start_of(text, LONGEST)
        shown = made.secret[: int(len(made.secret) * part) - 4]
        if len(shown) > 10 and shown in kept:  # shorter ones are the names of their kinds
            left.append(made)

    assert left == []


def test_what_cannot_be_read_is_scrubbed_before_it_is_cut():
    left = []
    for made in planted("wire"):
        text = "{" + "y " * ((LONGEST - 20) // 2) + made.text
        call = HostCall(event="PreToolUse", env={}, cwd="/", now=1.0)
        refused = Refusal(
            host="claude-code", call=call, wire=text.encode(), why="x", reply=Reply(), stops=True
        )
        kept = refusal(refused, SCRUBBER).input["wire"]
        if len(made.secret) > 16 and made.secret[:12] in kept:
            left.append(made)

    assert left == []


@pytest.mark.parametrize("levels", [100, 300, 480, 700, 950, 2000])
def test_arguments_nested_deeply_are_recorded(levels, tmp_path):
    args: dict[str, object] = {"password": "hunter2-and-more"}
    for _ in range(levels):
        args = {"a": args}
    event = PreToolUse(context=HookContext(session_id="s"), tool_name="T", tool_args=args)
    output = PreToolUseOutput(decision=Verdict.DENY, reason="too deep")
    log = EventLog(tmp_path)
    log.append([record(Outcome(event=event, output=output, answers=(), duration_ms=1.0), SCRUBBER)])
    log.close()

    [segment] = tmp_path.rglob("*.log")
    assert b'"verdict":"deny"' in segment.read_bytes()
    assert b"hunter2" not in segment.read_bytes()
