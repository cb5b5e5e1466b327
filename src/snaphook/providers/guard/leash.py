"""The files that decide what an agent is held to: hosts' settings, hooks, and the guard's own.

path  ->  whether an agent may not change it

One line for each host that we wire; a test holds the list against the hosts' own placements.
"""

from __future__ import annotations

import re

from snaphook.lazy import regex
from snaphook.shell.text import BRACKET, QUERY, STAR, UNKNOWN, may_match, plain
from snaphook.shell.world import World

_HOSTS = (
    r"\.claude/(?:settings(?:\.local)?\.json|hooks(?:/|$)|agents(?:/|$)|plugins(?:/|$))|\.claude\.json|\.claude/?$",
    r"managed-settings(?:\.d(?:/|$)|\.json)|\.mcp\.json",
    r"\.codex/(?:config\.toml|hooks(?:\.json|/|$)|rules(?:/|$)|auth\.json)|\.codex/?$",
    r"\.gemini/(?:settings\.json|trustedFolders\.json|hooks(?:/|$)|policies(?:/|$)|config(?:/|$)|extensions(?:/|$))|\.gemini/?$",
    r"\.cursor/(?:hooks\.json|hooks(?:/|$)|rules(?:/|$)|mcp\.json|cli(?:-config)?\.json)|\.cursor/?$",
    r"\.copilot/(?:config\.json|hooks(?:/|$)|settings\.json)|\.copilot/?$|\.github/hooks(?:/|$)",
    r"\.opencode/(?:plugins?(?:/|$)|opencode\.jsonc?)|\.opencode/?$|opencode\.jsonc?$",
    r"\.kilo(?:code)?/(?:plugins?(?:/|$)|kilo\.jsonc?|config\.json)|\.kilo(?:code)?/?$|kilo\.jsonc?$",
    r"\.qwen/(?:settings\.json|hooks(?:/|$))|\.qwen/?$",
    r"\.grok/(?:hooks(?:/|$)|[\w-]*settings\.json|config\.(?:toml|json))|\.grok/?$",
    r"\.wave/(?:settings(?:\.local)?\.json|hooks)|\.wave/?$|\.sauna/hooks\.json",
    r"\.factory/(?:settings\.json|hooks(?:\.json|/|$))|\.factory/?$",
    r"\.(?:codeium/)?windsurf/hooks\.json|\.codeium/windsurf/?$",
    r"\.clinerules(?:/hooks(?:/|$)|/?$)|Documents/Cline/(?:Hooks|Rules)(?:/|$)|\.cline/(?:hooks(?:/|$)|.*settings\.json)",
    r"\.kiro/(?:hooks(?:/|$)|settings(?:/|$)|agents(?:/|$))|\.kiro/?$|\.aws/amazonq/cli-agents(?:/|$)",
    r"\.agents/(?:plugins(?:/|$)|hooks\.json)",
    r"\.kimi(?:-code)?/(?:config\.toml|config\.json|hooks(?:/|$))|\.kimi(?:-code)?/?$",
    r"\.config/(?:crush|opencode|kilo|claude|codex|goose|amp|devin)(?:/|$)|\.?crush\.json$",
    r"\.augment/(?:settings\.json|hooks(?:/|$))|\.augment/?$",
    r"\.aider\.conf\.yml$",
)
_OURS = (
    r"snaphook\.toml|snaphook\.local\.toml|\.snaphook(?:/|$)",
    r"(?:\.config|\.local/(?:share|state)|\.cache|etc|run/user/\d+|Application Support)/snaphook(?:/|$)",
    r"tmp/snaphook-\d+(?:/|$)|snaphook/[0-9a-f]{8}\.sock",
    r"bin/snaphook(?:-[\w-]+)?$|(?:site|dist)-packages/snaphook[^/]*(?:/|$)|(?:uv/tools|pipx/venvs)/snaphook(?:/|$)",
    r"(?:systemd/user|LaunchAgents)/[^/]*snaphook[^/]*$",
)
_OTHERS = (
    r"\.(?:nah|rampart|tirith|dcg|safety-net|cc-safety-net|cupcake)(?:/|$)|\.config/(?:nah|dcg|tirith|rampart)(?:/|$)",
)
_PROTECTED = regex(rf"(?:^|/)(?:{'|'.join((*_HOSTS, *_OURS, *_OTHERS))})", re.IGNORECASE)
_HINTS = (
    "claude", "augment", "codex", "gemini", "cursor", "copilot", "opencode", "kilo", "qwen", "grok",
    "wave", "sauna", "factory", "windsurf", "cline", "kiro", "agents", "kimi", "crush", "goose",
    "devin", "snaphook", "nah", "rampart", "tirith", "dcg", "safety-net", "cupcake", "aider",
    "mcp.json", "settings", "hooks", "amazonq", "/amp",
)  # fmt: skip
"""Words of which every protected path holds one: most paths hold none, and are told in one look."""


