"""errors: three beats, kept whole."""

import pickle

from snaphook.errors import ConfigError, MissingExtra
from snaphook.installed import install_command


def test_a_message_says_where_what_and_what_next():
    error = ConfigError(where="settings.json:12", what="unknown event 'PreToolUze'", fix="Fix it.")

    assert str(error) == "settings.json:12: unknown event 'PreToolUze'. Fix it."
    assert (error.where, error.fix) == ("settings.json:12", "Fix it.")


def test_an_error_survives_the_way_between_processes():
    error = ConfigError(where="a", what="b", fix="c")

    assert str(pickle.loads(pickle.dumps(error))) == "a: b. c"


def test_a_missing_extra_prints_the_line_that_installs_it():
    error = MissingExtra.named("agent", wanted_by="snaphook agent")

    assert install_command("agent") in str(error)
