"""What is made when it is first used is the same as if it had been made at once."""

import logging
import re

from snaphook.lazy import Lazy, logger, regex


def test_a_thing_is_made_when_it_is_first_used_and_then_kept():
    made = []

    def make() -> str:
        made.append("once")
        return "text"

    later = Lazy(make)
    assert made == []

    assert later.upper() == "TEXT"
    assert later.upper() == "TEXT"
    assert made == ["once"]


def test_a_pattern_is_the_pattern_its_text_spells():
    found = regex("a(b+)", re.IGNORECASE)

    assert [one[1] for one in found.finditer("ABB ab")] == ["BB", "b"]
    assert found.pattern == "a(b+)"


def test_a_logger_is_silent_unless_somebody_listens(capfd, caplog):
    logger("snaphook.test").warning("said %d", 1)

    assert capfd.readouterr() == ("", "")
    assert [record.getMessage() for record in caplog.records] == ["said 1"]
    assert any(isinstance(h, logging.NullHandler) for h in logging.getLogger("snaphook").handlers)
