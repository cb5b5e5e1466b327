"""``snaphook directives``: list, add, revoke."""

import json

import pytest
from click.testing import CliRunner

from snaphook.cli.directives import command
from snaphook.errors import UsageError

pytestmark = pytest.mark.req("SQ-12")


@pytest.fixture
def ask(tmp_path, monkeypatch):
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")

    def asked(*arguments: str) -> str:
        return CliRunner().invoke(command, arguments, catch_exceptions=False).output

    return asked


def test_what_was_added_is_listed_until_it_is_revoked(ask):
    assert ask("list") == "No standing instructions yet.\n"

    added = ask("add", "Never push to main.")
    [listed] = ask("list").splitlines()
    assert (added[:8], listed[:8], listed[22:]) == (listed[:8], added[:8], "Never push to main.")

    assert ask("revoke", added[:4]) == "Removed: Never push to main.\n"
    assert ask("list") == "No standing instructions yet.\n"


def test_the_list_is_json_for_programs(ask):
    ask("add", "Never push to main.")

    [directive] = json.loads(ask("list", "--json"))
    assert directive["text"] == "Never push to main."
    assert directive["project"].endswith("/project")


def test_a_secret_is_scrubbed_before_it_is_kept(ask):
    token = "ghp_" + "a1B2" * 9

    assert token not in ask("add", f"Always use {token}.")
    assert token not in ask("list", "--json")


def test_revoking_what_is_not_there_says_what_to_do(ask):
    with pytest.raises(UsageError, match="'snaphook directives list' shows their ids"):
        ask("revoke", "ffff")
