"""A notice reaches every channel that wants it, once, in its own time, or is kept as a dead letter."""

import time

import pytest
from tests.servers.listener import listening

from snaphook.config import Environment
from snaphook.config.check import check
from snaphook.notify import deliver
from snaphook.notify.deliver import announce, breaker_of, channels, wanting
from snaphook.notify.notice import Notice
from snaphook.notify.rate import wait_for_turn
from snaphook.notify.settings import CommandChannel, NotifySettings, Telegram
from snaphook.stores.outbox import JobState, Outbox, drain
from snaphook.wiring.job_handlers import handler
from snaphook.wiring.sections import every_section


@pytest.fixture
def around(tmp_path):
    env = {"RALF_TELEGRAM_BOT_TOKEN": "123:abc", "PATH": "/usr/bin:/bin"}
    return Environment(cwd=tmp_path, home=tmp_path, env=env, managed=tmp_path / "etc")


@pytest.fixture
def outbox(around):
    box = Outbox(around.data_dir, cwd=around.cwd)
    yield box
    box.close()


def configured(around, text):
    file = around.config_dir / "snaphook.toml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


def at(moment, outbox, around):
    """Do what is due at *moment*."""
    later = Outbox(around.data_dir, clock=lambda: moment)
    drain(later, handler, around, clock=lambda: moment)
    later.close()


TELEGRAM = """
[notify.channels.phone]
type = "telegram"
chat_id = "1"
base_url = "{url}"
"""


@pytest.mark.req("BB-ST-1")
def test_a_notice_goes_over_every_channel_that_carries_it(around, outbox):
    with listening() as server:
        configured(
            around,
            f"""{TELEGRAM.format(url=server.url)}
            [notify.channels.hook]
            type = "webhook"
            url = "{server.url}/hook"
            events = ["manual"]
            [notify.channels.quiet]
            type = "webhook"
            url = "{server.url}/quiet"
            events = ["alert"]
            """,
        )
        announce(outbox, Notice(title="hello"), key="k")
        announce(outbox, Notice(title="hello"), key="k")
        drain(outbox, handler, around)

    assert sorted(heard.path for heard in server.heard) == ["/bot123:abc/sendMessage", "/hook"]
    assert outbox.counts()[JobState.DONE] == 3


@pytest.mark.req("BB-ST-1", "BB-F")
def test_a_notification_that_fails_is_retried_then_kept_and_can_be_sent_again(around, outbox):
    """Stop: notification fails. Silent failure. Mitigation: retry, dead letter queue."""
    with listening((500, {}, b"down")) as server:
        configured(around, TELEGRAM.format(url=server.url))
        announce(outbox, Notice(title="hello"))
        drain(outbox, handler, around)
        moment = time.time()
        while (due := outbox.next_due()) is not None:
            moment = max(moment + 150, due)
            breaker_of("phone", around).success()  # else it is left in peace; shown below
            at(moment, outbox, around)
        (dead,) = outbox.jobs(JobState.DEAD)
        assert (dead.kind, dead.attempts) == ("deliver", 8)
        assert "500" in dead.error
        assert len(server.heard) == 8

        server.answers[:] = [(200, {}, b"ok")]
        outbox.retry(dead)
        at(moment + 100, outbox, around)

    assert outbox.jobs(JobState.DEAD) == []
    assert server.heard[-1].json["text"] == "<b>hello</b>"


def test_a_channel_that_keeps_failing_is_left_in_peace_and_costs_no_attempt(around, outbox):
    with listening((500, {}, b"down")) as server:
        configured(around, TELEGRAM.format(url=server.url))
        for number in range(8):
            announce(outbox, Notice(title=str(number)))
        drain(outbox, handler, around)

    assert len(server.heard) == 5
    waiting = outbox.jobs(JobState.WAITING)
    assert sorted(job.attempts for job in waiting) == [0, 0, 0, 1, 1, 1, 1, 1]
    assert sum("is paused for a while" in job.error for job in waiting) == 3


