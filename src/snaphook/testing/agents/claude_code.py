"""Claude Code, driven without a person.

prompt  ->  argv, environment, settings at home
"""

from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import AgentProgram, AgentSandbox, merge_json, session_field


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = ["-p", "--output-format", "stream-json", "--verbose", *flags]
    return [*words, *(["--resume", resume] if resume else []), "--", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    return {
        "ANTHROPIC_BASE_URL": place.server.url,
        "ANTHROPIC_API_KEY": "scripted",
        "CLAUDE_CONFIG_DIR": str(place.home / ".claude"),
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "DISABLE_AUTOUPDATER": "1",
        "IS_SANDBOX": "1",
    }


def _welcomed(place: AgentSandbox) -> None:
    seen = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
    merge_json(
        place.home / ".claude" / ".claude.json",
        {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": ["scripted"], "rejected": []},
            "projects": {str(place.project): seen},
        },
    )


AGENT = AgentProgram(
    host="claude-code",
    shell_tool="Bash",
    shell_args={"description": "run it"},
    argv=_argv,
    modes={
        "allowed tools": ("--allowedTools", "Bash,Write"),
        "default": (),
        "acceptEdits": ("--permission-mode", "acceptEdits"),
        "bypassPermissions": ("--dangerously-skip-permissions",),
    },
    write_call=lambda path, text: Call("Write", {"file_path": path, "content": text}),
    prepare=_prepare,
    interactive=(),
    before_screen=_welcomed,
    session_in=session_field("session_id"),
)
