"""The real agents, started without a person or an account, against a scripted model.

AgentProgram + ModelServer + prompt  ->  AgentRun

Each runs in a home of its own, on loopback, with telemetry and updates off, so that a run touches
nothing of whoever starts it. Used by our tests and by ``snaphook doctor --live``.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from .script import Call
from .server import ModelServer

MODEL = "scripted-model"
_KEEP = ("PATH", "LANG", "LC_ALL", "TMPDIR", "TERM", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS")


_ALONE = {"SNAPHOOK_DIRECT": "1", "SNAPHOOK_NO_DAEMON": "1"}
"""A daemon that already runs here would answer for other settings, perhaps of another version."""


class AgentSandbox(Struct, frozen=True, kw_only=True):
    """Where a run happens: a home and a project, both made for it."""

    home: Path
    project: Path
    server: ModelServer


class AgentRun(Struct, frozen=True, kw_only=True):
    """What came of a run."""

    exit_code: int | None
    """``None`` if it had to be ended."""
    stdout: str
    stderr: str
    session: str | None = None


class AgentProgram(Struct, frozen=True, kw_only=True):
    """One agent: what its program is called with, and what it needs around it."""

    host: str
    shell_tool: str
    """What its shell tool is called in the requests to the model."""
    argv: Callable[[str, str | None], Sequence[str]]
    """Prompt and session to resume, to the words after the program."""
    prepare: Callable[[AgentSandbox], Mapping[str, str]]
    """Writes what the agent must find at home; returns its environment."""
    shell_args: Mapping[str, Any] = {}
    """What the shell tool wants beside the command."""
    session_in: Callable[[str, AgentSandbox], str | None]

    def runs(self, command: str) -> Call:
        """Return the tool call with which a model would have *command* run."""
        key = "cmd" if self.shell_tool == "exec_command" else "command"
        return Call(self.shell_tool, {key: command, **self.shell_args})

    def run(
        self,
        program: Path | str,
        place: AgentSandbox,
        prompt: str,
        *,
        resume: str | None = None,
        env: Mapping[str, str] | None = None,
        timeout: float = 90,
    ) -> AgentRun:
        """Run the agent once on *prompt*; whatever it started is ended with it."""
        place.home.mkdir(parents=True, exist_ok=True)
        around = {key: os.environ[key] for key in _KEEP if key in os.environ}
        around |= {"HOME": str(place.home), "PWD": str(place.project)}
        around |= {"XDG_CONFIG_HOME": str(place.home / ".config")}
        around |= {"XDG_DATA_HOME": str(place.home / ".local/share")}
        around |= _ALONE if env is None or "SNAPHOOK_SOCKET" not in env else {}
        around |= {**self.prepare(place), **(env or {})}
        process = subprocess.Popen(
            [str(program), *self.argv(prompt, resume)],
            cwd=place.project,
            env=around,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            out, err = process.communicate(timeout=timeout)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            _end_group(process.pid)
            (out, err), code = process.communicate(), None
        finally:
            _end_group(process.pid)
        stdout = out.decode(errors="replace")
        return AgentRun(
            exit_code=code,
            stdout=stdout,
            stderr=err.decode(errors="replace"),
            session=self.session_in(stdout, place),
        )


def _end_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def _claude_argv(prompt: str, resume: str | None) -> Sequence[str]:
    flags = ["-p", "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash"]
    return [*flags, *(["--resume", resume] if resume else []), "--", prompt]


def _claude(place: AgentSandbox) -> Mapping[str, str]:
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


def _codex_argv(prompt: str, resume: str | None) -> Sequence[str]:
    flags = ["--json", "--skip-git-repo-check", "-s", "danger-full-access"]
    if resume:
        return ["exec", *flags, "resume", resume, "--", prompt]
    return ["exec", *flags, "--", prompt]


def _codex(place: AgentSandbox) -> Mapping[str, str]:
    home = place.home / ".codex"
    home.mkdir(parents=True, exist_ok=True)
    config = home / "config.toml"
    ours = (
        f'model = "{MODEL}"\nmodel_provider = "scripted"\napproval_policy = "never"\n'
        '[model_providers.scripted]\nname = "scripted"\nwire_api = "responses"\n'
        f'base_url = "{place.server.url}/v1"\nenv_key = "SCRIPTED_KEY"\n'
        f'[projects."{place.project}"]\ntrust_level = "trusted"\n'
    )
    rest = config.read_text() if config.exists() else ""
    kept = re.search(r"^\[(hooks\.state|marketplaces|plugins)", rest, re.MULTILINE)
    config.write_text(ours + (rest[kept.start() :] if kept else ""))
    return {"CODEX_HOME": str(home), "SCRIPTED_KEY": "scripted"}


def _gemini_argv(prompt: str, resume: str | None) -> Sequence[str]:
    flags = ["--approval-mode", "yolo", "-m", "gemini-2.5-flash", "--output-format", "stream-json"]
    return [*flags, *(["--resume", resume] if resume else []), "-p", prompt]


def _gemini(place: AgentSandbox) -> Mapping[str, str]:
    settings = place.home / ".gemini" / "settings.json"
    _merge(settings, {"security": {"auth": {"selectedType": "gemini-api-key"}}})
    return {
        "GEMINI_API_KEY": "scripted",
        "GOOGLE_GEMINI_BASE_URL": place.server.url,
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
        "GEMINI_TELEMETRY_ENABLED": "false",
        "GEMINI_CLI_NO_RELAUNCH": "true",
    }


def _qwen_argv(prompt: str, resume: str | None) -> Sequence[str]:
    flags = ["-y", "--output-format", "stream-json"]
    return [*flags, *(["--resume", resume] if resume else []), "-p", prompt]


def _qwen(place: AgentSandbox) -> Mapping[str, str]:
    settings = place.home / ".qwen" / "settings.json"
    _merge(
        settings,
        {
            "security": {"auth": {"selectedType": "openai"}},
            "general": {"disableAutoUpdate": True},
            "telemetry": {"enabled": False},
        },
    )
    return {
        "OPENAI_BASE_URL": f"{place.server.url}/v1",
        "OPENAI_API_KEY": "scripted",
        "OPENAI_MODEL": MODEL,
        "QWEN_TELEMETRY_ENABLED": "false",
    }


def _copilot_argv(prompt: str, resume: str | None) -> Sequence[str]:
    flags = ["--allow-all-tools", "--output-format", "json"]
    how = [f"--resume={resume}"] if resume else ["--trust-folder"]
    return [*flags, *how, "-p", prompt]


def _copilot(place: AgentSandbox) -> Mapping[str, str]:
    return {
        "COPILOT_HOME": str(place.home / ".copilot"),
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": f"{place.server.url}/v1",
        "COPILOT_MODEL": MODEL,
        "COPILOT_AUTO_UPDATE": "false",
    }


def _opencode_argv(prompt: str, resume: str | None) -> Sequence[str]:
    return ["run", "--format", "json", *(["--session", resume] if resume else []), prompt]


def _opencode(place: AgentSandbox) -> Mapping[str, str]:
    folder = place.home / ".config" / "opencode"
    provider = {
        "npm": "@ai-sdk/openai-compatible",
        "options": {"baseURL": f"{place.server.url}/v1", "apiKey": "scripted"},
        "models": {MODEL: {"name": MODEL}},
    }
    chosen = {"model": f"scripted/{MODEL}", "small_model": f"scripted/{MODEL}"}
    _merge(
        folder / "opencode.json",
        {
            "provider": {"scripted": provider},
            **chosen,
            "autoupdate": False,
            "share": "disabled",
            "permission": {"bash": "allow", "edit": "allow"},
        },
    )
    return {
        "OPENCODE_DISABLE_MODELS_FETCH": "1",
        "OPENCODE_DISABLE_AUTOUPDATE": "1",
        "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
        # It would fetch a package for its plugin folder; nothing is to leave this machine.
        "npm_config_fetch_retries": "0",
        "npm_config_registry": "http://127.0.0.1:9/",
        "BUN_CONFIG_REGISTRY": "http://127.0.0.1:9/",
    }


def _merge(file: Path, more: dict[str, Any]) -> None:
    """Add *more* to the JSON in *file*; what is there beside it stays."""
    file.parent.mkdir(parents=True, exist_ok=True)
    there = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps(there | more, indent=2))


def _field(*names: str) -> Callable[[str, AgentSandbox], str | None]:
    """Return a reader that finds the first line of JSON with one of *names* in it."""

    def read(stdout: str, _place: AgentSandbox) -> str | None:
        for line in stdout.splitlines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            found = [message.get(name) for name in names] if isinstance(message, dict) else []
            if any(found):
                return str(next(name for name in found if name))
        return None

    return read


AGENTS: Mapping[str, AgentProgram] = {
    agent.host: agent
    for agent in (
        AgentProgram(
            host="claude-code",
            shell_tool="Bash",
            shell_args={"description": "run it"},
            argv=_claude_argv,
            prepare=_claude,
            session_in=_field("session_id"),
        ),
        AgentProgram(
            host="codex",
            shell_tool="exec_command",
            argv=_codex_argv,
            prepare=_codex,
            session_in=_field("thread_id"),
        ),
        AgentProgram(
            host="gemini-cli",
            shell_tool="run_shell_command",
            shell_args={"description": "run it"},
            argv=_gemini_argv,
            prepare=_gemini,
            session_in=lambda _stdout, _place: "latest",
        ),
        AgentProgram(
            host="copilot-cli",
            shell_tool="bash",
            shell_args={"description": "run it"},
            argv=_copilot_argv,
            prepare=_copilot,
            session_in=_field("sessionId"),
        ),
        AgentProgram(
            host="qwen-code",
            shell_tool="run_shell_command",
            shell_args={"description": "run it", "is_background": False},
            argv=_qwen_argv,
            prepare=_qwen,
            session_in=_field("session_id"),
        ),
        AgentProgram(
            host="opencode",
            shell_tool="bash",
            shell_args={"description": "run it"},
            argv=_opencode_argv,
            prepare=_opencode,
            session_in=_field("sessionID"),
        ),
    )
}
