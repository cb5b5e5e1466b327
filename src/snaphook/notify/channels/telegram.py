"""Telegram: a bot's message to a chat.

https://core.telegram.org/bots/api#sendmessage
"""

import json

from snaphook.config import Environment
from snaphook.notify.http import post
from snaphook.notify.notice import Notice, marked
from snaphook.notify.secrets import secret
from snaphook.notify.settings import Telegram
from snaphook.stores.outbox.job import GiveUp


def send(channel: Telegram, notice: Notice, around: Environment, _delivery: str) -> None:
    """Send *notice* to the chat."""
    token = secret(around, env=channel.token_env, file=channel.token_file, what="bot token")
    chat = str(channel.chat_id) or around.env.get(channel.chat_id_env, "")
    if not chat:
        raise GiveUp(f"no chat: neither chat_id nor ${channel.chat_id_env} is set.")
    body = {
        "chat_id": chat,
        "text": marked(notice, channel.template),
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
    }
    post(
        f"{channel.base_url.rstrip('/')}/bot{token}/sendMessage",
        json.dumps(body).encode(),
        {"Content-Type": "application/json"},
        timeout=channel.timeout,
    )
