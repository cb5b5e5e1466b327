"""An agent does not loosen its own leash."""

from __future__ import annotations

import re

from msgspec.structs import replace

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Arg, Call, Effect, Span
from snaphook.shell.text import BRACKET, QUERY, STAR, UNKNOWN, may_match, plain

_OURS = re.compile(
    r"(?:^|/)(?:"
    r"\.(?:nah|rampart|tirith|dcg|safety-net|cc-safety-net|cupcake)(?:/|$)|\.config/(?:nah|dcg|tirith|rampart)(?:/|$)|"
    r"snaphook\.toml|\.snaphook(?:/|$)"
    r"|(?:\.config|\.local/(?:share|state)|\.cache|etc|run/user/\d+|Application Support)/snaphook(?:/|$)"
    r"|tmp/snaphook-\d+(?:/|$)|snaphook/[0-9a-f]{8}\.sock"
    r"|\.claude/(?:settings(?:\.local)?\.json|hooks(?:/|$)|agents(?:/|$)|plugins(?:/|$))|\.claude\.json|managed-settings\.json|\.claude/?$"
    r"|\.codex/(?:config\.toml|hooks(?:\.json|/|$)|rules(?:/|$)|auth\.json)|\.codex/?$"
    r"|\.gemini/(?:settings\.json|trustedFolders\.json|hooks(?:/|$)|policies(?:/|$))|\.gemini/?$"
    r"|\.cursor/(?:hooks\.json|hooks(?:/|$)|rules(?:/|$)|mcp\.json|cli\.json)"
    r"|\.copilot/(?:config\.json|hooks(?:/|$)|settings\.json)|\.github/hooks(?:/|$)|\.wave/(?:settings(?:\.local)?\.json|hooks)"
    r"|\.sauna/hooks\.json|\.opencode/(?:plugins?|opencode\.json)|\.qwen/settings\.json|\.factory/(?:settings|hooks)"
    r"|\.config/(?:opencode|claude|codex|goose|amp|devin)(?:/|$)|\.mcp\.json"
    r")",
    re.IGNORECASE,
)
_NAMES = (
    "snaphook.toml",
    ".snaphook",
    ".claude",
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude/hooks",
    ".codex",
    ".codex/config.toml",
    ".gemini",
    ".gemini/settings.json",
    ".cursor/hooks.json",
    ".nah",
    ".rampart",
)
_SKIPS_TEXT = """
    --dangerously-skip-permissions --dangerously-bypass-approvals-and-sandbox --yolo
    --full-auto --allow-all-tools --dangerously-bypass-hook-trust --no-sandbox
    --trust-all-tools --skip-permissions --allow-all-paths -yolo
    --dangerously-disable-sandbox --allow-all --dangerously-allow-all
    --safe-mode --pure --no-extensions --force-allow --skip-trust
"""
_SKIPS = frozenset(_SKIPS_TEXT.split())
_AGENTS = (
    "claude",
    "codex",
    "gemini",
    "cursor-agent",
    "copilot",
    "qwen",
    "opencode",
    "aider",
    "goose",
    "amp",
    "droid",
    "auggie",
    "q",
    "kiro-cli",
    "wave",
    "crush",
    "cline",
    "grok",
)
_VERBS_TEXT = """
    off disable stop uninstall trust allow remove pause reset nap unwire
"""
_VERBS = frozenset(_VERBS_TEXT.split())

_OTHER_GUARDS = ("nah", "rampart", "tirith", "dcg", "cc-safety-net", "cupcake")
_CHANGING = frozenset({"set", "add", "remove", "uninstall", "disable", "install", "rm", "delete"})
_REMOVERS = ("cargo", "npm", "pip", "pip3", "uv", "pipx", "brew", "conda")
_REMOVING = frozenset({"uninstall", "remove"})


def _names_guard(arg: Arg) -> bool:
    """Say whether a word names this guard or another."""
    words = re.split(r"[^\w]+", arg.text)
    return any(word in ("snaphook", *_OTHER_GUARDS) for word in words)


_GLOBBED_NAME = re.compile(rf"/[\w.][^/{UNKNOWN}]*[{STAR}{QUERY}{BRACKET}]")
_SHORT = frozenset(
    {("gemini", "-y"), ("cursor-agent", "-f"), ("cursor-agent", "--force"), ("qwen", "-y")}
)


