"""OpenCode, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence
from typing import Any

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, merge_json, session_field


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = ["run", "--format", "json", *flags]
    return [*words, *(["--session", resume] if resume else []), prompt]


def settings(place: AgentSandbox) -> dict[str, Any]:
    """Return what leads OpenCode, or a fork of it, to the scripted model."""
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{place.server.url}/v1", "apiKey": "scripted"},
        "models": {MODEL: {"name": MODEL}},
    }
    return {
        "provider": {"scripted": provider},
        "model": f"scripted/{MODEL}",
        "small_model": f"scripted/{MODEL}",
        "autoupdate": False,
        "share": "disabled",
        "permission": {"bash": "allow", "edit": "allow"},
    }


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    merge_json(place.home / ".config" / "opencode" / "opencode.json", settings(place))
    return {
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        # It would fetch a package for its plugin folder; nothing is to leave this machine.
        "npm_config_fetch_retries": "0",
        "npm_config_registry": "http://127.0.0.1:9/",
        "BUN_CONFIG_REGISTRY": "http://127.0.0.1:9/",
    }


AGENT = AgentProgram(
    host="opencode",
    shell_tool="bash",
    shell_args={"description": "run it"},
    argv=_argv,
    modes={"allow": (), "skip": ("--dangerously-skip-permissions",)},
    write_call=lambda path, text: Call("write", {"filePath": path, "content": text}),
    prepare=_prepare,
    unfired=frozenset({"Stop"}),
    session_in=session_field("sessionID"),
)
