"""Where the charter of an agent lies."""

import pytest
from tests.unit.config.helpers import put

from snaphook.config.charters import charter_path


@pytest.mark.req("SQ-1")
@pytest.mark.parametrize(
    "place",
    [
        ".squad/agents/ripley/charter.md",
        ".claude/agents/ripley.md",
        ".github/agents/ripley.agent.md",
    ],
)
def test_the_charter_is_found(tmp_path, place):
    put(tmp_path / place, "You review.")

    assert charter_path(str(tmp_path), "Ripley") == place


@pytest.mark.parametrize("agent", ["nobody", "../../etc/passwd", "", "a/b"])
def test_who_has_none_has_none(tmp_path, agent):
    assert charter_path(str(tmp_path), agent) == ""