def _value(call: Call, *names: str) -> Arg | None:
    """Return the word after one of *names*, attached or not."""
    for at, arg in enumerate(call.args):
        name, attached, value = arg.value.partition("=")
        if name in names:
            if attached:
                return replace(arg, value=value)
            return call.args[at + 1] if at + 1 < len(call.args) else None
    return None


def changes_hooks(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a settings file, a hook or a trust record of the agent or the guard.

    Blocks: rm -rf ~/.claude/hooks
    Blocks: echo '{}' > .claude/settings.json
    Blocks: sed -i 's/deny/allow/' snaphook.toml
    Blocks: mv ~/.codex/config.toml /tmp
    Blocks: echo '{}' > ~/.claude/settin*
    Allows: cat .claude/settings.json
    Allows: echo x > settings.json
    """
    path = effect.path
    if _OURS.search(plain(path)):
        return effect.span
    if not _GLOBBED_NAME.search(path):
        return None
    world = scene.world
    roots = (world.home, world.project, effect.call.cwd)
    return (
        effect.span
        if may_match(path, [f"{root}/{name}" for root in roots for name in _NAMES])
        else None
    )


def loosens(call: Call, scene: RuleContext) -> Span | None:
    """Point at a word that switches the guard off or starts an agent without one.

    Blocks: snaphook trust
    Blocks: snaphook daemon stop
    Blocks: snaphook init --remove
    Blocks: claude --dangerously-skip-permissions -p "go on"
    Blocks: codex exec --yolo "go on"
    Blocks: pkill -f snaphook
    Blocks: kill $(pgrep snaphook)
    Blocks: pip uninstall -y snaphook
    Blocks: export SNAPHOOK_OFF=1
    Allows: snaphook explain "rm -rf /"
    Allows: snaphook guard rules
    Allows: claude --version
    """
    if call.program == "snaphook":
        if only_asks(call) or call.subcommand in ("explain", "hook", "events", "check", "doctor"):
            return None
        words = (*call.operands[:3], *call.args)
        loosening = [arg for arg in words if arg.text.lstrip("-") in _VERBS]
        return loosening[0].span if loosening else None
    if call.program in _OTHER_GUARDS:
        loosening = [
            arg for arg in call.operands[:4] if arg.text in _VERBS or arg.text in _CHANGING
        ]
        return loosening[0].span if loosening and not only_asks(call) else None
    if call.program in ("pgrep", "pidof"):
        ends = any(one.program in ("kill", "xargs") for one in scene.calls)
        return call.span if ends and any(_names_guard(arg) for arg in call.args) else None
    if call.program == "export":
        named = [arg for arg in call.args if arg.text.startswith("SNAPHOOK_")]
        return named[0].span if named else None
    if call.program in _AGENTS:
        changing = call.subcommand in ("config", "mcp", "plugin", "plugins", "extensions", "hooks")
        if changing and any(arg.text in _CHANGING for arg in call.operands[1:4]):
            return call.span
        found = [arg for arg in call.args if arg.text.partition("=")[0] in _SKIPS]
        mode = _value(
            call, "--permission-mode", "--approval-mode", "--ask-for-approval", "--sandbox"
        )
        if mode and mode.text.lower() in (
            "bypasspermissions",
            "yolo",
            "never",
            "danger-full-access",
            "full-auto",
        ):
            return mode.span
        short = [arg for arg in call.args if (call.program, arg.text) in _SHORT]
        return (found or short)[0].span if found or short else None
    named = [arg for arg in call.args if _names_guard(arg)]
    if call.program in _REMOVERS and not any(arg.text in _REMOVING for arg in call.operands):
        return None
    return named[0].span if named else None


RULES = (
    Rule(
        id="self.settings",
        answer=GuardAnswer.DENY,
        says="changes the agent's own hooks, settings or trust",
        why="an agent does not decide what it is held to",
        instead="Say what should change; a person edits the file.",
        acts=(
            Act.OVERWRITE,
            Act.APPEND,
            Act.WRITE,
            Act.LINK,
            Act.DELETE,
            Act.MOVE,
            Act.PERMIT,
            Act.OWN,
        ),
        objects_to=changes_hooks,
    ),
    Rule(
        id="self.off",
        answer=GuardAnswer.DENY,
        says="switches the guard off, or starts an agent without one",
        why="an agent does not decide whether it is watched",
        instead="A person can do this in their own terminal.",
        programs=(
            "snaphook",
            *_AGENTS,
            "pkill",
            "killall",
            "pgrep",
            "pidof",
            "export",
            *_REMOVERS,
            *_OTHER_GUARDS,
        ),
        objects_to=loosens,
    ),
)
