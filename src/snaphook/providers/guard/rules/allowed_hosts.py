"""Hosts whose downloads the settings let run.

Effects + settings  ->  whether every download comes from one of them
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from snaphook.providers.guard.settings import GuardSettings
from snaphook.shell.facts import Act, Effect
from snaphook.shell.programs.network import FETCHERS


def all_allowed(effects: Iterable[Effect], settings: GuardSettings) -> bool:
    """Say whether there are downloads, and all of them come from allowed hosts."""
    if not settings.allow_hosts:
        return False
    addresses = [
        one.detail for one in effects if one.act is Act.FETCH and one.call.program in FETCHERS
    ]
    return bool(addresses) and all(_is_allowed(one, settings) for one in addresses)


def _is_allowed(address: str, settings: GuardSettings) -> bool:
    host = re.sub(r"^\w+://", "", address).split("/")[0].rpartition("@")[2].split(":")[0]
    return host in settings.allow_hosts
