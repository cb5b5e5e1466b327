"""Every key a settings file may have: the table behind decoding, 'did you mean', and the reference.

file + dialect  ->  which keys, of which kind, meaning what
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

from .settings import Dialect


class KeyKind(StrEnum):
    """What a value must be, in the words of the messages."""

    TEXT = "a string"
    SECONDS = "a number of seconds"
    COUNT = "a whole number"
    FLAG = "true or false"
    TEXTS = "a list of strings"
    WORDS = "a table of strings"
    TABLE = "a table"
    LIST = "a list"


class SettingKey(Struct, frozen=True, kw_only=True):
    """One key: its name, kind and meaning."""

    name: str
    kind: KeyKind
    meaning: str
    choices: tuple[str, ...] = ()


Keys = Mapping[str, SettingKey]
"""The keys of one table, by name."""


def _keys(*keys: SettingKey) -> Keys:
    return {key.name: key for key in keys}


def _key(name: str, kind: KeyKind, meaning: str, *choices: str) -> SettingKey:
    return SettingKey(name=name, kind=kind, meaning=meaning, choices=choices)


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MATCHER = _key(
    "matcher", KeyKind.TEXT, "Which tools (or sources, reasons …) the hook runs for. Default: all."
)
_DESCRIPTION = _key("description", KeyKind.TEXT, "A comment; not used.")
_COMMON = (
    _key("type", KeyKind.TEXT, 'What runs; "command" for a shell command.'),
    _key("command", KeyKind.TEXT, "The command, run with bash (or sh if bash is not installed)."),
    _key("timeout", KeyKind.SECONDS, "Seconds before the command and its children are stopped."),
    _key("async", KeyKind.FLAG, "Run in the background without waiting for the result."),
)
_CLAUDE_ONLY = (
    _key("args", KeyKind.TEXTS, "Arguments; the command is then run without a shell."),
    _key("if", KeyKind.TEXT, "A filter on the arguments, such as `Bash(git *)`."),
    _key("onFailure", KeyKind.TEXT, "What to do if the hook fails.", "continue", "block"),
    _key("shell", KeyKind.TEXT, "Shell that the host uses.", "bash", "powershell"),
    _key("statusMessage", KeyKind.TEXT, "Shown while the hook runs."),
    _key("once", KeyKind.FLAG, "Run it once in a session."),
    _key("asyncRewake", KeyKind.FLAG, "Run in the background; exit 2 wakes the model."),
)
_WAVE_ONLY = (
    _key(
        "jsonOutput", KeyKind.FLAG, "Read JSON from stdout; it takes precedence over the exit code."
    ),
    _key("pluginRoot", KeyKind.TEXT, "Folder of the plugin that provides the hook."),
    _DESCRIPTION,
)

NATIVE_HOOK: Keys = _keys(
    _key("name", KeyKind.TEXT, "Name of the hook in messages and logs."),
    _MATCHER,
    *_COMMON,
    _key("args", KeyKind.TEXTS, "Arguments; the command is then run without a shell."),
    _key("if", KeyKind.TEXT, "A filter on the arguments, such as `Bash(git *)`."),
    _key(
        "on_failure",
        KeyKind.TEXT,
        "What to do if the hook fails (any exit code but 0 and 2).",
        "continue",
        "block",
    ),
    _key("json_output", KeyKind.FLAG, "Read JSON from stdout. Default: true."),
    _key("parallel", KeyKind.FLAG, "Run at the same time as the other hooks of the event."),
    _key("env", KeyKind.WORDS, "Variables added to the hook's environment."),
    _DESCRIPTION,
)
GROUP: Keys = _keys(
    _MATCHER,
    _key("hooks", KeyKind.LIST, "The hooks to run if the matcher matches, in order."),
    _DESCRIPTION,
)
HANDLER: Mapping[Dialect, Keys] = {
    Dialect.SNAPHOOK: NATIVE_HOOK,
    Dialect.CLAUDE: _keys(*_COMMON, *_CLAUDE_ONLY, _DESCRIPTION),
    Dialect.WAVE: _keys(*_COMMON, *_WAVE_ONLY),
}
NESTED: Mapping[Dialect, Keys] = {
    dialect: {name: key for name, key in keys.items() if name != "matcher"}
    for dialect, keys in HANDLER.items()
}
"""A hook in a group has its matcher one level up."""
PROVIDER: Keys = _keys(
    _key(
        "use",
        KeyKind.TEXT,
        "`module:attribute`, the name of a plugin, or a built-in provider. Default: the table's name.",
    ),
    _key("options", KeyKind.TABLE, "Options passed to the provider as keyword arguments."),
    _key(
        "stance",
        KeyKind.TEXT,
        "What a failure of the provider means: open allows the call, closed denies it.",
        "open",
        "closed",
    ),
    _key("timeout", KeyKind.SECONDS, "Seconds before the provider counts as failed."),
    _key("enabled", KeyKind.FLAG, "Set to false to disable the provider."),
)
NATIVE: Keys = _keys(
    _key("hooks", KeyKind.TABLE, "Commands by event: `[[hooks.PreToolUse]]`."),
    _key("providers", KeyKind.TABLE, "Providers: `[providers.NAME]`."),
    _key(
        "strategy",
        KeyKind.TEXT,
        "How decisions are combined: the strictest wins, or the first.",
        "strictest",
        "first",
    ),
    _key("parallel", KeyKind.FLAG, "Run the hooks of one event at the same time."),
    _key("stop_block_cap", KeyKind.COUNT, "How often in a row hooks may block a Stop."),
    _key("env", KeyKind.WORDS, "Variables added to every hook's environment."),
    _key("disable_all_hooks", KeyKind.FLAG, "Disable all command hooks except managed ones."),
    _key(
        "allow_loosening",
        KeyKind.FLAG,
        "Managed settings only: false forbids other settings files to relax rules.",
    ),
    _key(
        "managed_hooks_only", KeyKind.FLAG, "Managed settings only: run only managed command hooks."
    ),
)
FOREIGN_KINDS: Mapping[str, tuple[str, ...]] = {
    "http": ("url",),
    "prompt": ("prompt",),
    "agent": ("prompt",),
    "mcp_tool": ("server", "tool"),
}
"""Handler types of the claude dialect that its host runs, and what each must have."""

FOREIGN_KEYS = _names("""
    type url headers allowedEnvVars timeout if onFailure statusMessage once prompt model
    continueOnBlock server tool input async description
