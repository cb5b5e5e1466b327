"""Boxes for the tests of the sandbox; where this machine cannot confine, they say so."""

import os
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from tests.sandbox.box import Box, missing

Maker = Callable[..., Box]


@pytest.fixture(scope="module", params=["as root", "as a user"])
def box(request: pytest.FixtureRequest, give_up: Any) -> Iterator[Box]:
    """Return a box, once with our own rights and once with those of an ordinary user.

    One for all tests of a file: each looks at what it changed itself.
    """
    unprivileged = request.param == "as a user"
    if (why := missing()) is not None:
        give_up(f"cannot confine here: {why}")
    if unprivileged and os.geteuid():
        pytest.skip("we are an ordinary user already")
    made = Box(unprivileged=unprivileged)
    yield made
    made.close()


@pytest.fixture
def new_box(give_up: Any) -> Iterator[Maker]:
    """Return a maker of boxes with settings of their own."""
    if (why := missing()) is not None:
        give_up(f"cannot confine here: {why}")
    made: list[Box] = []

    def make(**more: Any) -> Box:
        made.append(Box(**more))
        return made[-1]

    yield make
    for one in made:
        one.close()
