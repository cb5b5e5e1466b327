"""Auggie, driven without a person.

prompt  ->  argv, environment
"""

import json
from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import AgentProgram, AgentSandbox


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    return [*flags, *(["--resume", resume] if resume else []), "--print", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    session = {
        "accessToken": "scripted",
        "tenantURL": f"{place.server.url}/",
        "scopes": ["read", "write"],
    }
    return {"AUGMENT_SESSION_AUTH": json.dumps(session), "AUGMENT_DISABLE_AUTO_UPDATE": "1"}


AGENT = AgentProgram(
    host="auggie",
    shell_tool="launch-process",
    shell_args={"wait": True, "max_wait_seconds": 30, "cwd": "."},
    argv=_argv,
    modes={"print": ()},
    write_call=lambda path, text: Call("save-file", {"path": path, "file_content": text}),
    prepare=_prepare,
    session_in=lambda _stdout, _place: None,
)
