"""Lines added to a list of a settings file, by a person's word."""

import pytest

from snaphook.config.edit import add_to_list, into_list
from snaphook.errors import ConfigError

BEFORE = """\
# mine
[guard]
mode = "enforce"  # since May
allow = ["docker system prune*"]
"""


def test_what_a_file_says_stays_and_the_lines_come_last():
    after = into_list(BEFORE, ("guard", "allow"), ["make 'deploy'"], "by me")

    assert (
        after
        == """\
# mine
[guard]
mode = "enforce"  # since May
allow = [
    "docker system prune*",
    "make 'deploy'", # by me
]
"""
    )


def test_a_line_that_stands_there_is_not_added_again(tmp_path):
    file = tmp_path / "new" / "snaphook.toml"
    for _ in range(2):
        add_to_list(file, ("guard", "allow"), ["make deploy"])

    assert file.read_text().count("make deploy") == 1


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("guard = 3\n", id="no table"),
        pytest.param("[guard]\nallow = 1\n", id="no list"),
    ],
)
def test_a_file_that_means_something_else_is_left_alone(text, tmp_path):
    file = tmp_path / "snaphook.toml"
    file.write_text(text)

    with pytest.raises(ConfigError, match="holds something else"):
        add_to_list(file, ("guard", "allow"), ["make deploy"])

    assert file.read_text() == text
