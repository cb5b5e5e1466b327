"""Simple commands, as they are written."""

import pytest

from snaphook.shell.written import written_commands


@pytest.mark.parametrize(
    ("line", "commands", "whole"),
    [
        ("a; b && c || d | e & f", ["a", "b", "c", "d", "e", "f"], True),
        ("a 'b;c' \"d|e\" f", ["a 'b;c' \"d|e\" f"], True),
        ("X=1 Y=$(z) a", ["a", "z"], True),
        ("if a; then b; else c; fi; for x in y; do d $x; done", ["a", "b", "c", "d $x"], True),
        ("f() { a; }; ( b ); { c; }", ["a", "b", "c"], True),
        ('a "$(b c)" `d e`', ['a "$(b c)" `d e`', "b c", "d e"], True),
        ("a > b < c 2>&1", ["a"], True),
        ("", [], True),
        ("a; echo 'x", ["a"], False),
    ],
)
def test_a_line_is_cut_into_its_commands(line, commands, whole):
    found, complete = written_commands(line)

    assert sorted(" ".join(words) for words in found) == sorted(commands)
    assert complete is whole
