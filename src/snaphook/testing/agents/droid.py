"""Factory Droid, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, merge_json, session_field


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = ["exec", *flags, "-m", f"custom:{MODEL}", "-o", "stream-json"]
    return [*words, *(["-s", resume] if resume else []), prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    model = {
        "model": MODEL,
        "displayName": "scripted",
        "baseUrl": f"{place.server.url}/v1",
        "apiKey": "scripted",
        "provider": "generic-chat-completion-api",
        "maxOutputTokens": 4096,
    }
    merge_json(place.home / ".factory" / "settings.json", {"customModels": [model]})
    return {
        "FACTORY_AIRGAP_ENABLED": "1",  # it would ask its makers about the account and the models
        "FACTORY_API_KEY": "scripted",
        "FACTORY_API_BASE_URL": place.server.url,
        "FACTORY_DISABLE_KEYRING": "1",
        "FACTORY_DROID_AUTO_UPDATE_ENABLED": "false",
    }


AGENT = AgentProgram(
    host="droid",
    shell_tool="Execute",
    shell_args={"riskLevel": "low", "riskLevelReason": "a test", "summary": "run it"},
    argv=_argv,
    modes={
        "auto high": ("--auto", "high"),
        "auto low": ("--auto", "low"),
        "read only": (),
        "skip permissions": ("--skip-permissions-unsafe",),
    },
    write_call=lambda path, text: Call("Create", {"file_path": path, "content": text}),
    prepare=_prepare,
    unfired=frozenset({"UserPromptSubmit"}),
    session_in=session_field("session_id"),
)
