"""Every pack stops what destroys and lets through what looks.

A line of ``packs/NAME.txt`` is a command: after ``!`` it must be asked about or refused, after ``!!``
refused, and else it must pass, each with that pack alone switched on.
"""

from functools import cache
from pathlib import Path

import pytest
from tests.corpus.guard_world import world

from snaphook.providers.guard import GuardAnswer, GuardSettings, examine
from snaphook.providers.guard.rules.table import RULES

FOLDER = Path(__file__).parent / "packs"
PACKS = sorted({rule.pack for rule in RULES if rule.pack} - {"bb5"})
MARKS = {
    "!": (GuardAnswer.ASK, GuardAnswer.DENY),
    "!!": (GuardAnswer.DENY,),
    "": (GuardAnswer.ALLOW,),
}


@cache
def rows(pack: str) -> tuple[tuple[str, str], ...]:
    """Return the marks and commands of *pack*."""
    lines = (FOLDER / f"{pack}.txt").read_text(encoding="utf-8").splitlines()
    return tuple((line[: line.count("!", 0, 2)], line.lstrip("! ")) for line in lines)


def wrong(pack: str, mark: str) -> list[str]:
    """Return the commands of *pack* with that *mark* which are answered in another way."""
    settings = GuardSettings(packs=(pack,))
    found = []
    for wanted, command in rows(pack):
        judgement = examine(command, world(), settings=settings)
        if wanted == mark and judgement.answer not in MARKS[mark]:
            found.append(f"{judgement.answer.name} {judgement.rule}: {command}")
    return found


def test_every_pack_has_its_corpus():
    assert sorted(path.stem for path in FOLDER.glob("*.txt")) == PACKS


@pytest.mark.parametrize("pack", PACKS)
def test_a_corpus_is_as_large_as_promised_and_says_nothing_twice(pack):
    commands = [command for _, command in rows(pack)]

    assert len({command for mark, command in rows(pack) if mark}) >= 30
    assert len({command for mark, command in rows(pack) if not mark}) >= 30
    assert len(set(commands)) == len(commands)


@pytest.mark.req("BB-F")
@pytest.mark.parametrize("pack", PACKS)
def test_what_changes_or_destroys_is_stopped(pack):
    assert wrong(pack, "!") == []


@pytest.mark.req("BB-F")
@pytest.mark.parametrize("pack", PACKS)
def test_what_goes_to_production_or_out_of_reach_is_refused(pack):
    assert wrong(pack, "!!") == []


@pytest.mark.req("BB-F")
@pytest.mark.parametrize("pack", PACKS)
def test_what_only_looks_passes(pack):
    assert wrong(pack, "") == []
