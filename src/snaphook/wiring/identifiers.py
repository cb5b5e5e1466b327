"""Ids of sessions and agents, without a secret in them.

Event  ->  the same Event, its ids scrubbed

Ids name files, keys and rows in every store, so a secret that got into one (an agent named after a token, a
host that uses a bearer token as its session) would be everywhere. Here it is taken out once, at the door.
"""

import re
from functools import lru_cache

from msgspec.structs import replace

from snaphook.canon import Event, HookContext

_PLAIN = re.compile(r"[0-9a-fA-F-]{0,64}|[\w .:/-]{0,19}")
"""What nearly every host uses: a UUID, a number, a short name. Nothing is loaded for these."""
_IDS = ("session_id", "agent_id", "agent_name", "agent_type", "parent_session_id", "turn_id")


def with_safe_ids(event: Event) -> Event:
    """Return *event*; an id with a secret in it becomes one with a placeholder, always the same."""
    context = event.context
    odd = {name: value for name in _IDS if (value := _odd(context, name))}
    if not odd:
        return event
    safe = {name: _safe(value) for name, value in odd.items()}
    return event if safe == odd else replace(event, context=replace(context, **safe))


def _odd(context: HookContext, name: str) -> str:
    value = getattr(context, name) or ""
    return "" if _PLAIN.fullmatch(value) else value


@lru_cache(maxsize=256)
def _safe(value: str) -> str:
    from snaphook.config import Environment
    from snaphook.config.caller import environment
    from snaphook.scrub import Scrubber, kept_salt

    here = Environment.here(env=environment())
    return Scrubber(personal=False, salt=kept_salt(here.data_dir)).text(value)
