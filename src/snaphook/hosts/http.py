"""HTTP hooks: our address in a host's settings, the token that opens it, a reply as a body.

data folder  ->  token        host, event  ->  URL        Reply  ->  JSON of a 200

A host that calls by HTTP hears us in the body of a 2xx and nowhere else: a status never blocks.
"""

import os
import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.errors import StoreError
from snaphook.storage.folders import make_private

from .host import Reply

TOKEN = "http-token"  # noqa: S105 - the name of a file
PATH = "/snaphook"


class Address(Struct, frozen=True, kw_only=True):
    """Where the daemon listens on this machine, and what opens it."""

    port: int
    token: str

    def url(self, host: str, event: str) -> str:
        """Return what *host* calls about *event*."""
        return f"http://127.0.0.1:{self.port}{PATH}/{host}/{event}"

    @property
    def headers(self) -> dict[str, str]:
        """Return what must come with it."""
        return {"Authorization": f"Bearer {self.token}"}


def is_our_url(url: object, host: str) -> bool:
    """Say whether *url* is one of ours for *host*, on whichever port."""
    ours = rf"http://(?:127\.0\.0\.1|localhost):\d+{PATH}/{re.escape(host)}/\w+"
    return isinstance(url, str) and re.fullmatch(ours, url) is not None


def token(data_dir: Path) -> str:
    """Return the token of this user, made on first use; only its owner can read the file."""
    path = data_dir / TOKEN
    try:
        make_private(data_dir)
        _make(path)
        path.chmod(0o600)
        found = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise StoreError(
            where=str(path),
            what=f"cannot be used: {problem}",
            fix="Remove it; a new one is created.",
        ) from problem
    if len(found) < 32:
        raise StoreError(
            where=str(path), what="contains no token", fix="Remove it; a new one is created."
        )
    return found


def _make(path: Path) -> None:
    from secrets import token_urlsafe

    from snaphook.storage.files import create

    if not os.path.lexists(path):
        create(path, f"{token_urlsafe(32)}\n".encode())


def body(event: str, reply: Reply) -> bytes:
    """Return *reply* as the body that its host reads; an exit with 2 is said in words."""
    if reply.exit_code:
        return msgspec.json.encode(_blocked(event, reply.stderr.decode(errors="replace").strip()))
    if not reply.stdout.strip():
        return b"{}"
    try:
        decision = msgspec.json.decode(reply.stdout)
    except msgspec.DecodeError:
        decision = None
    if isinstance(decision, dict):
        return reply.stdout
    text = reply.stdout.decode(errors="replace")
    return msgspec.json.encode({"hookSpecificOutput": _about(event, additionalContext=text)})


def _blocked(event: str, reason: str) -> dict[str, Any]:
    decision: dict[str, Any] = {"decision": "block", "reason": reason}
    if event == "PreToolUse":
        denial = _about(event, permissionDecision="deny", permissionDecisionReason=reason)
        decision["hookSpecificOutput"] = denial
    elif event == "PermissionRequest":
        refused = {"behavior": "deny", "message": reason}
        decision = {"hookSpecificOutput": _about(event, decision=refused)}
    return decision


def _about(event: str, **decision: Any) -> dict[str, Any]:
    return {"hookEventName": event, **decision}
