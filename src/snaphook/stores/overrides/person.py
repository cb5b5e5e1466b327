"""What the process that asks for an override looks like.

ancestors, terminal, environment  ->  Witness        Witness + agent  ->  a doubt, or none

A process tree cannot prove that a person acts. So what is found here only ever refuses a request, or
answers an *ask*; a *deny* needs a method that an agent cannot produce (see keys.py).
Pure, but for ``witness``.
"""

from collections.abc import Mapping
from pathlib import Path

from msgspec import Struct

from snaphook.process.ancestry import Process, initial_environment

_SHELLS_TEXT = "sh bash dash zsh fish ksh mksh ash busybox nu elvish tcsh csh pwsh"
SHELLS = frozenset(_SHELLS_TEXT.split())
_WRAPPERS_TEXT = """
    env timeout nice ionice nohup stdbuf setsid time uv uvx pipx xargs snaphook snaphook-hook
"""
_WRAPPERS = frozenset(_WRAPPERS_TEXT.split())
_DRIVEN_TEXT = "tmux screen zellij wezterm kitty dtach abduco emacs vim nvim code cursor"
_DRIVEN = frozenset(_DRIVEN_TEXT.split())
"""Programs that type into their terminals what another process tells them."""
_DRIVEN_BY = ("TMUX", "STY", "ZELLIJ", "WEZTERM_PANE", "KITTY_LISTEN_ON", "VSCODE_PID", "NVIM")
"""Variables by which such a program marks its terminals."""
_MARKERS_TEXT = """
    CLAUDECODE CLAUDE_CODE_ENTRYPOINT CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_THREAD_ID
    GEMINI_CLI QWEN_CODE COPILOT_CLI CURSOR_AGENT OPENCODE CLINE_ACTIVE CRUSH
    GOOSE_TERMINAL KIRO_AGENT AMP_THREAD_ID AIDER_RUNNING SNAPHOOK_AGENT
"""
MARKERS = frozenset(_MARKERS_TEXT.split())
"""Variables that agents give to what they run."""
_TIOCSTI = Path("/proc/sys/dev/tty/legacy_tiocsti")


class Witness(Struct, frozen=True, kw_only=True):
    """What the kernel shows of the process that asks; kept with what it was granted."""

    chain: tuple[Process, ...] = ()
    """The asking process and all above it."""
    leader: Process | None = None
    """The process that the terminal was opened for, where the asking one descends from it."""
    driven: str = ""
    """A program that can type into this terminal on behalf of another."""
    marked: str = ""
    """A variable that only agents set."""
    typed: bool = False
    """Whether this system lets a process type into the terminal that it shares."""

    @property
    def terminal(self) -> str:
        """The terminal of the process, or nothing."""
        return self.chain[0].terminal if self.chain else ""


def witness(chain: tuple[Process, ...], env: Mapping[str, str]) -> Witness:
    """Return what the kernel shows of the first of *chain*; *env* is what it claims its environment is."""
    leader = _leader(chain)
    near = _near(chain, leader)
    own = [env, *map(initial_environment, (one.pid for one in near))]
    marks = sorted(name for each in own for name in MARKERS & each.keys())
    return Witness(
        chain=chain,
        leader=leader,
        driven=_driver(chain, leader, own),
        marked=marks[0] if marks else "",
        typed=_may_type(),
    )


def by_hand(chain: tuple[Process, ...]) -> bool:
    """Return whether the hook was run by hand: from the shell of a terminal, with no agent between."""
    for process in chain[1:]:
        if process.name in SHELLS:
            if process.terminal and process.pid == process.session:
                return True
        elif process.name not in _WRAPPERS:
            return False
    return False


def agent_of(chain: tuple[Process, ...]) -> Process | None:
    """Return the process that had the hook run whose ancestors are *chain*.

    Shells and wrappers in between are passed over; a hook that somebody tries by hand in the shell
    of a terminal has no agent.
    """
    for process in chain[1:]:
        if process.name in SHELLS:
            if process.terminal and process.pid == process.session:
                return None
        elif process.name not in _WRAPPERS:
            return process
    return None


def refusal(seen: Witness) -> str:
    """Return why the request is refused whatever it proves; nothing if it is not."""
    if not seen.chain:
        return "the requesting process has exited"
    if seen.marked:
        return f"{seen.marked} is set, which agents set for the commands they run"
    if not seen.terminal:
        return "the requesting process has no terminal"
    return ""


def descends(seen: Witness, agent: Process) -> bool:
    """Return whether *agent* is an ancestor of the requesting process."""
    return any(one.key == agent.key for one in seen.chain)


def doubt(seen: Witness, agent: Process) -> str:
    """Return why *agent* could have made the request from this terminal; nothing if it could not."""
    if seen.leader is None:
        return "the requesting process is detached from the shell of its terminal"
    if seen.driven:
        return f"{seen.driven} can type into this terminal"
    if seen.leader.start >= agent.start:
        return f"this terminal was opened after the running agent ({agent.name}) was started"
    if seen.typed and agent.terminal == seen.terminal:
        return "the agent shares this terminal, and TIOCSTI is enabled (dev.tty.legacy_tiocsti = 1)"
    return ""


def _leader(chain: tuple[Process, ...]) -> Process | None:
    """Return the leader of the asking process's session, if it descends from it."""
    if not chain or not chain[0].terminal:
        return None
    return next((one for one in chain if one.pid == chain[0].session), None)


def _near(chain: tuple[Process, ...], leader: Process | None) -> tuple[Process, ...]:
    """Return the part of *chain* up to the terminal's own shell."""
    return chain[: chain.index(leader) + 1] if leader else chain


def _driver(
    chain: tuple[Process, ...], leader: Process | None, own: list[Mapping[str, str]]
) -> str:
    holder = chain[chain.index(leader) + 1 :][:1] if leader else ()
    for process in holder:
        word = process.name.lower().replace(":", " ").replace("-", " ").split(" ")[0]
        if word in _DRIVEN:
            return word
    found = [name for each in own for name in _DRIVEN_BY if each.get(name)]
    return f"the program that set {found[0]}" if found else ""


def _may_type() -> bool:
    """Return whether TIOCSTI works here; a kernel that can disable it says so."""
    try:
        return _TIOCSTI.read_text().strip() != "0"
    except OSError:
        return True
