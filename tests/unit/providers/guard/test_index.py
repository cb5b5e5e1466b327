"""The index tells the truth about the rules and programs it stands for."""

import pytest

from snaphook.providers.guard.index import RuleRow, written_rows
from snaphook.providers.guard.judge import in_force, rule_of
from snaphook.providers.guard.rules.table import RULES
from snaphook.shell.facts import Act
from snaphook.shell.known_programs import PROGRAMS, homes, places

STALE = "the guard's index is stale: run 'make generate'"


def test_every_rule_stands_in_the_index_as_it_is():
    told = [row._replace(module="") for row in written_rows()]

    assert told == [
        RuleRow(
            id=rule.id,
            module="",
            answer=rule.answer.name.lower(),
            optional=rule.optional,
            pack=rule.pack,
            acts=tuple(act.name for act in rule.acts),
            programs=tuple(sorted(rule.programs)),
        )
        for rule in RULES
    ], STALE


def test_every_row_leads_to_its_rule():
    assert [rule_of(row) for row in written_rows()] == list(RULES), STALE


def test_every_program_is_found_where_the_index_says():
    assert homes() == places(), STALE


@pytest.mark.parametrize("name", ["npm", "scp", "rm"])
def test_a_program_is_made_once_and_has_something_to_say(name: str):
    assert PROGRAMS[name] is PROGRAMS[name]
    assert PROGRAMS[name].does is not None


def test_a_name_that_nobody_knows_is_no_program():
    assert PROGRAMS.get("frobnicate") is None
    assert "frobnicate" not in PROGRAMS
    assert len(PROGRAMS) == len(list(PROGRAMS))


def test_rules_are_asked_in_their_order_those_of_every_program_last():
    asked = [rule.id for rule, *_ in in_force(()).about("git")]

    wanted = [r.id for r in RULES if "git" in r.programs and not r.optional]
    assert asked == [*wanted, "remote.preload", "self.named"]
    assert [rule.id for rule, *_ in in_force(()).about(Act.FORK)] == [
        r.id for r in RULES if Act.FORK in r.acts
    ]


def test_what_is_remembered_about_names_is_bounded():
    rules = in_force(())
    for number in range(3_000):
        rules.about(f"name{number}")

    assert [rule.id for rule, *_ in rules.about("name1")] == ["remote.preload", "self.named"]
    assert len(rules._about) <= 1_000
