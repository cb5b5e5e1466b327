"""``snaphook rules``: shared rules are shown, tested, pinned, and hold from then on."""

import json
import subprocess
from pathlib import Path

import pytest

from snaphook.cli.main import main

RULES = """
name = "acme"
description = "How Acme works"

[[rule]]
id = "no-prod"
verdict = "deny"
program = "deploy"
args = "prod"
message = "production is deployed by CI"

[[test]]
command = "deploy prod"
verdict = "deny"
rule = "no-prod"

[[test]]
command = "deploy staging"
verdict = "allow"
"""


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "shared").mkdir()
    (tmp_path / "shared" / "rules.toml").write_text(RULES)
    (tmp_path / "app").mkdir()
    monkeypatch.chdir(tmp_path / "app")
    here: Path = tmp_path
    return here


def settings(home: Path) -> str:
    file = home / ".config/snaphook/snaphook.toml"
    return file.read_text() if file.exists() else ""


def verdict(capsys, command: str) -> tuple[str, str]:
    capsys.readouterr()
    assert main(["explain", "--json", command]) == 0
    told = json.loads(capsys.readouterr().out)
    first = told["objections"][0]["rule"] if told["objections"] else ""
    return told["verdict"], first


def test_a_directory_is_shown_tested_added_and_holds(home, capsys):
    (home / ".config/snaphook").mkdir(parents=True)
    (home / ".config/snaphook/snaphook.toml").write_text("# mine\n[guard]\nbulk_files = 25\n")
    assert main(["rules", "add", str(home / "shared"), "--yes"]) == 0

    told = capsys.readouterr().out
    assert "acme: How Acme works" in told
    assert "acme.no-prod: production is deployed by CI" in told
    assert "tests: 2 passed, 0 failed." in told
    assert "# mine" in settings(home)
    assert "bulk_files = 25" in settings(home)
    assert verdict(capsys, "deploy prod") == ("deny", "acme.no-prod")
    assert verdict(capsys, "deploy staging")[0] == "allow"
    assert main(["check"]) == 0
    assert main(["guard", "test"]) == 0


def test_adding_again_replaces_and_removing_takes_it_back(home, capsys):
    main(["rules", "add", str(home / "shared"), "--yes"])
    main(["rules", "add", str(home / "shared"), "--yes"])
    assert settings(home).count("acme.no-prod") == 2  # the rule and its test

    assert main(["rules", "remove", "acme"]) == 0

    assert "acme" not in settings(home)
    assert main(["rules", "remove", "acme"]) == 2


def test_the_source_may_change_and_what_was_added_does_not(home, capsys):
    main(["rules", "add", str(home / "shared"), "--yes"])
    file = home / "shared" / "rules.toml"
    file.write_text(RULES.replace('verdict = "deny"\nprogram', 'verdict = "warn"\nprogram'))

    assert verdict(capsys, "deploy prod") == ("deny", "acme.no-prod")
    main(["rules", "list", "--json"])
    (row,) = json.loads(capsys.readouterr().out)
    assert row["unchanged"] is True
    pinned = row["sha256"]
    assert main(["rules", "add", str(home / "shared"), "--sha256", pinned, "--yes"]) != 0
    assert "its hash is" in capsys.readouterr().err


def test_a_rule_that_was_edited_by_hand_is_reported(home, capsys):
    main(["rules", "add", str(home / "shared"), "--yes"])
    file = home / ".config/snaphook/snaphook.toml"
    file.write_text(file.read_text().replace('args = "prod"', 'args = "nothing"'))
    capsys.readouterr()

    main(["rules", "list"])

    assert "changed by hand since" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (RULES.replace('verdict = "allow"', 'verdict = "deny"'), "its tests fail here"),
        (RULES.replace("args =", "arguments ="), "unknown key 'arguments'"),
        (RULES.replace('args = "prod"', 'args = "("'), "not a valid regular expression"),
        (RULES.replace('name = "acme"', 'name = "../x"'), "invalid name"),
        ('name = "acme"\n', "holds no [[rule]]"),
        (
            RULES + '\n[[rule]]\nid = "free"\nverdict = "allow"\nabout = "delete.*"\n',
            "lift what the guard says: acme.free",
        ),
    ],
)
def test_a_set_that_is_not_right_is_not_added(home, capsys, text, told):
    (home / "shared" / "rules.toml").write_text(text)

    assert main(["rules", "add", str(home / "shared"), "--yes"]) != 0

    assert told in capsys.readouterr().err
    assert settings(home) == ""


def test_a_git_address_is_cloned_at_its_tag(home, capsys):
    shared = home / "shared"
    git = ["git", "-C", str(shared), "-c", "user.name=a", "-c", "user.email=a@b.c"]
    for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "x"], ["tag", "v1"]):
        subprocess.run([*git, *words], check=True)
    (shared / "rules.toml").write_text("broken")
    subprocess.run([*git, "commit", "-qam", "y"], check=True)

    assert main(["rules", "add", f"git+file://{shared}@v1", "--yes"]) == 0

    assert verdict(capsys, "deploy prod") == ("deny", "acme.no-prod")
    assert main(["rules", "add", "git+file:///nowhere", "--yes"]) != 0
    assert "cannot be cloned" in capsys.readouterr().err


def test_an_installed_package_is_read_and_not_run(home, capsys, monkeypatch):
    package = home / "site" / "acme_rules"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise SystemExit('it ran')")
    (package / "rules.toml").write_text(RULES)
    monkeypatch.syspath_prepend(str(home / "site"))

    assert main(["rules", "add", "package:acme_rules", "--yes"]) == 0
    assert main(["rules", "add", "package:nothing_here", "--yes"]) == 2


def test_the_tests_of_a_source_and_of_what_was_added_run(home, capsys):
    assert main(["rules", "test", str(home / "shared")]) == 0
    assert main(["rules", "test"]) == 0
    main(["rules", "add", str(home / "shared"), "--yes"])
    assert main(["rules", "test"]) == 0
    (home / "shared" / "rules.toml").write_text(
        RULES.replace('verdict = "allow"', 'verdict = "ask"')
    )
    assert main(["rules", "test", str(home / "shared")]) == 1
