"""The real agents that can be run without a person or an account, one file each.

name  ->  AgentProgram
"""

from collections.abc import Mapping

from . import (
    auggie,
    claude_code,
    cline,
    codex,
    copilot_cli,
    droid,
    gemini_cli,
    grok,
    kilo,
    kimi,
    opencode,
    qwen_code,
)
from .program import MODEL, AgentProgram, AgentRun, AgentSandbox

AGENTS: Mapping[str, AgentProgram] = {
    one.AGENT.host: one.AGENT
    for one in (
        claude_code,
        codex,
        gemini_cli,
        copilot_cli,
        qwen_code,
        opencode,
        grok,
        droid,
        cline,
        kimi,
        kilo,
        auggie,
    )
}

__all__ = ["AGENTS", "MODEL", "AgentProgram", "AgentRun", "AgentSandbox"]
