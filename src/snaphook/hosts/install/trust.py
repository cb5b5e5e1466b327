"""Codex runs a hook only if its hash stands in the user's ``config.toml``.

hooks.json  ->  {key: hash}  ->  [hooks.state."<key>"] trusted_hash = "sha256:…"

``/hooks`` inside Codex writes the same lines once a person has looked. ``snaphook init`` shows the
hooks and asks before it writes anything, so it writes these too. Pure.
"""

import hashlib
import json
import re
from typing import Any

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.exceptions import TOMLKitError

from snaphook.errors import ConfigError

from .entries import is_ours

_LONGEST = {"SessionEnd": 3, "Interrupt": 3}
_DEFAULT = {"SessionEnd": 1, "Interrupt": 1}


def hashes(hooks: dict[str, Any], file: str) -> dict[str, str]:
    """Return the key and hash of each hook of ours in the parsed *hooks* file at *file*."""
    found: dict[str, str] = {}
    for event, groups in hooks.get("hooks", {}).items():
        for g, group in enumerate(groups if isinstance(groups, list) else ()):
            for h, handler in enumerate(group.get("hooks", ()) if isinstance(group, dict) else ()):
                if isinstance(handler, dict) and is_ours(handler.get("command"), "codex"):
                    key = f"{file}:{_snake(event)}:{g}:{h}"
                    found[key] = hash_of(event, group.get("matcher"), handler)
    return found


def hash_of(event: str, matcher: str | None, handler: dict[str, Any]) -> str:
    """Return the hash that Codex computes for one command hook, defaults and limits applied."""
    timeout = handler.get("timeout", _DEFAULT.get(event, 600))
    shown = {
        "async": bool(handler.get("async", False)),
        "command": handler["command"],
        "timeout": min(timeout, _LONGEST.get(event, timeout)),
        "type": "command",
    }
    if "statusMessage" in handler:
        shown["statusMessage"] = handler["statusMessage"]
    group: dict[str, Any] = {"event_name": _snake(event), "hooks": [shown]}
    if matcher is not None:
        group["matcher"] = matcher
    compact = json.dumps(group, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(compact.encode()).hexdigest()


def trusting(text: str, wanted: dict[str, str]) -> str:
    """Return config.toml with *wanted* trusted; the rest of it stays as it is."""
    document = _read(text)
    before = tomlkit.dumps(document)
    hooks = document.setdefault("hooks", tomlkit.table(is_super_table=True))
    state = hooks.setdefault("state", tomlkit.table(is_super_table=True))
    known = {key: entry.get("trusted_hash") for key, entry in state.items() if key in wanted}
    if known == wanted:
        return before
    for key, value in wanted.items():
        entry = tomlkit.table()
        entry["trusted_hash"] = value
        state[key] = entry
    return tomlkit.dumps(document)


def trusted(text: str) -> dict[str, str]:
    """Return the hooks that config.toml trusts, each with its hash."""
    hooks: Any = _read(text).get("hooks", {})
    state: Any = hooks.get("state", {})
    return {key: entry.get("trusted_hash") for key, entry in state.items()}


def untrusting(text: str, keys: set[str]) -> str:
    """Return config.toml without the words about *keys*."""
    document = _read(text)
    hooks: Any = document.get("hooks", {})
    state: Any = hooks.get("state", {})
    for key in keys & set(state):
        del state[key]
    if "state" in hooks and not state:
        del hooks["state"]
    if "hooks" in document and not hooks:
        del document["hooks"]
    return tomlkit.dumps(document)


def _read(text: str) -> TOMLDocument:
    try:
        return tomlkit.parse(text)
    except TOMLKitError as problem:
        raise ConfigError(
            where="config.toml",
            what=f"cannot be read ({problem})",
            fix="Fix it, then run 'snaphook init' again; nothing was changed.",
        ) from None


def _snake(event: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", event).lower()
