"""Which skills a role calls for.

SKILL.md  ->  Skill        role + skills  ->  the skills that match, best first

Pure. A skill matches by the words of its name and description that the role uses too; words that
many skills share count little.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable

import yaml
from msgspec import Struct

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_FRONT = re.compile(r"\A---\s*\n(.*?)\n---\s*(?:\n|\Z)(.*)", re.DOTALL)
_COMMON = re.compile(
    r"(?:the|and|for|with|that|this|from|into|when|your?|us(?:e|ed|ing)|are|not|all|any|how|what|which|who"
    r"|will|should|must|can|ha[sd]|have|was|were|been|their|them|then|than|also|only|where|code"
    r"|work(?:s|ing)?|project|files?|skills?|agents?)"
)
"""Words that say nothing about a skill."""
ENOUGH = 1.0
"""What the shared words must weigh together; one rare word, or two that are half as rare."""


class Skill(Struct, frozen=True, kw_only=True):
    """A skill as its file tells it."""

    name: str
    description: str
    body: str
    path: str


def read_skill(path: str, text: str) -> Skill | None:
    """Return the skill that *text* tells; ``None`` where its front matter cannot be read."""
    found = _FRONT.match(text)
    try:
        front = yaml.load(found[1], Loader=_LOADER) if found else None  # noqa: S506 - it is safe
    except yaml.YAMLError:
        return None
    if found is None or not isinstance(front, dict) or not front.get("name"):
        return None
    about = " ".join(
        str(front.get(key, "")) for key in ("description", "when_to_use", "triggers", "tags")
    )
    return Skill(
        name=str(front["name"]), description=about.strip(), body=found[2].strip(), path=path
    )


def match(role: str, skills: Iterable[Skill]) -> list[Skill]:
    """Return the *skills* that *role* calls for, best first."""
    skills = list(skills)
    known = [_words(f"{skill.name} {skill.description}") for skill in skills]
    often = Counter(word for words in known for word in words)
    wanted = _words(role)
    weighed = [
        (sum(1 / (1 + math.log(often[word])) for word in words & wanted) / 1.5, skill)
        for words, skill in zip(known, skills, strict=True)
    ]
    weighed.sort(key=lambda pair: (-pair[0], pair[1].name))
    return [skill for weight, skill in weighed if weight >= ENOUGH]


def _words(text: str) -> frozenset[str]:
    """Return the words of *text* that say something, without the endings of the plural."""
    found = re.findall(r"[a-z][a-z0-9+#]{2,}", text.lower())
    return frozenset(_stem(word) for word in found if not _COMMON.fullmatch(word))


def _stem(word: str) -> str:
    for ending in ("ing", "ies", "es", "s", "ed"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word
