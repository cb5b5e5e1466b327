"""Gemini CLI's policy for calls that Snaphook approved.

mark  ->  ~/.gemini/policies/snaphook.toml

Gemini CLI ignores an allow from a hook: the hook runs first, then its policy engine decides from the
arguments alone (scheduler and policy-engine of 0.61). But it judges the arguments as the hook left
them. So an approved call is rewritten to name its folder as ``<mark>/../<folder>``, which is the same
folder, and this policy allows calls with the mark. It has the lowest priority of the user's own
policies: every other rule of theirs, ask or deny, still wins.

The mark is a random text of this installation. A call that comes with it already is refused, so an
agent that has read this file gains nothing.
"""

import re
from pathlib import Path
from secrets import token_hex

from msgspec.structs import replace

from snaphook.config.environment import Environment
from snaphook.hosts.gemini_cli import MARK, MARK_VARIABLE
from snaphook.hosts.placement import Placement

_POLICY = """\
# Written by snaphook init: lets calls run that Snaphook approved ([approve] in snaphook.toml).
# Every other rule of yours wins over this one. snaphook uninstall removes the file.

[[rule]]
toolName = "run_shell_command"
argsPattern = '"dir_path":"{mark}/\\.\\./'
decision = "allow"
priority = 0
allowRedirection = true
"""
_IN_FILE = re.compile(rf"{MARK}[0-9a-f]{{32}}")


def policy_file(around: Environment) -> Path:
    """Return where the policy belongs."""
    home = Path(around.env.get("GEMINI_CLI_HOME") or around.home)
    return home / ".gemini" / "policies" / "snaphook.toml"


def mark_of(text: str | None) -> str:
    """Return the mark that a policy holds, or a new one."""
    found = _IN_FILE.search(text or "")
    return found[0] if found else f"{MARK}{token_hex(16)}"


def policy(mark: str) -> str:
    """Return the text of the policy for *mark*."""
    return _POLICY.format(mark=mark)


def with_mark(placement: Placement, mark: str) -> Placement:
    """Return *placement* with the mark handed to our hook before tools."""
    wired = tuple(
        replace(one, extra={**one.extra, "env": {MARK_VARIABLE: mark}})
        if one.event == "BeforeTool"
        else one
        for one in placement.wired
    )
    return replace(placement, wired=wired)
