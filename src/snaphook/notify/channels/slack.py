"""An incoming webhook of Slack, and of those who speak like it."""

import json

from snaphook.config import Environment
from snaphook.notify.http import post
from snaphook.notify.notice import Notice, plain
from snaphook.notify.secrets import secret
from snaphook.notify.settings import Slack

_MARKS = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def send(channel: Slack, notice: Notice, around: Environment, _delivery: str) -> None:
    """Post *notice*; what it tells cannot mention anybody or pose as a link."""
    url = secret(around, env=channel.url_env, file=channel.url_file, what="webhook address")
    text = plain(notice, channel.template).translate(_MARKS)
    body = json.dumps({"text": text}).encode()
    post(url, body, {"Content-Type": "application/json"}, timeout=channel.timeout)
