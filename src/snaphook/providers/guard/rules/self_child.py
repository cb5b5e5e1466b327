"""An agent does not start another one that nobody watches."""

from __future__ import annotations

import re

from msgspec.structs import replace

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.leash import HOMES
from snaphook.providers.guard.rules.harm import only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Arg, Call, Span

AGENTS = (
    "claude", "codex", "gemini", "cursor-agent", "copilot", "qwen", "opencode", "kilo", "aider", "goose",
    "amp", "droid", "auggie", "q", "kiro-cli", "kiro-cli-chat", "wave", "crush", "cline", "grok",
    "kimi", "agy", "windsurf", "openhands", "devin", "pi",
)  # fmt: skip
PACKAGES = {
    "claude-code": "claude", "codex": "codex", "gemini-cli": "gemini", "qwen-code": "qwen",
    "copilot": "copilot", "opencode-ai": "opencode", "crush": "crush", "cline": "cline",
    "kimi-cli": "kimi", "aider-chat": "aider",
}  # fmt: skip
"""Names under which package runners fetch the same programs."""
_SKIPS_TEXT = """
    --dangerously-skip-permissions --dangerously-bypass-approvals-and-sandbox --yolo
    --allow-dangerously-skip-permissions
    --full-auto --allow-all-tools --dangerously-bypass-hook-trust --no-sandbox
    --trust-all-tools --skip-permissions --allow-all-paths -yolo
    --dangerously-disable-sandbox --allow-all --dangerously-allow-all
    --safe-mode --pure --no-extensions --force-allow --skip-trust --bare --no-hooks --disable-hooks
    --no-plugins --ignore-user-config --no-user-config --skip-permissions-unsafe --trust-all
    --yes-always --no-settings --ephemeral-config --no-rc --no-profile
"""
_SKIPS = frozenset(_SKIPS_TEXT.split())
_SHORT = frozenset(
    {("gemini", "-y"), ("cursor-agent", "-f"), ("cursor-agent", "--force"), ("qwen", "-y")}
)
_OPEN = frozenset({"bypasspermissions", "yolo", "never", "danger-full-access", "full-auto", "auto"})
_CHANGING = frozenset({"set", "add", "remove", "uninstall", "disable", "install", "rm", "delete"})
_UNHOOKS = re.compile(
    r"disableAllHooks|\"?hooks\"?\s*[:=]|features\.(?:codex_)?hooks|allowManagedHooksOnly"
    r"|bypassPermissions|hooksConfig|enableHooks|tools\.disableHooks",
    re.IGNORECASE,
)
_ELSEWHERE = (
    "--config-dir",
    "--data-dir",
    "--home",
    "--profile-dir",
    "--settings-path",
    "--config",
)
_ONLY_SHOWS = frozenset({"--version", "-v", "-V", "--help", "-h"})


def starts_unwatched(call: Call, _scene: RuleContext) -> Span | None:
    """Point at what starts an agent without its hooks, or has one change its own settings.

    Blocks: claude --dangerously-skip-permissions -p "go on"
    Blocks: codex exec --yolo "go on"
    Blocks: claude -p x --settings '{"disableAllHooks":true}'
    Blocks: claude --bare -p "go on"
    Blocks: claude --setting-sources project -p "go on"
    Blocks: CLAUDE_CONFIG_DIR=/tmp/x claude -p "go on"
    Blocks: CODEX_HOME=/tmp/x codex exec "go on"
    Blocks: codex -c features.hooks=false exec "go on"
    Blocks: env HOME=/tmp/x gemini -p "go on"
    Blocks: npx @anthropic-ai/claude-code --dangerously-skip-permissions -p "go on"
    Blocks: gemini mcp add x y
    Allows: claude --version
    Allows: claude -p "explain this"
    Allows: codex exec "run the tests"
    Allows: claude mcp list
    Allows: XDG_CONFIG_HOME=/tmp/x nvim --headless +qa
    """
    if only_asks(call) or any(arg.text in _ONLY_SHOWS for arg in call.args[:1]):
        return None
    name = agent(call)
    if name is None:
        return None
    if any(variable in call.env for variable in HOMES):
        return call.span
    changing = call.subcommand in ("config", "mcp", "plugin", "plugins", "extensions", "hooks")
    if changing and any(arg.text in _CHANGING for arg in call.operands[1:4]):
        return call.span
    return _loosened(call, name)


def agent(call: Call) -> str | None:
    """Return the agent that *call* starts, also when a package runner fetches it."""
    if call.program in AGENTS:
        return call.program
    package = call.program.rpartition("/")[2].partition("@")[0]
    named = call.name.text.startswith("@") or "/" in call.name.text
    return PACKAGES.get(package) if named or package in PACKAGES else None


def _loosened(call: Call, name: str) -> Span | None:
    for arg in call.args:
        option, attached, value = arg.text.partition("=")
        if option in _SKIPS or (name, arg.text) in _SHORT:
            return arg.span
        if attached and value and option[:2] != "--" and _UNHOOKS.search(arg.text):
            return arg.span
    for arg in _values(call, "-c", "--config", "--settings", "--disable", "--enable"):
        if _UNHOOKS.search(arg.text) or arg.text in ("hooks", "codex_hooks"):
            return arg.span
    if name in ("claude", "qwen", "gemini"):
        for arg in _values(call, "--settings"):
            if not arg.text.lstrip().startswith("{"):  # a file of settings that nobody has read
                return arg.span
    for arg in _values(call, "--setting-sources"):
        if "user" not in arg.text.split(","):
            return arg.span
    for arg in _values(call, *_ELSEWHERE):
        if arg.text[:1] in ("/", "~", ".") and name != "aider":
            return arg.span
    modes = _values(
        call, "--permission-mode", "--approval-mode", "--ask-for-approval", "--sandbox", "-a", "-s"
    )
    return next(
        (arg.span for arg in modes if arg.text.lower() in _OPEN - _MILD.get(name, set())), None
    )


_MILD: dict[str, set[str]] = {
    "claude": {"auto"},
    "droid": {"auto"},
    "gemini": {"auto"},
    "codex": {"auto"},
}
"""Modes that still ask, by agent."""


def _values(call: Call, *names: str) -> list[Arg]:
    """Return the words after each of *names*, attached or not."""
    found: list[Arg] = []
    for at, arg in enumerate(call.args):
        option, attached, value = arg.value.partition("=")
        if option in names and attached:
            found.append(replace(arg, value=value))
        elif option in names and at + 1 < len(call.args):
            found.append(call.args[at + 1])
    return found


RULE = Rule(
    id="self.child",
    answer=GuardAnswer.DENY,
    says="starts an agent without hooks, or changes an agent's restrictions",
    why="agents must not disable their own guard",
    instead="Start it with its usual settings, or let the user start it.",
    programs=(*AGENTS, *(f"{name}" for name in PACKAGES if name not in AGENTS)),
    objects_to=starts_unwatched,
)
