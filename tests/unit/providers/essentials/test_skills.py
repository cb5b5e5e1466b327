"""The skill of a run, as its THOUGHTS.md names it."""

import pytest

from snaphook.providers.essentials.skills import written_skill

HEAD = "# Thoughts\nA plan.\n\n## Skill Usage for This Task\n\n"


@pytest.mark.req("BB-ST-3")
@pytest.mark.parametrize(
    ("text", "skill"),
    [
        (f"{HEAD}**Skill invoked:** bmad-dev\n**Confidence:** 85%\n", "bmad-dev"),
        (f"{HEAD}- Applicable skills: a, b\n- Skill invoked: `git-commit` (80%)\n", "git-commit"),
        (f"{HEAD}Skill invoked: None\n", None),
        (f"{HEAD}**Skill invoked:** [FILL_ME]\n", None),
        (f"{HEAD}Nothing.\n\n## Other\nSkill invoked: x\n", None),
        ("Skill invoked: x\n", None),
    ],
)
def test_the_section_tells_what_was_invoked(text, skill):
    assert written_skill(text) == skill
