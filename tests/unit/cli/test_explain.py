"""``snaphook explain`` and ``snaphook guard`` say what the guard sees."""

import io
import json

import pytest
from click.testing import CliRunner

from snaphook.cli.guard.explain import command as explain
from snaphook.cli.guard.explain import explain_batch
from snaphook.cli.guard.rules import command as guard
from snaphook.cli.main import main
from snaphook.errors import UsageError


def batch(*lines: bytes) -> list[dict[str, str]]:
    out = io.StringIO()
    explain_batch(io.BytesIO(b"\n".join(lines)), out, "/home/me/project")
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.parametrize("command", ["rm -rf ~/Documents", "rm -rf /srv/data", "rm -rf src"])
def test_what_is_missing_here_may_exist_where_the_command_runs(command):
    """A project and a home that are not on this machine prove nothing about what they hold."""
    (answer,) = batch(json.dumps({"command": command, "cwd": "/home/you/p"}).encode())

    assert answer["verdict"] == "ask"


def test_a_batch_answers_every_line_in_order():
    answers = batch(
        b'{"command": "rm -rf /"}',
        b'{"command": "ls", "cwd": "/nowhere"}',
        b'{"command": "rm -rf x", "cwd": "/home/you/p"}',
    )

    assert [answer["verdict"] for answer in answers] == ["deny", "allow", "ask"]
    assert answers[0]["rule"] == "delete.everything"
    assert answers[1] == {"verdict": "allow", "rule": "", "reason": "", "approved": False}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"nonsense",
        b"[]",
        b"5",
        b'{"cmd": "ls"}',
        b'{"command": 5}',
        b'{"command": "ls", "cwd": 5}',
        b"\xff\xfe",
    ],
)
def test_a_bad_line_is_denied_and_stops_nothing(line):
    answers = batch(line, b'{"command": "ls"}')

    assert [answer["verdict"] for answer in answers] == ["deny", "allow"]
    assert "JSON object" in answers[0]["error"]


def test_the_place_is_marked_and_the_facts_are_shown():
    result = CliRunner().invoke(explain, ["cd /tmp && X=/ && sudo rm -fr $X*"])

    assert result.output.splitlines()[:5] == [
        "deny: blocked",
        "",
        "  cd /tmp && X=/ && sudo rm -fr $X*",
        "                                ^^^",
        "  delete.everything (deny)",
    ]
    assert "rm -fr /*   [via sudo, as root, at /tmp]" in result.output
    assert "deletes /* with all beneath it" in result.output


def test_json_holds_the_same():
    result = CliRunner().invoke(explain, ["--json", "rm -rf /"])

    told = json.loads(result.output)
    assert (told["verdict"], told["rule"]) == ("deny", "delete.everything")
    assert told["objections"][0]["span"] == [7, 8]
    assert told["calls"][0]["operands"] == [{"text": "/", "known": True, "origin": ["literal"]}]


def test_another_tool_is_explained_by_its_input():
    result = CliRunner().invoke(explain, ["--tool", "Bash", "--input", '{"command": "rm -rf /"}'])

    assert result.output.startswith("deny")


@pytest.mark.parametrize(
    "args", [["explain"], ["explain", "--input", "{"], ["explain", "--input", "[]"]]
)
def test_a_wrong_call_says_what_to_do(args, capsys):
    assert main(args) == 2
    assert "snaphook explain" in capsys.readouterr().err


def test_rules_are_listed_and_have_a_page():
    runner = CliRunner()

    assert "delete.everything" in runner.invoke(guard, ["rules"]).output
    page = runner.invoke(guard, ["rules", "delete.everything"]).output
    assert "blocks  rm -rf /" in page
    assert '[guard.rules] "delete.everything" = "off" | "warn" | "ask" | "deny"' in page
    listed = json.loads(runner.invoke(guard, ["rules", "--json"]).output)
    assert listed[0]["examples"]


def test_an_unknown_rule_is_met_with_the_nearest():
    with pytest.raises(UsageError, match=r"Did you mean 'delete\.everything'"):
        CliRunner().invoke(guard, ["rules", "delete.everythin"], catch_exceptions=False)


@pytest.fixture
def strict_user(tmp_path, monkeypatch):
    """A person whose own settings are stricter than the guard's defaults."""
    home = tmp_path / "home"
    (home / ".config" / "snaphook").mkdir(parents=True)
    (home / ".config" / "snaphook" / "snaphook.toml").write_text(
        '[guard.rules]\n"git.push-lease" = "deny"\n'
    )
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    return home


def test_the_settings_in_force_decide(strict_user, tmp_path):
    asked = {"command": "git push --force-with-lease origin topic", "cwd": str(tmp_path)}

    [answer] = batch(json.dumps(asked).encode())

    assert (answer["verdict"], answer["rule"]) == ("deny", "git.push-lease")


def test_settings_that_cannot_be_followed_are_told_and_the_defaults_judge(
    strict_user, tmp_path, capsys
):
    (strict_user / ".config" / "snaphook" / "snaphook.toml").write_text("[guard\n")

    [answer] = batch(json.dumps({"command": "rm -rf /", "cwd": str(tmp_path)}).encode())

    assert answer["verdict"] == "deny"
    assert "snaphook.toml" in capsys.readouterr().err
