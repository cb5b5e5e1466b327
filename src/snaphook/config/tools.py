"""The tool names that hosts have, so that a matcher for a tool nobody has is noticed.

A program that brings tools of its own is not wrong: an unknown name that resembles none of these
is worth a warning, no more.
"""

from collections.abc import Mapping

from .settings import Dialect


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


CLAUDE = _names("""
    Agent AskUserQuestion Bash BashOutput Config CronCreate CronDelete CronList Edit EnterPlanMode
    EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash KillShell LS LSP ListMcpResourcesTool
    Monitor MultiEdit NotebookEdit NotebookRead PowerShell Read ReadMcpResourceTool SendMessage
    Skill SlashCommand StructuredOutput Task TaskCreate TaskGet TaskList TaskOutput TaskStop
    TaskUpdate TeamCreate TeamDelete TodoRead TodoWrite ToolSearch WebFetch WebSearch Workflow Write
""")
WAVE = _names("""
    Agent AskUserQuestion Bash BashOutput CronCreate CronDelete CronList Delete Edit EnterPlanMode
    EnterWorktree ExitPlanMode ExitWorktree Glob Grep KillBash LS LSP MultiEdit Read Skill Task
    TaskCreate TaskGet TaskList TaskOutput TaskStop TaskUpdate TodoWrite WebFetch WebSearch
    Workflow Write
""")
OTHERS = _names("""
    ApplyPatch Create Execute MCP Shell agent apply_patch ask_user bash create create_file edit
    edit_file exec_command execute_bash execute_pwsh fetch file_search fs_read fs_write glob
    google_web_search grep grep_search list_dir list_directory multiedit patch powershell read
    read_file read_many_files replace replace_string_in_file runSubagent run_in_terminal
    run_shell_command run_terminal_command save_memory search_file_content search_replace shell
    spawn_agent spawn_subagent str_replace task todowrite update_plan view view_image web_fetch
    web_search webfetch websearch write write_file write_stdin write_todos
""")
"""Codex, Gemini, Qwen, Cursor, Copilot, VS Code, OpenCode, Grok, Droid, Kiro."""

KNOWN: Mapping[Dialect, frozenset[str]] = {
    Dialect.SNAPHOOK: CLAUDE | WAVE | OTHERS,
    Dialect.CLAUDE: CLAUDE,
    Dialect.WAVE: CLAUDE | WAVE,
}
MCP_SAMPLES = ("mcp__server__tool", "mcp__github__create_issue", "mcp__plugin_a_b__tool")

VALUES: Mapping[str, tuple[str, ...]] = {
    "SessionStart": ("startup", "resume", "clear", "compact", "fork"),
    "SessionEnd": (
        "clear",
        "resume",
        "logout",
        "prompt_input_exit",
        "bypass_permissions_disabled",
        "other",
        "exit",
        "stop",
        "compact",
    ),
    "PreCompact": ("manual", "auto"),
    "PostCompact": ("manual", "auto"),
    "Setup": ("init", "maintenance"),
    "ConfigChange": (
        "user_settings",
        "project_settings",
        "local_settings",
        "policy_settings",
        "skills",
    ),
    "ErrorOccurred": ("model", "tool", "network", "permission", "context_overflow", "unknown"),
}
"""What the matchers of events with a closed set are held against."""

OPEN_VALUES: Mapping[str, tuple[str, ...]] = {
    "Notification": (
        "permission_prompt",
        "idle_prompt",
        "auth_success",
        "elicitation_dialog",
        "elicitation_complete",
        "elicitation_response",
        "agent_needs_input",
        "agent_completed",
    ),
    "SubagentStart": (),
    "SubagentStop": (),
}
"""Where new values may come: only what resembles one of these, or is a tool, is a mistake."""
