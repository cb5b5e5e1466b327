"""The agent at a terminal: what is said streams, tools show, questions are asked.

line  ->  slash command | send_message

Ctrl-C interrupts the turn that is under way; at the prompt, Ctrl-D or /exit ends the session.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from rich.console import Console

from snaphook.agent import (
    Agent,
    Listener,
    Message,
    Permission,
    Question,
    Stage,
    TextBlock,
    ToolBlock,
    TurnResult,
    TurnStatus,
)
from snaphook.canon import METHODS, implemented, name_of
from snaphook.cli.console import cell, new_console
from snaphook.cli.output import say, say_lines

from .setup import Setup

SHOWN_LINES = 6
ANSWERS = {
    "y": Permission.ALLOW,
    "yes": Permission.ALLOW,
    "n": Permission.DENY,
    "no": Permission.DENY,
    "a": Permission.ALWAYS,
    "always": Permission.ALWAYS,
}
HELP = """\
  /compact [what to keep]   compact the conversation
  /clear                    start a new conversation
  /hooks                    list the active hooks
  /cost                     show what it has cost
  /help                     show this
  /exit                     end the session
Ctrl-C interrupts the agent."""


class Screen(Listener):
    """Shows an agent at work."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._midline = False

    def on_text(self, text: str) -> None:
        """Print it as it comes."""
        self._console.print(text, end="", markup=False, highlight=False, soft_wrap=True)
        self._midline = not text.endswith("\n")

    def on_reasoning(self, text: str) -> None:
        """Print it as it comes, in the background."""
        self._console.print(text, end="", style="dim", markup=False, highlight=False)
        self._midline = not text.endswith("\n")

    def on_tool(self, block: ToolBlock) -> None:
        """Print the call when it starts, its result when it is there."""
        if block.stage is Stage.RUNNING:
            self.line(f"[bold]● {cell(block.name)}[/] {cell(_summary(block.parameters))}")
        elif block.stage is Stage.END and not block.suppressed:
            mark = "[green]✓[/]" if block.success else f"[red]✗ {cell(block.error)}:[/]"
            self.line(f"  {mark} {cell(_short(block.result))}")

    def on_message(self, message: Message) -> None:
        """Print what a hook tells the agent; the rest was seen as it came."""
        for block in message.blocks:
            if isinstance(block, TextBlock) and block.source == "hook":
                self.line(f"[magenta]↩ to the agent: {cell(_short(block.content))}[/]")

    def on_error(self, text: str) -> None:
        """Print what only the person is told."""
        self.line(f"[yellow]! {cell(text)}[/]")

    def on_retry(self, text: str, wait_ms: int) -> None:
        """Print it."""
        self.line(f"[yellow]! {cell(text)} Trying again in {wait_ms / 1000:g} s.[/]")

    def on_subagent(self, agent_id: str, kind: str, status: str) -> None:
        """Print it."""
        self.line(f"[dim]subagent {cell(kind)} {status} ({agent_id})[/]")

    def line(self, text: str) -> None:
        """Print *text* on a line of its own."""
        if self._midline:
            self._console.print()
        self._midline = False
        self._console.print(text, highlight=False, soft_wrap=True)


