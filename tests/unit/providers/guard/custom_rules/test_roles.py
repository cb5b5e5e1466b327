"""Who may use which tool."""

import pytest

from snaphook.providers.guard import GuardAnswer, GuardSettings, StillWorld
from snaphook.providers.guard.caller import Caller
from snaphook.providers.guard.custom_rules.tables import AgentRole
from snaphook.providers.guard.examine import examine_tool

REVIEWER = AgentRole(
    name="reviewer",
    agents=("reviewer", "*-review"),
    tools=("Read", "Grep", "Bash", "mcp__docs__*"),
    programs=("git", "ls"),
)


def judged(tool, args=None, *, agent="reviewer", roles=(REVIEWER,), mode="enforce"):
    return examine_tool(
        tool,
        args or {},
        StillWorld(),
        settings=GuardSettings(roles=roles, mode=mode),
        asker=Caller(agent=agent),
    )


@pytest.mark.req("BB-PT-6")
@pytest.mark.parametrize(
    ("tool", "args", "answer"),
    [
        ("Read", {"file_path": "a"}, GuardAnswer.ALLOW),
        ("mcp__docs__search", {}, GuardAnswer.ALLOW),
        ("Write", {"file_path": "a", "content": "b"}, GuardAnswer.DENY),
        ("WebFetch", {"url": "https://example.com"}, GuardAnswer.DENY),
        ("Bash", {"command": "cd src && git log | ls"}, GuardAnswer.ALLOW),
        ("Bash", {"command": "git log | python3 x.py"}, GuardAnswer.DENY),
        ("Bash", {"command": "bash -c 'npm test'"}, GuardAnswer.DENY),
        ("Bash", {"command": "$X"}, GuardAnswer.DENY),
    ],
)
def test_a_role_allows_what_is_on_its_list(tool, args, answer):
    assert judged(tool, args).answer is answer


@pytest.mark.parametrize(("agent", "bound"), [("db-review", True), ("main", False), ("", False)])
def test_a_role_binds_the_agents_it_names(agent, bound):
    assert (judged("Write", {"file_path": "a"}, agent=agent).rule == "role.reviewer") is bound


@pytest.mark.parametrize(
    ("mode", "answer", "would"),
    [
        ("enforce", GuardAnswer.DENY, GuardAnswer.DENY),
        ("warn", GuardAnswer.WARN, GuardAnswer.WARN),
        ("audit", GuardAnswer.ALLOW, GuardAnswer.DENY),
    ],
)
def test_a_role_is_enforced_warned_about_or_only_watched(mode, answer, would):
    role = AgentRole(name="r", agents="reviewer", tools="Read", mode=mode)

    judgement = judged("WebSearch", roles=(role,))

    assert (judgement.answer, judgement.would) == (answer, would)


def test_roles_add_up_and_none_widens_another():
    wide = AgentRole(name="wide", agents="reviewer", tools=("*",))

    assert judged("WebSearch", roles=(wide, REVIEWER)).rule == "role.reviewer"


def test_a_role_says_what_it_allows():
    [objection] = judged("WebSearch").objections

    assert objection.what == "a reviewer may not use WebSearch"
    assert objection.instead == "Use what the role allows: Read, Grep, Bash, mcp__docs__*."
