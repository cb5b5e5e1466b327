"""Codex, driven without a person.

prompt  ->  argv, environment, settings at home
"""

import re
from collections.abc import Mapping, Sequence

from snaphook.testing.script import Call

from .program import MODEL, AgentProgram, AgentSandbox, session_field, write


def _argv(prompt: str, resume: str | None, flags: Sequence[str]) -> Sequence[str]:
    words = ["exec", "--json", "--skip-git-repo-check", *flags]
    return [*words, *(["resume", resume] if resume else []), "--", prompt]


def _prepare(place: AgentSandbox) -> Mapping[str, str]:
    home = place.home / ".codex"
    config = home / "config.toml"
    ours = (
        f'model = "{MODEL}"\nmodel_provider = "scripted"\napproval_policy = "never"\n'
        '[model_providers.scripted]\nname = "scripted"\nwire_api = "responses"\n'
        f'base_url = "{place.server.url}/v1"\nenv_key = "SCRIPTED_KEY"\n'
        f'[projects."{place.project}"]\ntrust_level = "trusted"\n'
    )
    rest = config.read_text() if config.exists() else ""
    kept = re.search(r"^\[(hooks\.state|marketplaces|plugins)", rest, re.MULTILINE)
    write(config, ours + (rest[kept.start() :] if kept else ""))
    return {"CODEX_HOME": str(home), "SCRIPTED_KEY": "scripted"}


AGENT = AgentProgram(
    host="codex",
    shell_tool="exec_command",
    argv=_argv,
    shell_key="cmd",
    modes={
        "full access": ("-s", "danger-full-access"),
        "workspace": ("-s", "workspace-write"),
        "bypass": ("--dangerously-bypass-approvals-and-sandbox",),
    },
    write_call=lambda path, text: Call(
        "exec_command", {"cmd": f"cat > '{path}' <<'END'\n{text}\nEND"}
    ),
    prepare=_prepare,
    session_in=session_field("thread_id"),
)
