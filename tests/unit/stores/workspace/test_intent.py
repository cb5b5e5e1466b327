"""A task that is mentioned is not claimed."""

import pytest

from snaphook.stores.workspace.intent import claimed_tasks


@pytest.mark.parametrize(
    ("prompt", "ids"),
    [
        pytest.param("claim TASK-001", ("TASK-001",), id="said plainly"),
        pytest.param(
            "Please work on task TASK-ARCH-028 now.", ("TASK-ARCH-028",), id="in other words"
        ),
        pytest.param("select task-001", ("task-001",), id="in lower case"),
        pytest.param("start TASK001", ("TASK001",), id="without a hyphen"),
        pytest.param(
            "claim TASK-001-extra", ("TASK-001-extra",), id="the whole id and not its beginning"
        ),
        pytest.param("Don't claim TASK-001, it's blocked", (), id="negated"),
        pytest.param("Nobody should start TASK-001 yet", (), id="negated from afar"),
        pytest.param("What is the status of TASK-001?", (), id="asked about"),
        pytest.param("Did you claim TASK-001?", (), id="asked whether"),
        pytest.param("Can you claim TASK-001?", ("TASK-001",), id="asked for"),
        pytest.param("Compare TASK-001 with TASK-002", (), id="mentioned"),
        pytest.param(
            "Compare TASK-001 and TASK-002, then claim the easier one", (), id="not named"
        ),
        pytest.param("claim TASK-001, then claim TASK-002", ("TASK-001", "TASK-002"), id="several"),
        pytest.param("claim TASK-001. Really, claim TASK-001!", ("TASK-001",), id="twice"),
        pytest.param("see:\n```\nclaim TASK-001\n```\nfails", (), id="in a block of code"),
        pytest.param("run `bb5 claim TASK-001` for me", (), id="in code"),
        pytest.param("claim TASK-../../../etc/passwd", (), id="a path"),
        pytest.param("start over", (), id="no id at all"),
        pytest.param("", (), id="nothing"),
    ],
)
def test_only_a_claim_is_a_claim(prompt: str, ids: tuple[str, ...]):
    assert claimed_tasks(prompt) == ids
