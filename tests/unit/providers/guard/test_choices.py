"""Where guards disagree, one line changes what ours says."""

import tomllib

import msgspec
import pytest
from tests.corpus.guard_world import world

from snaphook.providers.guard import GuardSettings, examine
from snaphook.providers.guard.choices import CHOICES, Choice


def settings(line: str) -> GuardSettings:
    head = "[guard.rules]" if line.startswith('"') else "[guard]"
    return msgspec.convert(tomllib.loads(f"{head}\n{line}")["guard"], GuardSettings)


@pytest.mark.req("BB-PT-8")
@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.command)
def test_one_line_changes_what_the_guard_says(choice: Choice):
    before = examine(choice.command, world())
    after = examine(choice.command, world(), settings=settings(choice.line))

    assert "\n" not in choice.line
    assert before.answer.name.lower() == choice.says, before.reason
    assert after.answer.name.lower() == choice.becomes, after.reason
    assert choice.says != choice.becomes


@pytest.mark.parametrize("choice", CHOICES, ids=lambda choice: choice.command)
def test_the_line_changes_nothing_else(choice: Choice):
    others = [one for one in CHOICES if one is not choice]

    changed = [
        one.command
        for one in others
        if examine(one.command, world(), settings=settings(choice.line)).answer.name.lower()
        != one.says
    ]

    assert changed == []
