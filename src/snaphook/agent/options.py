"""How an agent is set up: what it is, what it may use, and where it must stop."""

from enum import StrEnum

from msgspec import Struct

from .bounds import LIMIT
from .model import Usage
from .tools import TOOLS, Tool

DEFAULT_MODEL = "anthropic:claude-sonnet-5-5"

SYSTEM = """\
You are a coding agent. You work in {cwd} with the tools you are given.
Look before you change something, change no more than you were asked to, and check what you did.
Hooks watch over this session: when a call is blocked, the result says why. Do not try to get
around it; choose another way, or tell the person what you would need.
When you are done, say briefly what you did."""


class AgentOptions(Struct, frozen=True, kw_only=True):
    """Everything about an agent that does not change while it runs."""

    model: str = DEFAULT_MODEL
    cwd: str = ""
    """The working directory; empty takes the process's own."""
    system: str = SYSTEM
    charter: str | None = None
    """The agent's role, told to the model after the instructions and to SessionStart hooks."""
    agent_name: str = "main"
    agent_type: str | None = None
    tools: tuple[Tool, ...] = tuple(TOOLS.values())
    headless: bool = True
    """Nobody sits at a terminal."""

    confined: bool = True
    """File tools stay inside the working directory."""
    also: tuple[str, ...] = ()
    """Further directories they may touch."""
    output_limit: int = LIMIT
    """Characters of a tool's result that a model reads."""
    hidden_env: tuple[str, ...] = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "OPENAI_API_KEY")
    """What commands the model runs do not find in their environment."""

    max_turns: int = 100
    """Answers of the model to one message of the person."""
    max_micro_dollars: int | None = None
    max_tokens: int = 8192
    context_tokens: int = 200_000
    compact_at: float = 0.85
    """The share of the context that, once used, has the conversation shortened."""
    attempts: int = 5
    """How often one answer is asked for at most, whatever hooks say."""
    max_backoff_ms: int = 60_000
    max_depth: int = 2
    """Subagents may have subagents down to this level."""
    max_subagents: int = 20
    """How many a session may start in all."""
    subagent_timeout: float = 1800.0


class TurnStatus(StrEnum):
    """How a turn ended."""

    DONE = "done"
    BLOCKED = "blocked"
    """A hook erased the prompt, or would not have it asked or answered."""
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    """The model failed for good; the session can be resumed."""
    MAX_TURNS = "max_turns"
    MAX_COST = "max_cost"


class TurnResult(Struct, frozen=True, kw_only=True):
    """What came of one message."""

    status: TurnStatus
    text: str = ""
    """The last thing the agent said."""
    error: str | None = None
    turns: int = 0
    usage: Usage = Usage()
    """Of this turn, subagents included."""
    micro_dollars: int = 0
    estimated: bool = False
    """The price of some model was not known."""
