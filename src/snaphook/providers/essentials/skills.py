"""Which skill a run used: the one a tool call named, else the one its THOUGHTS.md names.

notes + THOUGHTS.md  ->  name of the skill, or None
"""

import re

from .notes import SessionFacts

_SECTION = re.compile(r"(?msi)^#{1,6}[ \t]+skill usage\b[^\n]*\n(.*?)(?=^#{1,6}[ \t]|\Z)")
_INVOKED = re.compile(
    r"(?mi)^[ \t>*_+-]*(?:skills? (?:invoked|used)|invoked)[ \t*_]*:[ \t*_]*(?P<name>[^\n]*)"
)
_NAME = re.compile(r"`?([A-Za-z0-9][\w:./-]*)`?")
_NONE = frozenset({"none", "no", "n", "na", "not", "null", "nothing", "fill_me", "tbd", "yes"})


def skill_used(session: SessionFacts, thoughts: str) -> str | None:
    """Return the skill of the run; what was really called counts before what was written."""
    return session.skills[-1] if session.skills else written_skill(thoughts)


def written_skill(thoughts: str) -> str | None:
    """Return what the section "Skill Usage for This Task" says was invoked."""
    section = _SECTION.search(thoughts)
    invoked = _INVOKED.search(section[1]) if section else None
    name = _NAME.match(invoked["name"].strip(" *_`[\"'")) if invoked else None
    return name[1] if name and name[1].lower() not in _NONE else None