def test_more_than_a_minutes_notices_wait_for_the_next(around, outbox):
    with listening() as server:
        configured(around, f"{TELEGRAM.format(url=server.url)}per_minute = 2")
        for number in range(4):
            announce(outbox, Notice(title=str(number)))
        drain(outbox, handler, around)

    assert len(server.heard) == 2
    assert [job.attempts for job in outbox.jobs(JobState.WAITING)] == [0, 0]


def test_turns_are_taken_and_come_back(tmp_path):
    path = tmp_path / "notify.sqlite"

    def turns(now):
        return [wait_for_turn(path, "a", per_minute=2, now=now) for _ in range(3)]

    assert turns(1000.0) == [0.0, 0.0, 60.0]
    assert wait_for_turn(path, "b", per_minute=2, now=1000.0) == 0.0
    assert wait_for_turn(path, "a", per_minute=2, now=1030.0) == 30.0
    assert turns(1061.0) == [0.0, 0.0, 60.0]


def test_a_channel_that_was_taken_away_meanwhile_is_a_dead_letter(around, outbox):
    outbox.put("deliver", {"channel": "gone", "notice": {"title": "x"}})

    drain(outbox, handler, around)

    assert [dead.error for dead in outbox.jobs(JobState.DEAD)] == [
        "there is no channel 'gone' any more."
    ]


@pytest.mark.req("BB-F")
def test_a_dead_letter_of_any_other_kind_is_told_to_people(around, outbox):
    """Stop: an auto-action fails. Mitigation: alert."""
    with listening() as server:
        configured(around, TELEGRAM.format(url=server.url))
        outbox.put("no such kind", {})
        drain(outbox, handler, around)

    (heard,) = server.heard
    assert "no such kind failed permanently" in heard.json["text"]


def test_a_bot_in_the_environment_alone_is_a_channel():
    env = {"RALF_TELEGRAM_BOT_TOKEN": "t", "RALF_TELEGRAM_CHAT_ID": "1"}

    assert channels(NotifySettings(), env) == {"telegram": Telegram()}
    assert channels(NotifySettings(), env | {"RALF_MONITOR_ENABLED": "false"}) == {}
    assert channels(NotifySettings(enabled=False), env) == {}
    assert channels(NotifySettings(), {}) == {}


@pytest.mark.parametrize(
    ("notice", "told"),
    [
        (Notice(event="stop", title="t", seconds=299), []),
        (Notice(event="stop", title="t", seconds=300), ["a"]),
        (Notice(event="stop", title="t"), ["a"]),
        (Notice(event="notification", title="t", seconds=1), ["a", "b"]),
        (Notice(event="subagent", title="t"), []),
    ],
)
def test_who_wants_a_notice(notice, told):
    settings = NotifySettings(
        channels={
            "a": CommandChannel(command="x"),
            "b": CommandChannel(command="x", events=("notification",)),
        }
    )

    assert wanting(settings, notice, {}) == told


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ('type = "telegram"\ntoken = "1:a"', "secrets are not allowed in settings files"),
        (
            'type = "email"\nhost = "h"\nsender = "s"\nto = ["t"]\npassword = "p"',
            "secrets are not allowed",
        ),
        (
            'type = "webhook"\nurl = "https://hooks.slack.com/services/x"',
            "anyone who knows this URL",
        ),
        ('type = "webhook"\nurl = "https://me:pass@x.org/"', "anyone who knows this URL"),
        ('type = "webhook"', "no address"),
        ('type = "telegram"\nevents = ["stopp"]', "unknown event 'stopp'"),
        ('type = "pigeon"', "invalid value 'pigeon'"),
        (
            'type = "email"\nhost = "h"\nsender = "s"\nto = ["t"]\nsecurity = "ssl"',
            "is not a supported transport",
        ),
    ],
)
def test_a_mistake_in_a_channel_is_found_when_settings_are_checked(around, line, problem):
    configured(around, f"[notify.channels.x]\n{line}\n")

    found = check(around, sections=every_section())

    assert problem in " ".join(each.what for each in found).replace("Invalid", "invalid")


def test_every_kind_of_job_has_somebody_who_does_it():
    assert {kind: handler(kind) for kind in ("alert", "deliver", "notify")} == {
        "alert": deliver.alert,
        "deliver": deliver.deliver,
        "notify": deliver.fan_out,
    }
