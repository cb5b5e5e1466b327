"""A mail, handed to an SMTP server."""

import smtplib
import ssl
from email.message import EmailMessage
from email.utils import formatdate

from snaphook.config import Environment
from snaphook.notify.notice import Notice, plain
from snaphook.notify.secrets import optional
from snaphook.notify.settings import Email
from snaphook.stores.outbox.job import GiveUp


def send(channel: Email, notice: Notice, around: Environment, delivery: str) -> None:
    """Hand *notice* to the server; a refusal for good is one here too."""
    password = optional(
        around, env=channel.password_env, file=channel.password_file, what="mail password"
    )
    try:
        with _connected(channel) as server:
            if channel.user:
                server.login(channel.user, password)
            server.send_message(letter(channel, notice, delivery))
    except smtplib.SMTPRecipientsRefused as refused:
        raise _meaning(max(code for code, _ in refused.recipients.values()), refused) from refused
    except smtplib.SMTPResponseException as refused:
        raise _meaning(refused.smtp_code, refused) from refused
    except smtplib.SMTPNotSupportedError as refused:
        raise GiveUp(f"{channel.host}: {refused}") from refused


def letter(channel: Email, notice: Notice, delivery: str) -> EmailMessage:
    """Return the mail; its id is the same each time it is sent, so that a repetition shows."""
    mail = EmailMessage()
    mail["Subject"] = " ".join(notice.title.split())
    mail["From"] = channel.sender
    mail["To"] = ", ".join(channel.to)
    mail["Date"] = formatdate(notice.made or None)
    mail["Message-ID"] = f"<{delivery}@snaphook.invalid>"
    mail["Auto-Submitted"] = "auto-generated"
    mail.set_content(plain(notice, channel.template))
    return mail


def _connected(channel: Email) -> smtplib.SMTP:
    if channel.security == "tls":
        trusted = ssl.create_default_context()
        return smtplib.SMTP_SSL(
            channel.host, channel.port, timeout=channel.timeout, context=trusted
        )
    server = smtplib.SMTP(channel.host, channel.port, timeout=channel.timeout)
    try:
        if channel.security == "starttls":
            server.starttls(context=ssl.create_default_context())
    except BaseException:
        server.close()
        raise
    return server


def _meaning(code: int, refused: Exception) -> Exception:
    words = f"the mail server rejected the message: {refused}"
    return GiveUp(words) if code >= 500 else ConnectionError(words)
