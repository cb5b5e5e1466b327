"""Expressions of strangers: linear time, or refused with a reason."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from snaphook.config import Dialect
from snaphook.config.conditions import compile_condition
from snaphook.config.globs import path_regex
from snaphook.config.matchers import compile_matcher
from snaphook.providers.policies.paths import compatible_glob, glob
from snaphook.shell.backtracking import is_bounded
from snaphook.shell.patterns import (
    LinearPattern,
    PatternError,
    glob_pattern,
    linear,
    name_pattern,
    text_pattern,
)

SLOW = [
    "^(a+)+$",
    "^(a*)*$",
    "^(a|aa)+$",
    "(a|aa)+$",
    "(?:a|a)*b",
    "^(a?){40}a{40}$",
    "(a|aa)" * 30 + "$",
    "a?" * 40 + "a" * 40 + "b",
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


@pytest.mark.parametrize("text", SLOW)
@pytest.mark.parametrize("dialect", list(Dialect))
def test_no_matcher_of_a_hook_is_slow(text, dialect):
    wanted = f"/{text}/" if dialect in (Dialect.WAVE, Dialect.SNAPHOOK) else text

    assert not compile_matcher(wanted, dialect).matches("a" * 900 + "!")
    assert not compile_matcher(wanted, dialect).matches("a" * 100_000 + "!")


@pytest.mark.parametrize("text", SLOW)
def test_no_blocked_command_of_the_policies_is_slow(text):
    assert not text_pattern(text).search("a" * 20_000 + "!")
    assert not compatible_glob(text).match("a" * 1_000 + "!/")


@pytest.mark.parametrize("globbed", ["*a" * 20 + "b", "**a" * 20 + "b", "**/*a*a*a*a*a*a*a*a*a*b"])
def test_no_glob_is_slow(globbed):
    text = "a" * 5_000

    assert not compile_matcher(globbed, Dialect.SNAPHOOK).matches(text)
    assert not path_regex(globbed).match(text)
    assert not glob(globbed, "/").match(f"/{text}")
    assert not compile_condition(f"mcp__{globbed.replace('/', '')}").tools.matches(f"mcp__{text}")
    command = compile_condition(f"Bash({globbed})").command
    assert command is not None
    assert not command.match(text)


@pytest.mark.parametrize(
    "text", ["(?=x)y", "(?!x)y", "(?<=x)y", r"(a)\1", "(", "[", "a{2000000}", "(?:a{0,60}){0,60}b"]
)
def test_what_is_not_supported_is_said(text):
    with pytest.raises(PatternError):
        linear(text)


@pytest.mark.parametrize("text", [r"(a+)+\1", "(?=(a+)+$)b", r"(a|b)\1+c"])
def test_what_neither_engine_reads_in_time_is_refused(text):
    with pytest.raises(PatternError, match="not supported"):
        name_pattern(text)


@pytest.mark.parametrize(
    "text", ["^(?!Bash$).*", "Edit|Write|mcp__.*", "^mcp__[a-z]+__.*$", "(?<!x)Edit", "a{3}b?c?"]
)
def test_what_people_write_is_read_by_pythons_engine(text):
    """It knows look-arounds, and need not be loaded."""
    assert is_bounded(text, 0, anchored=False, repeats=2)
    assert not isinstance(name_pattern(text), LinearPattern)


PIECES = st.sampled_from(
    ["a", "b", ".", "a*", "[ab]+", "(?:a|b)", "a?", "(?:a|ab)?", "(?:ab){1,3}", "^", "$", "(a|b)*"]
)


@given(st.lists(PIECES, max_size=6).map("".join), st.text("ab/\n", max_size=12))
def test_both_engines_find_the_same(source, text):
    """But for ``$`` before a last line break, which RE2 does not take for the end."""
    assert bool(LinearPattern(source).search(text.strip("\n"))) == bool(
        re.search(source, text.strip("\n"))
    )


def test_half_a_surrogate_pair_is_no_error():
    assert glob_pattern(r"\A.*a.*b\Z").match("a\udc80b")
