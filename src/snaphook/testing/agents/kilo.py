"""Kilo, driven without a person: a fork of OpenCode with a folder and variables of its own.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .opencode import settings
from .program import AgentProgram, AgentSandbox, merge_json, session_field


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = ["run", "--format", "json", *flags]
    return [*words, *(["--session", resume] if resume else []), prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    merge_json(place.home / ".config" / "kilo" / "kilo.json", settings(place))
    return {
        "KILO_DISABLE_MODELS_FETCH": "1",
        "KILO_DISABLE_AUTOUPDATE": "1",
        "KILO_DISABLE_LSP_DOWNLOAD": "1",
        "KILO_TELEMETRY_LEVEL": "off",
        "npm_config_fetch_retries": "0",
        "npm_config_registry": "http://127.0.0.1:9/",
        "BUN_CONFIG_REGISTRY": "http://127.0.0.1:9/",
    }


AGENT = AgentProgram(
    host="kilo",
    shell_tool="bash",
    shell_args={"description": "run it"},
    argv=_argv,
    modes={"allow": (), "auto": ("--auto",)},
    write_call=lambda path, text: Call("write", {"filePath": path, "content": text}),
    prepare=_prepare,
    unfired=frozenset({"Stop"}),
    session_in=session_field("sessionID"),
)