def is_hinted(text: str) -> bool:
    """Say whether *text* may name a protected path; a search for each word beats one expression for all."""
    text = text.lower()
    for word in _HINTS:  # noqa: SIM110 - asked of every call, and this is half the price
        if word in text:
            return True
    return False


_NAMES = (
    "snaphook.toml", ".snaphook", ".claude", ".claude/settings.json", ".claude/settings.local.json",
    ".claude/hooks", ".codex", ".codex/config.toml", ".codex/hooks.json", ".gemini",
    ".gemini/settings.json", ".cursor/hooks.json", ".qwen/settings.json", ".grok/hooks/snaphook.json",
    ".factory/hooks.json", ".augment/settings.json", ".kiro/hooks/snaphook.json", ".kimi-code/config.toml",
    ".config/crush/crush.json", ".config/opencode/plugin/snaphook.js", ".config/kilo/plugin/snaphook.js",
    ".copilot/hooks/snaphook.json", ".cline/hooks", ".cline/hooks/PreToolUse.sh",
    ".agents/hooks.json", ".codeium/windsurf/hooks.json", ".wave/settings.json", ".nah", ".rampart",
)  # fmt: skip
_GLOBBED_NAME = regex(rf"/[\w.][^/{UNKNOWN}]*[{STAR}{QUERY}{BRACKET}]")
HOMES = (
    "CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "XDG_CONFIG_HOME", "GEMINI_CLI_HOME",
    "QWEN_HOME", "GEMINI_CLI_SYSTEM_SETTINGS_PATH", "OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR",
    "OPENCODE_CONFIG_CONTENT", "GOOSE_PATH_ROOT", "CURSOR_CONFIG_DIR", "CRUSH_GLOBAL_CONFIG",
    "KIMI_CODE_HOME", "KIRO_HOME", "FACTORY_HOME", "FACTORY_HOME_OVERRIDE", "GROK_HOME", "GROK_CONFIG_PATH",
    "CLINE_DIR", "KILO_CONFIG", "KILO_CONFIG_DIR", "KILO_CONFIG_CONTENT", "HOME", "USERPROFILE",
)  # fmt: skip
"""Variables that lead an agent to other settings."""


def is_protected(path: str, world: World, cwd: str = "") -> bool:
    """Say whether no agent may change *path*: by its name, where it really leads, or by a glob."""
    if not is_hinted(path) and not is_hinted(cwd):
        return _is_linked(path, world)
    if _PROTECTED.search(plain(path)):
        return True
    if _GLOBBED_NAME.search(path):
        roots = (world.home, world.project, cwd or world.cwd)
        return may_match(path, [f"{root}/{name}" for root in roots for name in _NAMES])
    return _is_linked(path, world)


def _is_linked(path: str, world: World) -> bool:
    """Say whether a link with a harmless name leads to a protected file."""
    if UNKNOWN in path or not path.isascii():
        return False
    real = world.real(path)
    return real != path and is_hinted(real) and _PROTECTED.search(real) is not None


def may_find(path: str, world: World) -> bool:
    """Say whether a search for the last part of *path*, below the rest, may find a protected file."""
    folder, _, name = path.rpartition("/")
    if UNKNOWN in folder or name in (STAR, UNKNOWN):
        return False
    roots = (world.home, world.project)
    return any(
        f"{root}/{one}".startswith(f"{folder}/") and may_match(name, [one.rpartition("/")[2]])
        for root in roots
        for one in _NAMES
    )
