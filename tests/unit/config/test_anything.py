"""Whatever a file holds: load raises ConfigError or nothing, check raises nothing."""

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from snaphook.config import Environment, load
from snaphook.config.check import check
from snaphook.errors import ConfigError

NAMES = st.sampled_from(
    [
        *("hooks", "PreToolUse", "Stop", "SessionStart", "matcher", "command", "type", "timeout"),
        *("async", "if", "args", "env", "providers", "use", "options", "strategy", "guard"),
    ]
)
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False),
    st.text(max_size=20),
    st.sampled_from(
        ["command", "Bash", "(", "*", "/[/", "Bash(", "rm -rf /", "'", "$X", "", "~/x"]
    ),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(NAMES | st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=6,
)
HANDLER = st.dictionaries(NAMES, VALUES, max_size=3).map(lambda d: {"type": "command", **d})
GROUP = st.fixed_dictionaries({"matcher": VALUES, "hooks": st.lists(HANDLER, max_size=2)})
SETTINGS = VALUES | st.fixed_dictionaries(
    {"hooks": st.dictionaries(NAMES, st.lists(GROUP, max_size=2), max_size=2)}
)
quick = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


def try_all(around: Environment, name: str, raw: bytes) -> None:
    file = around.home / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(raw)
    with contextlib.suppress(ConfigError):
        load(around)
    for problem in check(around):
        assert str(problem)


@pytest.mark.parametrize("name", [".claude/settings.json", ".wave/settings.json"])
@quick
@given(value=SETTINGS)
def test_any_json(around: Environment, name: str, value: Any):
    try_all(around, name, json.dumps(value).encode())


@pytest.mark.parametrize("name", [".claude/settings.json", ".config/snaphook/snaphook.toml"])
@quick
@given(raw=st.binary(max_size=60) | st.text(max_size=60).map(lambda text: text.encode()))
def test_any_bytes(around: Environment, name: str, raw: bytes):
    try_all(around, name, raw)


@quick
@given(value=SETTINGS)
def test_any_toml(around: Environment, value: Any):
    import tomlkit

    try:
        raw = tomlkit.dumps(value).encode()
    except (ValueError, TypeError, AttributeError):
        return
    try_all(around, ".config/snaphook/snaphook.toml", raw)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"[" * 100_000, id="deep list"),
        pytest.param(b'{"a":' * 100_000, id="deep table"),
        pytest.param(
            b'{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "\\ud800"}]}]}}',
            id="half a character",
        ),
        pytest.param("{}".encode("utf-16"), id="UTF-16"),
        pytest.param(b'{"a": 1e999, "timeout": NaN}', id="numbers JSON does not have"),
        pytest.param(b"\x00" * 10, id="zero bytes"),
        pytest.param(b"x = [" * 5_000, id="deep TOML list"),
    ],
)
@pytest.mark.parametrize("name", [".claude/settings.json", ".config/snaphook/snaphook.toml"])
def test_what_breaks_parsers(around: Environment, name: str, raw: bytes):
    try_all(around, name, raw)


@pytest.mark.parametrize("kind", ["folder", "loop", "nowhere", "fifo"])
def test_what_is_no_file(around: Environment, kind: str):
    import os

    file = around.home / ".claude/settings.json"
    file.parent.mkdir()
    match kind:
        case "folder":
            file.mkdir()
        case "loop":
            file.symlink_to(file)
        case "nowhere":
            file.symlink_to(Path("/no/such/file"))
        case _:
            os.mkfifo(file)

    with pytest.raises(ConfigError, match=r"settings\.json"):
        load(around)
    assert [problem.code for problem in check(around)] == ["unreadable"]
