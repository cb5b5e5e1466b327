"""``init --http``: an address instead of a command, where that fails closed, and out again."""

import json

import pytest

from snaphook.cli.main import main
from snaphook.config.environment import Environment
from snaphook.errors import ConfigError
from snaphook.hosts import host_named
from snaphook.hosts.http import Address
from snaphook.hosts.install import InstallLedger, Scope, apply, unwire, wire

CLAUDE = host_named("claude-code")
HTTP = Address(port=4577, token="t" * 43)


@pytest.fixture
def around(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path / "etc")


def wired(around, http=HTTP, host=CLAUDE, scope=Scope.USER):
    root = around.cwd
    return wire(
        host, scope=scope, around=around, root=root, command=("snaphook", "hook"), http=http
    )


def test_events_become_addresses_with_a_token_and_what_can_be_blocked_fails_closed(around):
    [change] = wired(around)
    hooks = json.loads(change.after)["hooks"]

    [entry] = hooks["PreToolUse"]
    assert entry == {
        "matcher": "*",
        "hooks": [
            {
                "type": "http",
                "url": "http://127.0.0.1:4577/snaphook/claude-code/PreToolUse",
                "headers": {"Authorization": f"Bearer {HTTP.token}"},
                "timeout": 60,
                "onFailure": "block",
            }
        ],
    }
    assert hooks["SessionStart"][0]["hooks"][0]["command"].endswith("claude-code SessionStart")


def test_wiring_twice_changes_nothing_and_commands_take_the_place_of_addresses(around):
    ledger = InstallLedger(around.home / "ledger")
    apply(wired(around), ledger)

    assert [change.changes for change in wired(around)] == [False]
    [back] = wired(around, http=None)
    assert "http" not in back.after
    assert back.after.count("PreToolUse") == 2


@pytest.mark.parametrize("touched", [False, True])
def test_what_init_wrote_uninstall_takes_out(touched, around):
    ledger = InstallLedger(around.home / "ledger")
    settings = around.home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text('{"model": "opus"}')
    apply(wired(around), ledger)
    if touched:
        settings.write_text(settings.read_text().replace("opus", "sonnet"))

    [change] = unwire(CLAUDE, scope=Scope.USER, around=around, root=around.cwd, ledger=ledger)

    assert json.loads(change.after or "") == {"model": "sonnet" if touched else "opus"}


@pytest.mark.parametrize(
    ("host", "scope", "what"),
    [
        ("qwen-code", Scope.USER, "lets a call run when an HTTP hook cannot be reached"),
        ("claude-code", Scope.PROJECT, "the token is yours alone"),
    ],
)
def test_where_an_address_would_not_do_it_says_so(host, scope, what, around):
    with pytest.raises(ConfigError, match=what):
        wired(around, host=host_named(host), scope=scope)


def test_init_asks_for_a_daemon_that_listens_and_then_closes_the_file_to_others(around, capsys):
    words = ["init", "--http", "--host", "claude-code", "--yes"]
    assert main(words) == 2
    assert "Write 'http = true' under [daemon]" in capsys.readouterr().err

    own = around.home / ".config/snaphook/snaphook.toml"
    own.parent.mkdir(parents=True)
    own.write_text("[daemon]\nhttp = true\nport = 4999\n")
    settings = around.home / ".claude/settings.json"
    settings.parent.mkdir()
    settings.write_text("{}")
    settings.chmod(0o644)
    assert main(words) == 0

    token = (around.home / ".local/share/snaphook/http-token").read_text().strip()
    assert f"Bearer {token}" in settings.read_text()
    assert "http://127.0.0.1:4999/snaphook/claude-code/Stop" in settings.read_text()
    assert settings.stat().st_mode & 0o777 == 0o600
