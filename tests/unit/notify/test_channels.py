"""Every channel against a real server or program: what arrives, and what a refusal means."""

import asyncio
import hashlib
import hmac
import json
import socket
from email import message_from_bytes
from email.policy import default

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult
from tests.servers.listener import listening

from snaphook.config import Environment
from snaphook.notify.deliver import send_now
from snaphook.notify.notice import Notice
from snaphook.notify.settings import CommandChannel, Desktop, Email, Slack, Telegram, Webhook
from snaphook.stores.outbox import GiveUp, RetryLater

NOTICE = Notice(title="Done", text="the <tree> is green", facts={"": {"Agent": "executor"}})
TOKEN = "123:abc"


@pytest.fixture
def around(tmp_path):
    env = {"RALF_TELEGRAM_BOT_TOKEN": TOKEN, "PATH": "/usr/bin:/bin"}
    return Environment(cwd=tmp_path, home=tmp_path, env=env, managed=tmp_path)


def nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def send(channel, around, notice=NOTICE):
    send_now(channel, notice, around, delivery="d1")


@pytest.mark.req("BB-ST-1")
def test_telegram_gets_the_message_by_its_http_api(around):
    with listening((200, {}, b'{"ok": true}')) as server:
        send(Telegram(chat_id=-100, base_url=server.url), around)

    (heard,) = server.heard
    assert heard.path == f"/bot{TOKEN}/sendMessage"
    assert heard.json == {
        "chat_id": "-100",
        "text": "<b>Done</b>\nthe &lt;tree&gt; is green\n\n<b>Agent:</b> executor",
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
    }


def test_telegram_says_how_long_to_wait(around):
    busy = {"ok": False, "error_code": 429, "parameters": {"retry_after": 17}}
    with (
        listening((429, {}, json.dumps(busy).encode())) as server,
        pytest.raises(RetryLater) as put_off,
    ):
        send(Telegram(chat_id="1", base_url=server.url), around)

    assert put_off.value.seconds == 17


@pytest.mark.parametrize(
    ("answer", "meaning"),
    [
        pytest.param((400, {}, b'{"description": "chat not found"}'), GiveUp, id="never"),
        pytest.param((401, {}, b""), GiveUp, id="a wrong token"),
        pytest.param((302, {"Location": "http://127.0.0.1:1/"}, b""), GiveUp, id="no detours"),
        pytest.param((500, {}, b""), ConnectionError, id="perhaps later"),
        pytest.param((503, {"Retry-After": "5"}, b""), RetryLater, id="asked to wait"),
        pytest.param((503, {"Retry-After": "Wed, 21 Oct"}, b""), ConnectionError, id="a date"),
        pytest.param((429, {}, b"not json"), RetryLater, id="busy without a word"),
    ],
)
def test_what_a_refusal_means(around, answer, meaning):
    with listening(answer) as server, pytest.raises(meaning):
        send(Telegram(chat_id="1", base_url=server.url), around)


@pytest.mark.parametrize(
    "channel",
    [
        pytest.param(lambda port: Telegram(chat_id="1", base_url=f"http://127.0.0.1:{port}")),
        pytest.param(lambda port: Webhook(url=f"http://127.0.0.1:{port}/")),
        pytest.param(
            lambda port: Email(
                host="127.0.0.1", port=port, sender="a@x.org", to=("b@x.org",), security="none"
            )
        ),
    ],
)
def test_a_server_that_is_away_is_worth_another_try(around, channel):
    with pytest.raises(ConnectionError):
        send(channel(nobody_listens()), around)


def test_no_failure_tells_the_token(around):
    with pytest.raises(GiveUp) as refused:
        send(Telegram(chat_id="1", base_url="ftp://x"), around)

    assert TOKEN not in str(refused.value)


def test_a_webhook_gets_the_whole_notice_signed(around):
    signed = Environment(cwd=around.cwd, home=around.home, env={"KEY": "k"}, managed=around.managed)
    with listening() as server:
        send(Webhook(url=f"{server.url}/x", secret_env="KEY"), signed)

    (heard,) = server.heard
    moment, _, made = heard.headers["Snaphook-Signature"].partition(",v1=")
    stamp = moment.removeprefix("t=")
    assert made == hmac.new(b"k", f"{stamp}.".encode() + heard.body, hashlib.sha256).hexdigest()
    assert heard.headers["Snaphook-Delivery"] == "d1"
    assert heard.json == {
        "title": "Done",
        "text": "the <tree> is green",
        "facts": {"": {"Agent": "executor"}},
        "message": "Done\nthe <tree> is green\n\nAgent: executor",
        "id": "d1",
    }


def test_slack_gets_text_that_mentions_nobody(around, tmp_path):
    with listening() as server:
        (tmp_path / "url").write_text(f"{server.url}/services/T/B/x\n")
        (tmp_path / "url").chmod(0o600)
        send(
            Slack(url_file=str(tmp_path / "url")),
            around,
            Notice(title="<!channel> & co"),
        )

    assert server.heard[0].json == {"text": "&lt;!channel&gt; &amp; co"}


class Mailbox:
    """Takes mail, or says *no*."""

    def __init__(self, no=""):
        self.no = no
        self.mails = []

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        await asyncio.sleep(0)
        if self.no:
            return self.no
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        await asyncio.sleep(0)
        self.mails.append((envelope.rcpt_tos, message_from_bytes(envelope.content, policy=default)))
        return "250 OK"


