"""What people may set about the agent.

[agent] of snaphook.toml  ->  AgentSettings
"""

from msgspec import Struct
from msgspec.structs import replace

from .options import DEFAULT_MODEL, AgentOptions
from .permissions import Mode


class AgentSettings(Struct, frozen=True, kw_only=True):
    """The agent's model, its limits and its bounds; options on the command line come first."""

    model: str = DEFAULT_MODEL
    permission_mode: Mode = Mode.DEFAULT
    confined: bool = True
    directories: tuple[str, ...] = ()
    """Additional directories that the file tools may access."""
    max_turns: int = 100
    max_cost: float | None = None
    """Cost limit of a session in US dollars."""
    context_tokens: int = 200_000
    max_depth: int = 2
    max_subagents: int = 20
    sessions: str = ""
    """Directory for sessions. Default: the user's data directory."""
    instructions: str = ""
    """Additional instructions for the model."""

    def options(self, *, cwd: str, headless: bool) -> AgentOptions:
        """Return the options of an agent in *cwd* that these settings describe."""
        return replace(
            AgentOptions(),
            model=self.model,
            cwd=cwd,
            headless=headless,
            charter=self.instructions or None,
            confined=self.confined,
            also=self.directories,
            max_turns=self.max_turns,
            max_micro_dollars=None if self.max_cost is None else round(self.max_cost * 1_000_000),
            context_tokens=self.context_tokens,
            max_depth=self.max_depth,
            max_subagents=self.max_subagents,
        )
