"""A command line of the user's own: the notice is JSON on stdin, its text in ``SNAPHOOK_NOTICE``."""

import msgspec

from snaphook.config import Environment
from snaphook.notify.notice import Notice, plain
from snaphook.notify.settings import CommandChannel
from snaphook.process import run


def send(channel: CommandChannel, notice: Notice, around: Environment, delivery: str) -> None:
    """Run the command; it says by its exit status whether it took *notice*."""
    text = plain(notice, channel.template)
    done = run(
        channel.command,
        cwd=str(around.cwd) if around.cwd.is_dir() else None,
        env={**around.env, "SNAPHOOK_NOTICE": text, "SNAPHOOK_DELIVERY": delivery},
        stdin=msgspec.json.encode({**msgspec.to_builtins(notice), "message": text}),
        timeout=channel.timeout,
    )
    if not done.ok:
        said = done.failure or done.stderr.text.strip() or f"exit {done.status}"
        raise ConnectionError(f"the command failed ({done.status}): {said[:200]}")
