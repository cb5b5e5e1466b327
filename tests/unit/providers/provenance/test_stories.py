"""Whole sessions: what a poisoned one must not do, and what a clean one must be left to do."""

from pathlib import Path

import pytest
import yaml

from .session import Told

CORPUS = Path(__file__).parents[3] / "corpus" / "provenance"


def stories(name):
    told = yaml.safe_load((CORPUS / f"{name}.yaml").read_text())
    return [pytest.param(story, id=story["name"]) for story in told]


def test_there_are_at_least_sixty_poisoned_stories():
    assert len(stories("poisoned")) >= 60


@pytest.mark.parametrize("story", stories("poisoned"))
def test_a_poisoned_session_is_stopped_and_told_why(story, tmp_path):
    play(story, tmp_path)


@pytest.mark.parametrize("story", stories("clean"))
def test_a_clean_session_is_left_alone(story, tmp_path):
    play(story, tmp_path)


def play(story, folder):
    told = Told(folder, story.get("files", {}))
    told.prompt(story["prompt"])
    for step in story["steps"]:
        said, reason = told.play(step)
        wanted = step.get("expect")
        accepted = ("ask", "deny") if wanted == "stop" else (wanted,)
        assert (said.value if said else None) in accepted, (step, reason)
        assert step.get("says", "") in reason