@pytest.fixture
def mail_server():
    running = []

    def start(mailbox, **options):
        port = nobody_listens()
        server = Controller(mailbox, hostname="127.0.0.1", port=port, **options)
        server.start()
        running.append(server)
        return port

    yield start
    for server in running:
        server.stop()


def mail_to(port, **more):
    return Email(
        host="127.0.0.1",
        port=port,
        security="none",
        sender="bot@x.org",
        to=("ann@x.org", "bob@x.org"),
        **more,
    )


def test_a_mail_arrives_with_subject_text_and_an_id_of_its_own(around, mail_server):
    mailbox = Mailbox()

    send(mail_to(mail_server(mailbox)), around, Notice(title="Done\nBcc: x@y.org", text="green"))

    ((to, mail),) = mailbox.mails
    assert to == ["ann@x.org", "bob@x.org"]
    assert mail["Subject"].startswith("Done Bcc: ")
    assert mail["Message-ID"] == "<d1@snaphook.invalid>"
    assert mail["Bcc"] is None
    assert "green" in mail.get_content()


@pytest.mark.parametrize(
    ("no", "meaning"),
    [("550 no such user", GiveUp), ("450 try later", ConnectionError)],
)
def test_a_mail_server_that_refuses_for_now_is_asked_again(around, mail_server, no, meaning):
    with pytest.raises(meaning):
        send(mail_to(mail_server(Mailbox(no))), around)


def test_a_mail_server_that_wants_a_password_gets_it_from_a_private_file(
    around, mail_server, tmp_path
):
    seen = []

    def authenticator(server, session, envelope, mechanism, data):
        seen.append((data.login, data.password))
        return AuthResult(success=True)

    (tmp_path / "password").write_text("s3cret\n")
    (tmp_path / "password").chmod(0o600)
    port = mail_server(Mailbox(), authenticator=authenticator, auth_require_tls=False)

    send(mail_to(port, user="bot", password_file=str(tmp_path / "password")), around)

    assert seen == [(b"bot", b"s3cret")]


def test_a_server_without_tls_is_not_trusted_with_a_mail_that_asks_for_it(around, mail_server):
    port = mail_server(Mailbox())
    channel = Email(host="127.0.0.1", port=port, sender="a@x.org", to=("b@x.org",))

    with pytest.raises(GiveUp, match="STARTTLS"):
        send(channel, around)


@pytest.mark.parametrize("program", ["notify-send", "osascript"])
def test_the_desktop_shows_it_with_what_is_there(around, tmp_path, program):
    shown = tmp_path / "shown"
    (tmp_path / program).write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {shown}\n')
    (tmp_path / program).chmod(0o755)
    here = Environment(cwd=tmp_path, home=tmp_path, env={"PATH": str(tmp_path)}, managed=tmp_path)

    send(Desktop(), here)

    assert shown.read_text().splitlines()[-4:] == [
        "Done",
        "the <tree> is green",
        "",
        "Agent: executor",
    ]


def test_where_no_desktop_is_nobody_tries_again(around, tmp_path):
    bare = Environment(cwd=tmp_path, home=tmp_path, env={"PATH": "/nowhere"}, managed=tmp_path)

    with pytest.raises(GiveUp, match="libnotify-bin"):
        send(Desktop(), bare)


def test_a_command_gets_json_and_says_by_its_status_whether_it_took_it(around, tmp_path):
    send(CommandChannel(command='cat > got.json; echo "$SNAPHOOK_NOTICE" > got.txt'), around)

    assert json.loads((tmp_path / "got.json").read_text())["title"] == "Done"
    assert (tmp_path / "got.txt").read_text().startswith("Done\n")
    with pytest.raises(ConnectionError, match=r"failed \(3\): nobody home"):
        send(CommandChannel(command="echo nobody home >&2; exit 3"), around)
    with pytest.raises(ConnectionError, match=r"failed \(124\)"):
        send(CommandChannel(command="sleep 9", timeout=0.05), around)


def test_secrets_are_taken_out_before_anything_is_sent(around, tmp_path):
    key = "AKIA" + "Z7QX3W5N2KJ4HD6M"
    send(
        CommandChannel(command="cat > got"), around, Notice(title="Done", text=f"export KEY={key}")
    )

    assert key not in (tmp_path / "got").read_text()


@pytest.mark.parametrize(
    ("mode", "content", "words"),
    [
        (0o644, "t", "others can read this bot token. Run: chmod 600"),
        (0o600, "", "holds no bot token"),
        (None, "", "cannot be read: No such file"),
    ],
)
def test_a_token_file_that_is_not_private_is_not_used(around, tmp_path, mode, content, words):
    file = tmp_path / "token"
    if mode is not None:
        file.write_text(content)
        file.chmod(mode)

    with pytest.raises(GiveUp, match=words):
        send(Telegram(chat_id="1", token_file=str(file)), around)


def test_a_token_that_is_nowhere_is_asked_for(around, tmp_path):
    bare = Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path)

    with pytest.raises(GiveUp, match=r"no bot token: \$RALF_TELEGRAM_BOT_TOKEN is not set"):
        send(Telegram(chat_id="1"), bare)
    with pytest.raises(GiveUp, match="no chat"):
        send(Telegram(), around)
