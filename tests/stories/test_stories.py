"""Every story in this folder is played from its first line to its last."""

from pathlib import Path

import pytest
from tests.stories.story import play

HERE = Path(__file__).parent


@pytest.mark.req("WS-14")
@pytest.mark.parametrize("path", sorted(HERE.glob("*.txt")), ids=lambda path: path.stem)
def test_the_story_goes_as_told(path, tmp_path):
    play(path.read_text(encoding="utf-8"), tmp_path)