class Terminal:
    """One session at one terminal."""

    def __init__(self, setup: Setup, console: Console | None = None) -> None:
        self._setup = setup
        self._console = console or new_console()
        self._screen = Screen(self._console)
        setup.permissions.ask = self._ask_permission
        self._commands: dict[str, Callable[[Agent, str], Awaitable[None]]] = {
            "/compact": self._compact,
            "/clear": self._clear,
            "/hooks": self._hooks,
            "/cost": self._cost,
            "/help": self._help,
        }

    def run(self) -> int:
        """Talk until the person has had enough."""
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, _leave)
        with asyncio.Runner() as runner:
            agent = runner.run(self._begin())
            self._screen.line(f"[dim]{agent.model_name} in {agent.cwd}. /help lists commands.[/]")
            try:
                while (line := self._read()) is not None:
                    self._interruptible(runner, agent, line)
            finally:
                runner.run(agent.close("prompt_input_exit"))
        if agent.transcript_path:
            self._screen.line(f"[dim]Resume with: snaphook agent --resume {agent.session_id}[/]")
        return 0

    async def _begin(self) -> Agent:
        setup = self._setup
        agent = Agent(
            engine=setup.engine,
            options=setup.options,
            permissions=setup.permissions,
            listener=self._screen,
            ask_user=self._ask_user,
            sessions=setup.sessions,
            resume=setup.resume,
        )
        await agent.start()
        return agent

    def _read(self) -> str | None:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401 - editing and history come with it
        while True:
            try:
                line = input("› ").strip()
            except KeyboardInterrupt:
                say_lines("\n(/exit or Ctrl-D ends the session)")
                continue
            except EOFError:
                say()
                return None
            if line in {"/exit", "/quit"}:
                return None
            if line:
                return line

    def _interruptible(self, runner: asyncio.Runner, agent: Agent, line: str) -> None:
        try:
            runner.run(self._do(agent, line))
        except KeyboardInterrupt:
            self._screen.line("[yellow]interrupted[/]")

    async def _do(self, agent: Agent, line: str) -> None:
        name, _, rest = line.partition(" ")
        if name in self._commands:
            await self._commands[name](agent, rest.strip())
        elif name.startswith("/"):
            self._screen.line(f"unknown command {cell(name)}. /help lists the commands.")
        else:
            self._told(await agent.send_message(line))

    def _told(self, result: TurnResult) -> None:
        guess = "~" if result.estimated else ""
        price = f"{guess}${result.micro_dollars / 1e6:.4f}"
        end = "" if result.status is TurnStatus.DONE else f"{result.status}, "
        self._screen.line(f"[dim]{end}{result.turns} answers, {price}[/]")

    async def _compact(self, agent: Agent, rest: str) -> None:
        compacted = await agent.compact(rest or None)
        self._screen.line("shortened." if compacted.done else cell(f"not done: {compacted.why}"))

    async def _clear(self, agent: Agent, _: str) -> None:
        await agent.clear()
        self._screen.line("forgotten.")

    async def _hooks(self, agent: Agent, _: str) -> None:
        for provider in self._setup.engine.providers:
            events = [METHODS[method].name for method, _ in implemented(provider)]
            heard = "every event" if len(events) == len(METHODS) else ", ".join(events)
            self._screen.line(f"[bold]{cell(name_of(provider))}[/] hears {heard}")
        for hook in self._setup.settings.hooks:
            matcher = f" ({hook.matcher})" if hook.matcher else ""
            self._screen.line(cell(f"  {hook.event}{matcher}: {hook.command}  {hook.origin}"))

    async def _cost(self, agent: Agent, _: str) -> None:
        ledger = agent.ledger
        guess = " (some prices are estimates)" if ledger.estimated else ""
        self._screen.line(
            f"{ledger.usage.input_tokens:,} tokens read, {ledger.usage.output_tokens:,} written, "
            f"{ledger.tool_calls} tool calls, ${ledger.micro_dollars / 1e6:.4f}{guess}"
        )

    async def _help(self, agent: Agent, _: str) -> None:
        self._screen.line(HELP)

    async def _ask_permission(self, question: Question) -> Permission:
        why = f" ({cell(question.why)})" if question.why else ""
        what = f"{cell(question.tool_name)} {cell(_summary(question.parameters))}"
        while True:
            self._screen.line(f"[bold yellow]?[/] May it run {what}{why}")
            said = await self._line("  y(es), n(o), a(lways): ")
            if (answer := ANSWERS.get(said.strip().lower())) is not None:
                return answer

    async def _ask_user(self, question: str, options: tuple[str, ...]) -> str:
        self._screen.line(f"[bold yellow]?[/] {cell(question)}")
        for number, option in enumerate(options, start=1):
            self._screen.line(f"  {number}. {cell(option)}")
        said = (await self._line("  ")).strip()
        if said.isdigit() and 1 <= int(said) <= len(options):
            return options[int(said) - 1]
        return said

    async def _line(self, prompt: str) -> str:
        """Return a line the person types, leaving the event loop free to be interrupted."""
        self._console.print(prompt, end="", markup=False, highlight=False)
        loop, read = asyncio.get_running_loop(), asyncio.Event()
        loop.add_reader(sys.stdin.fileno(), read.set)
        try:
            await read.wait()
        finally:
            loop.remove_reader(sys.stdin.fileno())
        raw = os.read(sys.stdin.fileno(), 4096)
        if not raw:
            return "no"
        return raw.decode(errors="replace")


def _leave(number: int, _: object) -> None:
    """End as Ctrl-D would: hooks hear of it, and nothing is left running."""
    raise SystemExit(128 + number)


def _summary(parameters: dict[str, Any]) -> str:
    """Return the telling part of a call's arguments."""
    for name in ("command", "file_path", "pattern", "prompt", "question"):
        if name in parameters:
            return _short(str(parameters[name]), lines=1)
    return _short(str(parameters), lines=1)


def _short(text: str, lines: int = SHOWN_LINES, width: int = 200) -> str:
    kept = [line[:width] for line in text.splitlines()[:lines]]
    more = len(text.splitlines()) - len(kept)
    return "\n    ".join([*kept, *([f"[{more} more lines]"] if more > 0 and lines > 1 else [])])
