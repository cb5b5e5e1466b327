"""Write the plugins that agents install for themselves, from the same tables that ``init`` uses.

Placement + plugins/snaphook-hook  ->  plugins/<host>/…, the marketplace manifests

A plugin holds our hooks and a launcher; the program itself is installed with pip, pipx or uv.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import snaphook
from snaphook.hosts import host_named
from snaphook.hosts.install.entries import wired_text

ROOT = Path(__file__).parent.parent
HOME = "https://github.com/snaphook/snaphook"
ABOUT = (
    "Blocks destructive commands, leaks and forced pushes before the agent runs them, and says why."
)
LAUNCHER = "snaphook-hook"

# What a host replaces with the folder it keeps the plugin in.
FOLDERS = {
    "claude-code": "${CLAUDE_PLUGIN_ROOT}",
    "codex": "${PLUGIN_ROOT}",
    "copilot-cli": "${PLUGIN_ROOT}",
    "gemini-cli": "${extensionPath}",
}

MANIFESTS = {
    "claude-code": ".claude-plugin/plugin.json",
    "codex": ".codex-plugin/plugin.json",
    "copilot-cli": "plugin.json",
    "gemini-cli": "gemini-extension.json",
}


def plugin_files() -> Iterator[tuple[Path, str]]:
    """Yield each file of each plugin and what it should hold."""
    launcher = (ROOT / "plugins" / LAUNCHER).read_text(encoding="utf-8")
    for host, folder in FOLDERS.items():
        below = ROOT / "plugins" / host
        yield below / MANIFESTS[host], _json(_manifest(host))
        yield below / "hooks" / "hooks.json", _hooks(host, folder)
        yield below / "bin" / LAUNCHER, launcher
    yield ROOT / "plugins" / "opencode" / "package.json", _json(_package())
    plugin = ROOT / "src" / "snaphook" / "hosts" / "opencode.js"
    yield ROOT / "plugins" / "opencode" / "index.js", plugin.read_text(encoding="utf-8")
    yield ROOT / ".claude-plugin" / "marketplace.json", _json(_marketplace("claude-code"))
    yield ROOT / ".agents" / "plugins" / "marketplace.json", _json(_codex_marketplace())
    yield ROOT / ".github" / "plugin" / "marketplace.json", _json(_marketplace("copilot-cli"))


def _hooks(host: str, folder: str) -> str:
    placement = host_named(host).PLACEMENT
    assert placement is not None
    return wired_text(None, placement, (f'"{folder}/bin/{LAUNCHER}"',), host)


def _manifest(host: str) -> dict[str, Any]:
    common: dict[str, Any] = {
        "name": "snaphook",
        "version": snaphook.__version__,
        "description": ABOUT,
    }
    if host == "gemini-cli":
        return common
    common |= {"author": {"name": "The Snaphook authors"}, "homepage": HOME, "license": "MIT"}
    return common if host == "claude-code" else common | {"hooks": "./hooks/hooks.json"}


def _package() -> dict[str, Any]:
    return {
        "name": "opencode-snaphook",
        "version": snaphook.__version__,
        "description": ABOUT,
        "type": "module",
        "main": "index.js",
        "files": ["index.js"],
        "license": "MIT",
        "homepage": HOME,
        "keywords": ["opencode", "plugin", "hooks", "guard"],
    }


def _marketplace(host: str) -> dict[str, Any]:
    plugin = {"name": "snaphook", "source": f"./plugins/{host}", "description": ABOUT}
    return {"name": "snaphook", "owner": {"name": "The Snaphook authors"}, "plugins": [plugin]}


def _codex_marketplace() -> dict[str, Any]:
    plugin = {
        "name": "snaphook",
        "source": {"source": "local", "path": "./plugins/codex"},
        "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"},
        "category": "Security",
    }
    return {"name": "snaphook", "interface": {"displayName": "Snaphook"}, "plugins": [plugin]}


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
