"""Qwen Code, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, merge_json, session_field


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = [*flags, "--output-format", "stream-json"]
    return [*words, *(["--resume", resume] if resume else []), "-p", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    settings = place.home / ".qwen" / "settings.json"
    merge_json(
        settings,
        {
            "security": {"auth": {"selectedType": "openai"}},
            "general": {"disableAutoUpdate": True},
            "telemetry": {"enabled": False},
        },
    )
    return {
        "OPENAI_BASE_URL": f"{place.server.url}/v1",
        "OPENAI_API_KEY": "scripted",
        "OPENAI_MODEL": MODEL,
        "QWEN_TELEMETRY_ENABLED": "false",
    }


AGENT = AgentProgram(
    host="qwen-code",
    shell_tool="run_shell_command",
    shell_args={"description": "run it", "is_background": False},
    argv=_argv,
    modes={"yolo": ("-y",)},  # in others a run without a person has no shell
    write_call=lambda path, text: Call("write_file", {"file_path": path, "content": text}),
    prepare=_prepare,
    session_in=session_field("session_id"),
)
