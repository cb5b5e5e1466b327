"""A JSON document for any program that listens, signed where there is a secret.

``Snaphook-Signature: t=SECONDS,v1=HMAC-SHA256("SECONDS.BODY")``; ``Snaphook-Delivery`` is the same
each time one notice is sent, so that the listener can tell a repetition.
"""

import hashlib
import hmac
import time

import msgspec

from snaphook.config import Environment
from snaphook.notify.http import post
from snaphook.notify.notice import Notice, plain
from snaphook.notify.secrets import optional, secret
from snaphook.notify.settings import Webhook


def send(channel: Webhook, notice: Notice, around: Environment, delivery: str) -> None:
    """Post *notice* to the address."""
    url = channel.url or secret(
        around, env=channel.url_env, file=channel.url_file, what="webhook address"
    )
    key = optional(around, env=channel.secret_env, file=channel.secret_file, what="signing secret")
    text = plain(notice, channel.template)
    body = msgspec.json.encode({**msgspec.to_builtins(notice), "message": text, "id": delivery})
    headers = {"Content-Type": "application/json", "Snaphook-Delivery": delivery}
    if key:
        headers["Snaphook-Signature"] = signature(key, body, int(time.time()))
    post(url, body, headers, timeout=channel.timeout)


def signature(key: str, body: bytes, now: int) -> str:
    """Return the header by which the listener knows us: it holds the time, against replay."""
    made = hmac.new(key.encode(), f"{now}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={now},v1={made}"
