"""Words for the tests of settings: put a file somewhere, approve a project."""

import json
from pathlib import Path
from typing import Any

from snaphook.config import Environment
from snaphook.config.documents import read
from snaphook.config.settings_files import find
from snaphook.config.trust import TrustStore, fingerprint
from snaphook.providers.guard.coverage import command_coverage


def put(path: Path, content: str | dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, indent=2))
    return path


def hooks(command: str, event: str = "PreToolUse", **more: Any) -> dict[str, Any]:
    return {"hooks": {event: [{"hooks": [{"type": "command", "command": command, **more}]}]}}


def approve(around: Environment) -> None:
    root = around.cwd
    places = [place for place in find(around, root) if place.needs_trust and not place.outer]
    given = {
        str(place.path): fingerprint(read(place), root, command_coverage).approval
        for place in places
    }
    TrustStore.of(around).approve(root, given)
