"""Kimi Code, driven without a person.

prompt  ->  argv, environment
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, session_field


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = [*flags, "--output-format", "stream-json"]
    return [*words, *(["--session", resume] if resume else []), "-p", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    return {
        "KIMI_CODE_HOME": str(place.home / ".kimi-code"),
        "KIMI_MODEL_NAME": MODEL,
        "KIMI_MODEL_API_KEY": "scripted",
        "KIMI_MODEL_PROVIDER_TYPE": "openai",
        "KIMI_MODEL_BASE_URL": f"{place.server.url}/v1",
        "KIMI_MODEL_MAX_CONTEXT_SIZE": "100000",
        "KIMI_CODE_NO_AUTO_UPDATE": "1",
    }


AGENT = AgentProgram(
    host="kimi",
    shell_tool="Bash",
    shell_args={"description": "run it"},
    argv=_argv,
    modes={"default": (), "auto": ("--auto",), "yolo": ("--yolo",)},
    write_call=lambda path, text: Call("Write", {"path": path, "content": text}),
    prepare=_prepare,
    session_in=session_field("session_id"),
)
