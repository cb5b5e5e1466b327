"""Who may use which tool."""

import pytest

from snaphook.providers.guard import Answer, GuardSettings, StillWorld
from snaphook.providers.guard.asker import Asker
from snaphook.providers.guard.examine import examine_tool
from snaphook.providers.guard.own.tables import Role

REVIEWER = Role(
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
        asker=Asker(agent=agent),
    )


@pytest.mark.req("BB-PT-6")
@pytest.mark.parametrize(
    ("tool", "args", "answer"),
    [
        ("Read", {"file_path": "a"}, Answer.ALLOW),
        ("mcp__docs__search", {}, Answer.ALLOW),
        ("Write", {"file_path": "a", "content": "b"}, Answer.DENY),
        ("WebFetch", {"url": "https://example.com"}, Answer.DENY),
        ("Bash", {"command": "cd src && git log | ls"}, Answer.ALLOW),
        ("Bash", {"command": "git log | python3 x.py"}, Answer.DENY),
        ("Bash", {"command": "bash -c 'npm test'"}, Answer.DENY),
        ("Bash", {"command": "$X"}, Answer.DENY),
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
        ("enforce", Answer.DENY, Answer.DENY),
        ("warn", Answer.WARN, Answer.WARN),
        ("audit", Answer.ALLOW, Answer.DENY),
    ],
)
def test_a_role_is_enforced_warned_about_or_only_watched(mode, answer, would):
    role = Role(name="r", agents="reviewer", tools="Read", mode=mode)

    judgement = judged("WebSearch", roles=(role,))

    assert (judgement.answer, judgement.would) == (answer, would)


def test_roles_add_up_and_none_widens_another():
    wide = Role(name="wide", agents="reviewer", tools=("*",))

    assert judged("WebSearch", roles=(wide, REVIEWER)).rule == "role.reviewer"


def test_a_role_says_what_it_allows():
    [objection] = judged("WebSearch").objections

    assert objection.what == "a reviewer may not use WebSearch"
    assert objection.instead == "Use what the role allows: Read, Grep, Bash, mcp__docs__*."
