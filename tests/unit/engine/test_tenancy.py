"""Each session its own provider: what one tenant may do does not depend on who else is there."""

import asyncio

import pytest

from snaphook.canon import HookContext, PreToolUse, Verdict, verdict
from snaphook.engine import CompositeHooksProvider, Engine
from snaphook.providers.policies import define_hooks
from snaphook.testing import Recorder


def tenant_hooks(session, *, blocked, seen):
    """What a platform does for each customer, as the contract's author sketched it."""
    return CompositeHooksProvider(
        [define_hooks(blocked_commands=blocked, mode="compatible"), seen]
    ).as_session_hooks(session)


def bash(session, command):
    context = HookContext(session_id=session)
    return PreToolUse(context=context, tool_name="bash", tool_args={"command": command})


@pytest.mark.req("SQ-8")
@pytest.mark.req("SQ-11")
async def test_two_tenants_in_one_engine_have_their_own_rules_and_hear_only_their_own_events():
    acme, globex = Recorder(), Recorder()
    engine = Engine(
        [
            tenant_hooks("acme-1", blocked=["deploy"], seen=acme),
            tenant_hooks("globex-1", blocked=["drop"], seen=globex),
        ]
    )
    calls = [("acme-1", "deploy"), ("acme-1", "drop"), ("globex-1", "deploy"), ("globex-1", "drop")]

    answers = await asyncio.gather(*(engine.dispatch(bash(*call)) for call in calls))

    assert [verdict(answer) for answer in answers] == [Verdict.DENY, None, None, Verdict.DENY]
    assert {event.context.session_id for event in acme.events} == {"acme-1"}
    assert {event.context.session_id for event in globex.events} == {"globex-1"}


@pytest.mark.req("SQ-8")
async def test_a_session_that_belongs_to_nobody_is_under_nobodys_rules():
    engine = Engine([tenant_hooks("acme-1", blocked=["deploy"], seen=Recorder())])

    assert await engine.dispatch(bash("stranger", "deploy")) is None
