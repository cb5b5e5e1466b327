"""A bubble on the screen of whoever sits there."""

import shutil

from snaphook.config import Environment
from snaphook.notify.notice import Notice, plain
from snaphook.notify.settings import Desktop
from snaphook.process import run
from snaphook.stores.outbox.job import GiveUp

_APPLE = (
    "-e", "on run argv",
    "-e", "display notification (item 2 of argv) with title (item 1 of argv)",
    "-e", "end run",
)  # fmt: skip


def send(channel: Desktop, notice: Notice, around: Environment, _delivery: str) -> None:
    """Show *notice*."""
    text = plain(notice, channel.template).removeprefix(notice.title).strip() or notice.title
    done = run(_words(notice.title, text, around), env=around.env, timeout=channel.timeout)
    if not done.ok:
        said = done.failure or done.stderr.text.strip() or f"exit {done.status}"
        raise ConnectionError(f"the screen could not be reached: {said[:200]}")


def _words(title: str, text: str, around: Environment) -> list[str]:
    path = around.env.get("PATH")
    if program := shutil.which("notify-send", path=path):
        return [program, "--app-name=Snaphook", "--", title, text]
    if program := shutil.which("osascript", path=path):
        return [program, *_APPLE, title, text]
    raise GiveUp("neither notify-send nor osascript is here. Install libnotify-bin, then retry.")
