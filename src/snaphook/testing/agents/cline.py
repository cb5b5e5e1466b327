"""Cline, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, merge_json, session_field

_PROVIDER = "openai-compatible"


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    return [*flags, "--json", *(["--id", resume] if resume else []), prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    settings = {
        "provider": _PROVIDER,
        "apiKey": "scripted",
        "model": MODEL,
        "baseUrl": f"{place.server.url}/v1",
    }
    entry = {
        "settings": settings,
        "updatedAt": "2026-01-01T00:00:00.000Z",
        "tokenSource": "manual",
    }
    merge_json(
        place.home / ".cline" / "data" / "settings" / "providers.json",
        {
            "version": 1,
            "lastUsedProvider": _PROVIDER,
            "modes": {},
            "providers": {_PROVIDER: entry},
        },
    )
    return {
        # By itself it leaves a hub running in the background, which nobody would end.
        "CLINE_SESSION_BACKEND_MODE": "local",
        "CLINE_DIR": str(place.home / ".cline"),
    }


AGENT = AgentProgram(
    host="cline",
    shell_tool="run_commands",
    shell_key="commands",
    shell_list=True,
    denial_ends_run=True,
    argv=_argv,
    modes={"auto-approve": (), "ask": ("--auto-approve", "false")},
    write_call=lambda path, text: Call("editor", {"path": path, "new_text": text}),
    prepare=_prepare,
    session_in=session_field("sessionId"),
)
