"""Wave: what its matchers and recipes mean."""

import pytest

from snaphook.config import Dialect
from snaphook.config.matchers import compile_matcher
from snaphook.config.recipes import recipes
from snaphook.errors import ConfigError


@pytest.mark.req("WS-6")
@pytest.mark.parametrize("dialect", [Dialect.WAVE, Dialect.SNAPHOOK])
@pytest.mark.parametrize(
    ("pattern", "name", "holds"),
    [
        ("[^E]*", "Bash", True),
        ("[^E]*", "Edit", False),
        ("[^E]*", "xE", True),
        ("[!E]*", "Edit", False),
        ("[EW]*", "Write", True),
        ("^Edit$", "Edit", True),
        ("[A-Z]+", "Edit", True),
        ("Edit.*", "EditFile", True),
    ],
)
def test_a_negated_set_is_a_glob(dialect, pattern, name, holds):
    assert compile_matcher(pattern, dialect).matches(name) is holds


def test_no_if_is_proposed_where_it_is_refused():
    with pytest.raises(ConfigError) as wave:
        compile_matcher("Bash(git *)", Dialect.WAVE)
    with pytest.raises(ConfigError) as ours:
        compile_matcher("Bash(git *)", Dialect.SNAPHOOK)

    assert '"if"' not in wave.value.fix
    assert '"if"' in ours.value.fix


@pytest.mark.parametrize(
    ("name", "event"),
    [("notify-waiting", "PermissionRequest"), ("git-context", "UserPromptSubmit")],
)
def test_a_recipe_runs_on_an_event_that_wave_has_and_hears(name, event):
    assert recipes()[name].event_in(Dialect.WAVE) == event
    assert recipes()[name].event_in(Dialect.CLAUDE) == recipes()[name].event
