"""What a session, a prompt or a subagent is about, in words that can be looked for.

event, folder  ->  text

Nothing here runs a program: a branch is read from ``.git``, a task from its file.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from snaphook.canon import HookContext, SessionStart, SubagentStart

_LONGEST = 1_200
_PLAIN_BRANCHES = frozenset({"main", "master", "develop", "trunk", "dev"})
TASKS = ("task.md", "TASK.md")


def of_session(event: SessionStart, context: HookContext, env: Mapping[str, str]) -> str:
    """Return what a session is about: its task, its branch, its role; empty where nobody tells."""
    from .task import task_text  # a workspace's; most projects have none

    task = _task(context, env) or task_text(context.cwd or context.team_root, env)
    told = [task, _branch(context), (event.charter_content or "")[:400]]
    return " ".join(part for part in told if part)[:_LONGEST]


def of_subagent(event: SubagentStart) -> str:
    """Return what a subagent is about."""
    return " ".join(part for part in (event.task, event.task_type, event.agent_name) if part)[
        :_LONGEST
    ]


def run_folder(context: HookContext, env: Mapping[str, str]) -> Path | None:
    """Return the folder of the run that is under way, where there is one."""
    for name in (env.get("RALF_RUN_DIR"), context.cwd):
        if name and any((Path(name) / each).is_file() for each in ("THOUGHTS.md", "DECISIONS.md")):
            return Path(name)
    return None


def _task(context: HookContext, env: Mapping[str, str]) -> str:
    """Return the title and objective of the task file, where there is one."""
    folders = [Path(name) for name in (env.get("RALF_RUN_DIR"), context.cwd) if name]
    for path in (folder / name for folder in folders for name in TASKS):
        try:
            text = path.read_text(encoding="utf-8", errors="replace")[:4_000]
        except OSError:
            continue
        title = re.search(r"^# +(.+)$", text, re.MULTILINE)
        aim = re.search(r"^## +Objective\s*\n+(.+?)(?:\n\n|\n#|\Z)", text, re.MULTILINE | re.DOTALL)
        return " ".join(found.group(1) for found in (title, aim) if found)
    return ""


def _branch(context: HookContext) -> str:
    """Return the words of the branch that is checked out, unless it is the common one."""
    root = context.team_root or context.cwd
    try:
        head = (Path(root) / ".git" / "HEAD").read_text(encoding="utf-8").strip()
    except OSError:
        return ""
    branch = head.removeprefix("ref: refs/heads/") if head.startswith("ref:") else ""
    return "" if branch in _PLAIN_BRANCHES else re.sub(r"[/_-]+", " ", branch)
