"""``schema``: complete, described, shipped, and accepted by the tools that editors use."""

import json
import shutil
import subprocess
import sys
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]
import pytest

from snaphook.cli.main import main
from snaphook.config.keys import NATIVE
from snaphook.config.starter import STARTER
from snaphook.wiring.sections import every_section

SCHEMA = json.loads((files("snaphook.config") / "settings.schema.json").read_text("utf-8"))
GOOD = """
strategy = "first"
[[hooks.PreToolUse]]
matcher = "Bash"
command = "echo hi"
timeout = 3
[providers.mine]
use = "mine:Mine"
options = {limit = 3}
[guard]
mode = "audit"
[guard.rules]
"delete.sources" = "off"
[[guard.rule]]
id = "no.ls"
verdict = "deny"
program = "ls"
[notify.channels.phone]
type = "telegram"
chat_id = "1"
"""


def properties(schema: Any, at: str = "") -> list[tuple[str, dict[str, Any]]]:
    """Return every property below *schema*, with its path."""
    found: list[tuple[str, dict[str, Any]]] = []
    if isinstance(schema, list):
        for number, one in enumerate(schema):
            found += properties(one, f"{at}[{number}]")
    elif isinstance(schema, dict):
        for name, one in schema.get("properties", {}).items():
            found.append((f"{at}.{name}", one))
        for name, one in schema.items():
            found += properties(one, f"{at}.{name}")
    return found


def test_every_property_has_a_description():
    found = properties(SCHEMA)

    assert len(found) > 250
    assert [path for path, one in found if not one.get("description")] == []


def test_every_table_and_key_of_the_file_is_in_it():
    assert set(SCHEMA["properties"]) == {*NATIVE, *every_section()}


def test_it_is_a_valid_schema_and_takes_what_check_takes():
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.validate(tomllib.loads(GOOD), SCHEMA, jsonschema.Draft7Validator)


@pytest.mark.parametrize(
    "wrong",
    [
        'stratgy = "first"',
        'strategy = "frist"',
        '[[hooks.Stop]]\ncomand = "x"',
        '[guard]\nmode = "audti"',
        "[guard]\nmod = 1",
        '[providers.x]\nuze = "a:b"',
    ],
)
def test_it_finds_a_mistake(wrong):
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(tomllib.loads(wrong), SCHEMA, jsonschema.Draft7Validator)


def test_taplo_uses_it(tmp_path: Path):
    taplo = shutil.which("taplo", path=str(Path(sys.executable).parent)) or "taplo"
    schema = tmp_path / "settings.schema.json"
    schema.write_text(json.dumps(SCHEMA))

    def checked(text: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "snaphook.toml").write_text(text)
        return subprocess.run(
            [taplo, "check", "--schema", schema.as_uri(), "snaphook.toml"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )

    assert checked(GOOD).returncode == 0, checked(GOOD).stderr
    assert "'stratgy' was unexpected" in checked('stratgy = "first"\n').stderr


@pytest.mark.parametrize("kind", ["settings", "events", "outputs"])
def test_the_command_prints_it(kind, capsys):
    assert main(["schema", kind]) == 0
    assert "$schema" in json.loads(capsys.readouterr().out)


def test_the_file_that_init_writes_names_it():
    assert STARTER.splitlines()[0] == f"#:schema {SCHEMA['$id']}"
