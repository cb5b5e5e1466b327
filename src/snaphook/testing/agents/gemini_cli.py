"""Gemini CLI, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import AgentProgram, AgentSandbox, merge_json


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = [*flags, "-m", "gemini-2.5-flash", "--output-format", "stream-json"]
    return [*words, *(["--resume", resume] if resume else []), "-p", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    settings = place.home / ".gemini" / "settings.json"
    merge_json(settings, {"security": {"auth": {"selectedType": "gemini-api-key"}}})
    return {
        "GEMINI_API_KEY": "scripted",
        "GOOGLE_GEMINI_BASE_URL": place.server.url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_TELEMETRY_ENABLED": "false",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }


AGENT = AgentProgram(
    host="gemini-cli",
    shell_tool="run_shell_command",
    shell_args={"description": "run it"},
    argv=_argv,
    modes={"yolo": ("--approval-mode", "yolo")},  # in others a run without a person has no shell
    write_call=lambda path, text: Call("write_file", {"file_path": path, "content": text}),
    prepare=_prepare,
    session_in=lambda _stdout, _place: "latest",
)
