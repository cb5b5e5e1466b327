"""What was used, where a host tells it in an event of its own; and where else it may be written.

"PostModelRequest", {"token_usage": …}  ->  UsageReported
"""

import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from snaphook.canon import Usage

from .entries import UsageReported
from .usage import of_metadata, of_openai


def told(host: str, kind: str, payload: Mapping[str, Any]) -> UsageReported | None:
    """Return what *host*'s event *kind* says was used; ``None`` where it says nothing of it."""
    match kind, payload:
        case "PostModelRequest", {"token_usage": dict(usage)}:
            return _used(host, payload, of_openai(usage))
        case "AfterModel", {"llm_response": {"usageMetadata": dict(usage)}}:
            request = payload.get("llm_request")
            return _used(host, request if isinstance(request, dict) else {}, of_metadata(usage))
        case _:
            return None


def beside(path: str) -> list[str]:
    """Return the transcripts of subagents that lie beside the one at *path*."""
    folder = Path(path).with_suffix("") / "subagents"
    return sorted(map(str, folder.glob("*.jsonl"))) if folder.is_dir() else []


def _used(host: str, about: Mapping[str, Any], usage: Usage) -> UsageReported:
    id_ = str(about.get("response_id") or uuid.uuid4().hex)
    return UsageReported(host=host, id=id_, model=str(about.get("model") or ""), usage=usage)
