"""Install the agents that the tests drive for real, each into a folder of its own.

npm registry  ->  <cache>/<agent>-<version>/node_modules/…

Idempotent: an agent that is there already costs nothing. The cache is ``$SNAPHOOK_TEST_CACHE``, or
``~/.cache/snaphook-tests``. Agents named on the command line are installed; without names, all.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

SYSTEM = platform.system().lower()
CPU = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}.get(
    platform.machine().lower(), platform.machine().lower()
)
PLATFORM = f"{SYSTEM}-{CPU}"

# OpenCode's newest arm64 build for Linux is older than its x64 build.
OPENCODE_NEWEST = "1.18.33"
OPENCODE = "1.18.18" if PLATFORM == "linux-arm64" else OPENCODE_NEWEST

AGENTS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "claude-code": (
        "2.1.325",
        (f"@anthropic-ai/claude-code-{PLATFORM}@2.1.325",),
        f"node_modules/@anthropic-ai/claude-code-{PLATFORM}/claude",
    ),
    "codex": ("0.166.0", ("@openai/codex@0.166.0",), "node_modules/.bin/codex"),
    "gemini-cli": ("0.61.0", ("@google/gemini-cli@0.61.0",), "node_modules/.bin/gemini"),
    "copilot-cli": (
        "1.0.102",
        (f"@github/copilot-{PLATFORM}@1.0.102",),
        f"node_modules/@github/copilot-{PLATFORM}/copilot",
    ),
    # Qwen Code wants Node 22; the npm package 'node' brings one along.
    "qwen-code": (
        "0.24.4",
        ("@qwen-code/qwen-code@0.24.4", "node@22"),
        "node_modules/.bin/qwen",
    ),
    "opencode": (
        OPENCODE,
        (f"opencode-{PLATFORM}@{OPENCODE}",),
        f"node_modules/opencode-{PLATFORM}/bin/opencode",
    ),
    "cline": (
        "3.0.65",
        (f"@cline/cli-{PLATFORM}@3.0.65",),
        f"node_modules/@cline/cli-{PLATFORM}/bin/cline",
    ),
    "auggie": ("0.36.0", ("@augmentcode/auggie@0.36.0", "node@22"), "auggie"),
    # Kimi Code wants Node 22.19; 'kimi' beside its packages starts it with the one it came with.
    "kimi": ("2.1.0", ("@moonshot-ai/kimi-code@2.1.0", "node@22"), "kimi"),
}
_X64_ONLY: dict[str, tuple[str, tuple[str, ...], str]] = {
    "droid": (
        "0.225.2",
        (f"@factory/cli-{PLATFORM}@0.225.2",),
        f"node_modules/@factory/cli-{PLATFORM}/bin/droid",
    ),
    "grok": (
        "1.0.41",
        (f"@xai-official/grok-{PLATFORM}@1.0.41",),
        f"node_modules/@xai-official/grok-{PLATFORM}/bin/grok",
    ),
    # 7.8.1 is announced and has no build for Linux yet.
    "kilo": (
        "7.7.9",
        (f"@kilocode/cli-{PLATFORM}@7.7.9",),
        f"node_modules/@kilocode/cli-{PLATFORM}/bin/kilo",
    ),
}
"""Agents whose builds for Linux on arm64 are not in the registry."""
VERSIONS = {name: agent[0] for name, agent in (AGENTS | _X64_ONLY).items()} | {
    "opencode": OPENCODE_NEWEST
}
"""The version of each agent that the tests are written against; the same on every machine."""
if PLATFORM == "linux-x64":
    AGENTS |= _X64_ONLY


def cache() -> Path:
    """Return the folder that holds them all."""
    named = os.environ.get("SNAPHOOK_TEST_CACHE")
    return Path(named) if named else Path.home() / ".cache" / "snaphook-tests"


def program(agent: str) -> Path:
    """Return where the program of *agent* is, or would be."""
    version, _packages, inside = AGENTS[agent]
    return cache() / f"{agent}-{version}" / inside


def install(agent: str) -> Path:
    """Return the program of *agent*, installed if it was not."""
    version, packages, inside = AGENTS[agent]
    home = cache() / f"{agent}-{version}"
    ready = home / ".ready"
    if not ready.exists():
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        subprocess.run(
            ["npm", "install", "--no-audit", "--no-fund", "--loglevel=error", *packages],
            cwd=home,
            check=True,
            env={**os.environ, "npm_config_prefix": str(home)},
        )
        _finish(agent, home)
        if not (home / inside).exists():
            raise FileNotFoundError(f"{agent}: npm brought no {inside}")
        ready.touch()
    return home / inside


_MAINS = {
    "kimi": "@moonshot-ai/kimi-code/dist/main.mjs",
    "auggie": "@augmentcode/auggie/augment.mjs",
}
"""Agents that want a newer Node than a system may have: started with the one they came with."""


def _finish(agent: str, home: Path) -> None:
    """Do for *agent* what its package leaves to a script of its own."""
    if agent == "grok":  # the program is shipped compressed
        folder = home / f"node_modules/@xai-official/grok-{PLATFORM}/bin"
        unpack = (
            "const [from, to] = process.argv.slice(1);"
            "const fs = require('fs'), { brotliDecompressSync } = require('zlib');"
            "fs.writeFileSync(to, brotliDecompressSync(fs.readFileSync(from)), { mode: 0o755 })"
        )
        paths = [str(folder / "grok.br"), str(folder / "grok")]
        subprocess.run(["node", "-e", unpack, *paths], check=True)
    if agent in _MAINS:
        modules = home / "node_modules"
        main = modules / _MAINS[agent]
        starter = home / agent
        starter.write_text(f'#!/bin/sh\nexec "{modules}/.bin/node" "{main}" "$@"\n')
        starter.chmod(0o755)


def main(wanted: list[str]) -> int:
    """Install what is *wanted*; tell what could not be, and go on with the rest."""
    failed = []
    for agent in wanted or list(AGENTS):
        try:
            print(f"{agent}: {install(agent)}", flush=True)
        except (OSError, subprocess.CalledProcessError, KeyError) as problem:
            print(f"{agent}: not installed: {problem}", file=sys.stderr, flush=True)
            failed.append(agent)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
