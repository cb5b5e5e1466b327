"""The agent: a conversation, a model, tools, and an engine of hooks around all of it.

    agent = Agent(engine=Engine([MyProvider()]))
    result = await agent.send_message("Why does the build fail?")
    print(result.text, agent.messages)
    await agent.close()

It knows no provider, only the engine; it knows no vendor, only a ``Model``.
"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from snaphook.canon import HookContext, SessionSource, Verdict
from snaphook.engine import Engine
from snaphook.errors import StoreError

from .blocks import ImageBlock, Message, Role, TextBlock
from .calls import SPEECHLESS, ToolCalls
from .compaction import Compaction, CompactionResult
from .conversation import Conversation
from .convert import convert
from .hook_points import Dispatcher, HookPoints
from .ledger import UsageLedger
from .listener import Listener
from .model import Model, Usage
from .model_calls import ModelCalls
from .options import AgentOptions, TurnResult, TurnStatus
from .permissions import Permissions
from .session import Session, SessionCost, SessionFolder, SessionStarted, new_session_id
from .subagent import Subagent
from .tool_host import AgentToolHost, AskUser
from .turn import AgentTurn
from .vendors import VendorModels


class Agent:
    """An agent a person, a program or another agent can talk to.

    Without *sessions* the conversation lives in memory only; with *resume* it goes on where the
    session of that id ended.
    """

    def __init__(
        self,
        *,
        model: Model | None = None,
        engine: Dispatcher | None = None,
        options: AgentOptions | None = None,
        permissions: Permissions | None = None,
        listener: Listener | None = None,
        ask_user: AskUser | None = None,
        sessions: SessionFolder | None = None,
        resume: str | None = None,
        session_id: str | None = None,
        parent: "tuple[Agent, Subagent] | None" = None,
    ) -> None:
        self.options = options or AgentOptions()
        self.cwd = str(Path(self.options.cwd or Path.cwd()).absolute())
        self.model_name = self.options.model
        self.session_id = resume or session_id or new_session_id()
        self.permissions = permissions or Permissions()
        self.listener = listener or Listener()
        self.ledger = UsageLedger()
        self.environment: dict[str, str] = {}
        self.directives: list[str] = []
        self.state: dict[str, Any] = {}
        self.children = 0
        self._engine = engine or Engine()
        self._own_models = VendorModels()
        self._model = model or self._own_models
        self._ask_user = ask_user
        self._sessions = sessions
        self._parent = parent
        self._workbench = AgentToolHost(self, ask_user)
        self._session = self._open_session(resume)
        self._source = SessionSource.RESUME if resume else SessionSource.STARTUP
        self._started = self._closed = False
        self._turn: asyncio.Task[TurnResult] | None = None
        self._turns = 0
        self._talking = asyncio.Lock()
        self._wire_up()
        if resume:
            self._restore()

    @property
    def messages(self) -> list[Message]:
        """Return the conversation, oldest message first."""
        return self.conversation.messages

    @property
    def depth(self) -> int:
        """Return 0 for the agent a person talks to, 1 for its subagents, and so on."""
        return self._parent[0].depth + 1 if self._parent else 0

    @property
    def transcript_path(self) -> str | None:
        """Return where the conversation is kept, if it is."""
        return str(self._session.path) if self._session else None

    async def start(self) -> None:
        """Begin the session, if it has not begun: SessionStart."""
        if not self._started:
            self._started = True
            await self._session_start(self._source)

    async def send_message(
        self, prompt: str, *, images: Sequence[ImageBlock] = (), told: Sequence[str] = ()
    ) -> TurnResult:
        """Work on *prompt* until the agent may stop, and return how that ended.

        *told* is context given beforehand, as a parent's hooks do. A second call waits for the
        first. Cancelling the caller interrupts the turn.
        """
        async with self._talking:
            self._turns += 1
            turn = AgentTurn(self)
            self._turn = asyncio.create_task(self._work_on(turn, prompt, images, told))
            try:
                return await self._turn
            except asyncio.CancelledError:
                await self._interrupted()
                if asyncio.current_task().cancelling():  # type: ignore[union-attr]
                    raise
                return turn.result(TurnStatus.INTERRUPTED)
            except BaseException:
                with suppress(StoreError):
                    self.conversation.close_unfinished()
                raise
            finally:
                self._turn = None

    def abort(self) -> None:
        """Interrupt the turn that is under way; its ``send_message`` returns soon."""
        if self._turn is not None:
            self._turn.cancel()

    async def compact(self, instructions: str | None = None) -> CompactionResult:
        """Shorten the conversation, keeping what *instructions* say."""
        async with self._talking:
            await self.start()
            return await self.shorten("manual", instructions)

    async def shorten(self, trigger: str, instructions: str | None = None) -> CompactionResult:
        """Shorten the conversation, then begin anew from what is left: SessionStart(compact)."""
        if not convert(self.messages):
            return CompactionResult(done=False, why="there is nothing to compact")
        compacted = await self._compaction.run(trigger, instructions)
        if compacted.done:
            await self._session_start(SessionSource.COMPACT)
        return compacted

    async def clear(self) -> None:
        """Forget the conversation: SessionEnd(clear), then SessionStart(clear)."""
        async with self._talking:
            await self.start()
            await self._session_end("clear")
            await self._workbench.clear()
            self.conversation.reset("clear")
            await self._session_start(SessionSource.CLEAR)

    async def close(self, reason: str = "exit") -> None:
        """End the session: SessionEnd, then background commands, then the file."""
        if self._closed:
            return
        self._closed = True
        self.abort()
        async with self._talking:  # the turn that was under way leaves things in order first
            if self._started:
                await self._session_end(reason)
            await self._workbench.clear()
            await self._own_models.close()
            if self._session:
                self._session.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close("exit" if error is None else "error")

    # What turns, tools and subagents ask of the agent.

    def system(self) -> str:
        """Return the model's instructions."""
        told = self.options.system.replace("{cwd}", self.cwd)
        return f"{told}\n\n{self.options.charter}" if self.options.charter else told

    async def spent(self, model: str, usage: Usage) -> None:
        """Enter an answer's price, and tell the hooks: PostModelRequest."""
        price = self.ledger.spend(model, usage)
        self.conversation.record(SessionCost(model=model, usage=usage, micro_dollars=price))
        said = await self.places.post_model_request(model, usage, price)
        if said is not None:
            self.model_name = said.modified_config.get("model") or self.model_name

    async def may_stop(self, said: str, *, again: bool) -> str | None:
        """Return ``None`` if hooks let the agent stop, else why not."""
        if self._parent:
            return await self._parent[1].may_stop(self, said, again=again)
        answer = await self.places.stop(
            stop_hook_active=again,
            last_assistant_message=said or None,
            background_tasks=self._workbench.background(),
        )
        if answer is None or answer.decision is not Verdict.BLOCK:
            return None
        return answer.reason or SPEECHLESS

    def child(
        self, session_id: str, options: AgentOptions, listener: Listener, subagent: Subagent
    ) -> "Agent":
        """Return a subagent that shares this agent's model, hooks, permissions and person."""
        child = Agent(
            model=self._model,
            engine=self._engine,
            options=options,
            permissions=self.permissions,
            listener=listener,
            ask_user=self._ask_user,
            sessions=self._sessions,
            session_id=session_id,
            parent=(self, subagent),
        )
        child.environment = dict(self.environment)
        return child

    def context(self) -> HookContext:
        """Return the circumstances of an event that happens now."""
        parent = self._parent
        return HookContext(
            session_id=self.session_id,
            agent_name=self.options.agent_name,
            team_root=self.cwd,
            timestamp=time.time(),
            cwd=self.cwd,
            transcript_path=self.transcript_path,
            permission_mode=str(self.permissions.mode),
            turn_id=f"t{self._turns}" if self._turns else None,
            agent_id=self.session_id if parent else None,
            agent_type=self.options.agent_type,
            parent_session_id=parent[0].session_id if parent else None,
            depth=self.depth,
            headless=self.options.headless,
        )

    async def _work_on(
        self, turn: AgentTurn, prompt: str, images: Sequence[ImageBlock], told: Sequence[str]
    ) -> TurnResult:
        await self.start()
        for text in told:
            self.conversation.tell_agent(text)
        result = await turn.run(prompt, images)
        await self.conversation.settle()
        return result

    def _wire_up(self) -> None:
        self.conversation = Conversation(self._session, self.listener)
        self.places = HookPoints(self._engine, self.context, self.conversation)
        self.asking = ModelCalls(self._model, self.options, self.places, self.listener)
        self.calls = ToolCalls(
            {tool.name: tool for tool in self.options.tools},
            self.places,
            self.conversation,
            self.permissions,
            self._workbench.context,
            self.ledger.change,
        )
        self._compaction = Compaction(
            self.asking,
            self.places,
            self.conversation,
            context_tokens=self.options.context_tokens,
            worker=self,
        )

    def _open_session(self, resume: str | None) -> Session | None:
        if self._sessions is None:
            return None
        if resume:
            return self._sessions.resume(resume)
        return self._sessions.create(
            SessionStarted(
                session_id=self.session_id,
                cwd=self.cwd,
                model=self.model_name,
                parent_session_id=self._parent[0].session_id if self._parent else None,
                agent_name=self.options.agent_name,
                timestamp=time.time(),
            )
        )

    def _restore(self) -> None:
        assert self._session is not None, "only a session on disk can be resumed"
        try:
            kept = self._session.load()
        except BaseException:
            self._session.close()
            raise
        self.conversation.restore(kept.messages)
        self.ledger.usage, self.ledger.micro_dollars = kept.usage, kept.micro_dollars
        self.state = kept.state

    async def _session_start(self, source: SessionSource) -> None:
        said = await self.places.session_start(source, self.model_name, self.options.charter)
        if said is None:
            return
        self.environment |= said.environment
        self.model_name = said.modified_config.get("model") or self.model_name
        if said.initial_user_message:
            self.conversation.add(Role.USER, TextBlock(content=said.initial_user_message))

    async def _session_end(self, reason: str) -> None:
        await self.places.session_end(
            reason=reason,
            tokens_used=self.ledger.usage.total,
            tool_call_count=self.ledger.tool_calls,
            files_modified=list(self.ledger.files),
            duration_ms=self.ledger.duration_ms,
        )

    async def _interrupted(self) -> None:
        """Leave a conversation that can go on: nothing half-said, every call closed."""
        if said := self.asking.take_unfinished():
            self.conversation.add(Role.ASSISTANT, TextBlock(content=said))
        for block in self.conversation.close_unfinished():
            await self.places.post_tool_use_failure(block, is_interrupt=True)
        await self.places.host_event("Interrupt")
