"""The file that says what an agent is: its charter, or its definition.

project + name of the agent  ->  path, relative to the project, or nothing
"""

import os
import re

PLACES = (
    ".squad/agents/{agent}/charter.md",
    ".ai-team/agents/{agent}/charter.md",
    ".claude/agents/{agent}.md",
    ".github/agents/{agent}.agent.md",
    ".github/agents/{agent}.md",
    ".gemini/agents/{agent}.md",
    ".qwen/agents/{agent}.md",
    ".opencode/agent/{agent}.md",
    ".cursor/agents/{agent}.md",
    ".agents/{agent}.md",
)
"""Where Squad and the agents' own settings keep them, Squad's first."""
_NAME = re.compile(r"[\w][\w .-]{0,80}")
"""Names that are safe in a path."""


def charter_path(root: str, agent: str) -> str:
    """Return where the charter of *agent* lies in the project at *root*; empty where it has none."""
    if not root or not _NAME.fullmatch(agent) or ".." in agent:
        return ""
    names = dict.fromkeys((agent, agent.lower()))
    found = (
        place.format(agent=name)
        for place in PLACES
        for name in names
        if os.path.isfile(os.path.join(root, place.format(agent=name)))  # noqa: PTH113, PTH118
    )
    return next(found, "")
