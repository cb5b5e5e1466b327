"""A stage closes everything it opened, also after a play in which an actor died."""

import json
import sys

import pytest
from tests.faults.stage import Stage

pytestmark = [
    pytest.mark.needs("native-client"),
    pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc"),
    pytest.mark.timeout(120),
]


def test_an_actor_that_died_leaves_nothing_open():
    stage = Stage()
    dead, living = stage.agent(), stage.agent()
    dead._process.kill()
    dead._process.wait(20)
    with pytest.raises((BrokenPipeError, json.JSONDecodeError)):
        dead.runs("true")

    stage.close()

    assert all(
        end is not None and end.closed
        for actor in (dead, living)
        for end in (actor._process.stdin, actor._process.stdout)
    )
    assert not stage.folder.exists()
