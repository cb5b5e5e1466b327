"""The examples on every rule's page hold."""

import pytest

from snaphook.providers.guard import GuardAnswer, GuardSettings, StillWorld, examine
from snaphook.providers.guard.rules.pages import Example, examples, summary
from snaphook.providers.guard.rules.rule import Rule
from snaphook.providers.guard.rules.table import RULES

WORLDS = {
    "git.reset-unsaved": StillWorld(is_clean=False),
    "overwrite.kept": StillWorld(
        files={f"/home/me/project/{name}": "x" for name in (".env", ".env.example", "db.sqlite3")}
    ),
}
SETTINGS = {
    "git.message": GuardSettings(commit_format="bb5"),
    "database.drop-protected": GuardSettings(protected_tables=("agent_events",)),
    "agents.scope": GuardSettings(packs=("bb5",), task_scope=("tasks/active/T-1",)),
    "agents.git": GuardSettings(rules={"agents.git": "deny"}),
    "contents.task": GuardSettings(packs=("bb5",)),
}
AGENTS = {"agents.scope": "executor", "agents.git": "executor"}
EXAMPLES = [
    pytest.param(rule, example, id=f"{rule.id}: {example.command}")
    for rule in RULES
    for example in examples(rule)
]


@pytest.mark.parametrize(("rule", "example"), EXAMPLES)
def test_every_example_on_a_rules_page_holds(rule: Rule, example: Example):
    on = {rule.id: rule.answer.name.lower()} if rule.optional else {}
    judgement = examine(
        example.command,
        WORLDS.get(rule.id, StillWorld()),
        settings=SETTINGS.get(rule.id, GuardSettings(rules=on)),
        agent=AGENTS.get(rule.id, ""),
    )

    by = [one.rule for one in judgement.objections if one.answer is judgement.answer]
    assert judgement.answer is example.answer, judgement.reason
    assert example.answer is GuardAnswer.ALLOW or rule.id in by


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_every_rule_has_a_page_with_a_sentence_and_both_kinds_of_example(rule: Rule):
    answers = {example.answer for example in examples(rule)}

    assert summary(rule)
    assert GuardAnswer.ALLOW in answers
    assert answers - {GuardAnswer.ALLOW}


def test_every_rule_has_an_id_of_its_own():
    ids = [rule.id for rule in RULES]

    assert sorted(set(ids)) == sorted(ids)
