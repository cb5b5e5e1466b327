"""Copilot CLI, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, session_field


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    how = [f"--resume={resume}"] if resume else ["--trust-folder"]
    return [*flags, "--output-format", "json", *how, "-p", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    return {
        "COPILOT_HOME": str(place.home / ".copilot"),
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{place.server.url}/v1",
        "COPILOT_MODEL": MODEL,
        "COPILOT_AUTO_UPDATE": "false",
    }


AGENT = AgentProgram(
    host="copilot-cli",
    shell_tool="bash",
    shell_args={"description": "run it"},
    argv=_argv,
    modes={
        "all tools": ("--allow-all-tools",),
        "yolo": ("--yolo",),
        "one tool": ("--allow-tool", "shell"),
    },
    write_call=lambda path, text: Call("create", {"path": path, "file_text": text}),
    prepare=_prepare,
    session_in=session_field("sessionId"),
)