""")
SECTION_NAMES = _names("""
    agent audit budget builder context daemon essentials gates guard hosts log memory
    notify outbox policies resilience scrub telemetry tenants web workspace
""")
"""Tables of the native file that other packages read."""

TOP: Mapping[Dialect, frozenset[str]] = {
    Dialect.SNAPHOOK: frozenset(NATIVE) | SECTION_NAMES,
    Dialect.CLAUDE: _names("""
        $schema apiKeyHelper permissions env model hooks disableAllHooks allowManagedHooksOnly
        allowedHttpHookUrls httpHookAllowedEnvVars strictPluginOnlyCustomization statusLine
        outputStyle includeCoAuthoredBy cleanupPeriodDays enabledPlugins extraKnownMarketplaces
        enabledMcpjsonServers disabledMcpjsonServers enableAllProjectMcpServers forceLoginMethod
        forceLoginOrgUUID awsAuthRefresh awsCredentialExport sandbox spinnerTipsEnabled
        alwaysThinkingEnabled companyAnnouncements attribution language theme plansDirectory
        respectGitignore fileSuggestion otelHeadersHelper autoUpdatesChannel availableModels
        effortLevel description feedbackSurveyRate
    """),
    Dialect.WAVE: _names("""
        $schema hooks env permissions model disableAllHooks language enabledPlugins marketplaces
        autoMemoryEnabled description fastModel maxInputTokens apiKey baseURL
    """),
}
"""The names at the top of a file; of the hosts' own, those that a typo could be mistaken for."""
