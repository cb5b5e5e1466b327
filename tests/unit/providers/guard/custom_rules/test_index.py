"""Many rules are found as surely as few."""

import pytest

from snaphook.providers.guard import GuardSettings, StillWorld, examine
from snaphook.providers.guard.custom_rules.tables import CustomRule
from snaphook.providers.guard.examine import examine_tool

LINKED = StillWorld(links={"/home/me/project/link": "/home/me/project/docs/part-500"})
MANY = tuple(
    rule
    for at in range(1_000)
    for rule in (
        CustomRule(id=f"program-{at}", verdict="deny", program=f"tool-{at}"),
        CustomRule(id=f"git-{at}", verdict="deny", program="git", subcommand=f"verb-{at}"),
        CustomRule(id=f"path-{at}", verdict="deny", paths=(f"docs/part-{at}/**", f"x/{at}.txt")),
        CustomRule(id=f"tool-{at}", verdict="deny", tool=f"Tool{at}"),
        CustomRule(id=f"input-{at}", verdict="deny", tool="Search", input={"query": f"^{at}$"}),
    )
)
SETTINGS = GuardSettings(own=MANY)


def deciding(command: str) -> set[str]:
    return {one.rule for one in examine(command, LINKED, settings=SETTINGS).objections}


@pytest.mark.parametrize(
    ("command", "rules"),
    [
        ("tool-500 install", {"program-500"}),
        ("sudo tool-999", {"program-999"}),
        ("git verb-7 x", {"git-7"}),
        ("git -C sub verb-7 x", {"git-7"}),
        ("git status", set()),
        ("cat docs/part-3/a/b.md", {"path-3"}),
        ("cp a x/12.txt", {"path-12"}),
        ("cat link/a.md", {"path-500"}),
        ("cat docs/part-33*/a.md", {f"path-{n}" for n in range(1_000)}),
        ("cat docs/other/a.md", set()),
    ],
)
def test_each_fact_finds_the_rules_that_speak_of_it_and_no_other(command, rules):
    assert deciding(command) == rules


def test_what_a_folder_takes_along_is_found_below_it():
    found = deciding("rm -r docs")

    assert {rule for rule in found if rule.startswith("path-")} == {
        f"path-{n}" for n in range(1_000)
    }
    assert deciding("rm -r docs/part-1") >= {"path-1"}
    assert "path-10" not in deciding("rm -r docs/part-1")


@pytest.mark.parametrize(
    ("tool", "args", "rule"),
    [("Tool77", {}, "tool-77"), ("Search", {"query": "500"}, "input-500"), ("Other", {}, "")],
)
def test_a_tool_finds_its_rules(tool, args, rule):
    assert examine_tool(tool, args, LINKED, settings=SETTINGS).rule == rule
