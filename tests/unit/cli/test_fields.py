"""fields: a value out of a hook's JSON, wherever the host keeps it."""

import pytest

from snaphook.cli.fields import field


@pytest.mark.parametrize(
    ("raw", "path", "value"),
    [
        ('{"tool_input": {"file_path": "a b.py"}}', "file", "a b.py"),
        ('{"tool_input": {"path": "a.py"}}', "file", "a.py"),
        ('{"tool_input": {"notebook_path": "a.ipynb"}}', "file", "a.ipynb"),
        ('{"user_prompt": "hello"}', "prompt", "hello"),
        ('{"tool_input": {"command": "ls"}}', "tool_input.command", "ls"),
        ('{"stop_hook_active": true}', "stop_hook_active", "true"),
        ('{"a": [{"b": 1}]}', "a.0.b", "1"),
        ('{"a": {"b": [1, 2]}}', "a", '{"b": [1, 2]}'),
        ('{"a": []}', "a.0", None),
        ('{"tool_input": {"file_path": ""}}', "file", None),
        ('{"tool_input": "text"}', "file", None),
        ("not json", "file", None),
        ("", "file", None),
    ],
)
def test_a_field_is_found_or_absent(raw: str, path: str, value: str | None):
    assert field(raw.encode(), path) == value
