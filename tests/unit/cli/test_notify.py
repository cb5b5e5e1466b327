"""``notify``: which channels there are, whether they work, and a notice by hand."""

import json
import time

import pytest
from tests.servers.listener import listening

from snaphook.cli.main import main
from snaphook.config import Environment
from snaphook.stores.outbox import Outbox, drain, workers
from snaphook.wiring.job_handlers import handler

SETTINGS = """
[notify.channels.hook]
type = "webhook"
url = "{url}/hook"

[notify.channels.phone]
type = "telegram"
chat_id = "1"
base_url = "{url}"
events = ["alert"]
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "RALF_TELEGRAM_BOT_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(workers, "_spawn", lambda around: None)
    return tmp_path


@pytest.fixture
def server(home):
    with listening() as listener:
        file = home / ".config/snaphook/snaphook.toml"
        file.parent.mkdir(parents=True)
        file.write_text(SETTINGS.format(url=listener.url))
        yield listener


@pytest.mark.parametrize("words", [["notify"], ["notify", "test"], ["notify", "send", "hi"]])
def test_without_channels_it_is_told_how_to_add_one(home, capsys, words):
    main(words)

    assert "No channels. Add one to snaphook.toml" in capsys.readouterr().out


def test_the_channels_are_listed(server, capsys):
    assert main(["notify", "list", "--json"]) == 0

    rows = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert rows == [
        {
            "name": "hook",
            "type": "webhook",
            "events": ["stop", "notification", "alert", "manual"],
            "breaker": "closed",
        },
        {"name": "phone", "type": "telegram", "events": ["alert"], "breaker": "closed"},
    ]


def test_a_test_says_which_channel_works_and_which_does_not(server, capsys):
    assert main(["notify", "test"]) == 1

    said = capsys.readouterr()
    assert said.out == "hook: sent.\n"
    assert said.err.startswith("phone: no bot token: $RALF_TELEGRAM_BOT_TOKEN is not set.")
    assert server.heard[0].json["title"] == "Snaphook: a test"
    assert main(["notify", "test", "hook"]) == 0


def test_a_notice_by_hand_goes_out_in_the_background(server, home, capsys):
    assert main(["notify", "send", "the tree is green", "--title", "CI"]) == 0

    assert capsys.readouterr().out.startswith("Queued for hook as ")
    around = Environment.here()
    outbox = Outbox(around.data_dir)
    drain(outbox, handler, around)
    outbox.close()
    until = time.monotonic() + 10
    while not server.heard and time.monotonic() < until:
        time.sleep(0.01)  # the process that 'send' started may have been the first to take it
    assert server.heard[0].json["message"] == "CI\nthe tree is green"


def test_a_channel_may_be_named_whatever_it_usually_carries(server, capsys):
    assert main(["notify", "send", "hi", "--channel", "phone"]) == 0
    assert main(["notify", "send", "hi", "--channel", "pigeon"]) == 2
    assert "pigeon: no such channel. There are: hook, phone." in capsys.readouterr().err
