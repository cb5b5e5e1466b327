"""Expressions of strangers: linear time, or refused with a reason."""

import pytest

from snaphook.shell.patterns import PatternError, linear, may_be_slow

SLOW = [
    "^(a+)+$",
    "^(a*)*$",
    "^(a|aa)+$",
    "^([a-z]+)*$",
    "(.*a){20}$",
    "^a*a*a*a*a*a*$",
    "(x+x+)+y",
    "^(a{1,}){1,}$",
]


@pytest.mark.parametrize("text", SLOW)
def test_an_expression_that_takes_python_for_ever_is_answered(text):
    """Each of these keeps Python's engine busy far beyond the time limit of a test."""
    assert linear(text).search("a" * 100_000 + "!") is None


@pytest.mark.parametrize("text", ["(?=x)y", "(?!x)y", "(?<=x)y", r"(a)\1", "(", "[", "a{2000000}"])
def test_what_is_not_supported_is_said(text):
    with pytest.raises(PatternError):
        linear(text)


@pytest.mark.parametrize("text", ["(a+)+$", "([a-z]+)*x", "a*b*c*d*e*$"])
def test_a_slow_matcher_is_known(text):
    assert may_be_slow(text)
    assert not may_be_slow("Edit|Write|mcp__.*")
