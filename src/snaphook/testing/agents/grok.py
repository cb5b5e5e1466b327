"""Grok Build, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, session_field, write


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = [*flags, "-m", "scripted", "--output-format", "streaming-json"]
    return [*words, *(["--resume", resume] if resume else []), "-p", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    config = place.home / ".grok" / "config.toml"
    write(
        config,
        'auto_update = false\n[models]\ndefault = "scripted"\n'
        f'[model.scripted]\nmodel = "{MODEL}"\nname = "Scripted"\napi_key = "scripted"\n'
        f'base_url = "{place.server.url}/v1"\ncontext_window = 100000\n',
    )
    return {
        "GROK_HOME": str(place.home / ".grok"),
        "GROK_DISABLE_AUTOUPDATER": "1",
        "GROK_TELEMETRY_ENABLED": "false",
        "GROK_TURN_SUMMARY": "0",
    }


AGENT = AgentProgram(
    host="grok",
    shell_tool="run_terminal_command",
    shell_args={"description": "run it"},
    argv=_argv,
    modes={
        "always approve": ("--always-approve",),
        "default": (),
        "auto": ("--permission-mode", "auto"),
        "acceptEdits": ("--permission-mode", "acceptEdits"),
    },
    write_call=lambda path, text: Call("write", {"file_path": path, "content": text}),
    prepare=_prepare,
    interactive=("-m", "scripted"),
    session_in=session_field("sessionId"),
)
