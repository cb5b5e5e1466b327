"""What ``.sauna/hooks.json`` may say."""

import os

import pytest

from snaphook.errors import ConfigError
from snaphook.providers.gates import FILE, Gate, read_gates


def written(codebase, text: str | bytes):
    path = codebase / FILE
    path.parent.mkdir()
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return codebase


@pytest.mark.req("SA-3")
def test_a_missing_file_means_no_gates(tmp_path):
    assert read_gates(tmp_path) == ()


@pytest.mark.req("SA-1", "SA-3")
@pytest.mark.parametrize(
    ("text", "gates"),
    [
        pytest.param("", (), id="no bytes"),
        pytest.param(" \n\t\n", (), id="blank"),
        pytest.param("[]", (), id="an empty list"),
        pytest.param(b"\xef\xbb\xbf[]", (), id="a byte order mark"),
        pytest.param(
            '["bun test", "bun run lint"]',
            (Gate(command="bun test"), Gate(command="bun run lint")),
            id="strings, in order",
        ),
        pytest.param('[{"command": "x"}]', (Gate(command="x"),), id="an object"),
        pytest.param('[""]', (Gate(command=""),), id="an empty command is a command"),
        pytest.param(
            '[{"command": "make e2e", "name": "e2e", "timeout": 1.5}, "make test"]',
            (Gate(command="make e2e", name="e2e", timeout=1.5), Gate(command="make test")),
            id="both forms, with name and timeout",
        ),
        pytest.param(
            '[{"command": "slow", "group": 1}, "quick", {"command": "also quick", "group": 0}]',
            (Gate(command="quick"), Gate(command="also quick"), Gate(command="slow", group=1)),
            id="a later group runs later, order kept inside",
        ),
    ],
)
def test_a_list_of_commands_is_read_as_it_stands(tmp_path, text, gates):
    assert read_gates(written(tmp_path, text)) == gates


@pytest.mark.req("SA-3")
@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param("[", "hooks.json:1: is not JSON", id="cut off"),
        pytest.param('[\n"a",\n]', "hooks.json:3: is not JSON", id="the line is named"),
        pytest.param("null", "hooks.json must contain a JSON array", id="null"),
        pytest.param('"make"', "hooks.json must contain a JSON array", id="a string"),
        pytest.param('{"command": "x"}', "hooks.json must contain a JSON array", id="an object"),
        pytest.param("[1]", "[0]: every element in hooks.json must be a string", id="a number"),
        pytest.param('["a", null]', "[1]: every element in hooks.json must be", id="null inside"),
        pytest.param('[{"name": "x"}]', "[0]: 'command' must be a string", id="no command"),
        pytest.param('[{"comand": "x"}]', "Did you mean 'command'?", id="a slip of the pen"),
        pytest.param('[{"command": "x", "cwd": "/"}]', "unknown key 'cwd'", id="an unknown key"),
        pytest.param('[{"command": "x", "timeout": 0}]', "'timeout' must be", id="no time at all"),
        pytest.param('[{"command": "x", "timeout": true}]', "'timeout' must be", id="a yes"),
        pytest.param('[{"command": "x", "name": 1}]', "'name' must be a string", id="a name of 1"),
        pytest.param('[{"command": "x", "group": "a"}]', "'group' must be", id="a group of 'a'"),
        pytest.param(b"[\xff]", "cannot be read", id="no UTF-8"),
    ],
)
def test_anything_else_is_an_error_that_names_the_place(tmp_path, text, said):
    with pytest.raises(ConfigError) as caught:
        read_gates(written(tmp_path, text))

    assert str(tmp_path / FILE) in str(caught.value)
    assert said in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_an_error_not_an_absence(tmp_path):
    (written(tmp_path, "[]") / FILE).chmod(0)

    with pytest.raises(ConfigError, match="cannot be read"):
        read_gates(tmp_path)


def test_a_folder_in_its_place_is_an_error_not_an_absence(tmp_path):
    (tmp_path / FILE).mkdir(parents=True)

    with pytest.raises(ConfigError, match="cannot be read"):
        read_gates(tmp_path)
