"""One message of the person, worked on until the agent may stop.

prompt  ->  UserPromptSubmit  ->  (model  ->  tools)…  ->  Stop  ->  TurnResult
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from msgspec.structs import replace

from snaphook.canon import Verdict, verdict

from .blocks import ImageBlock, Message, Role, TextBlock
from .calls import SPEECHLESS, ToolCalls
from .compaction import CompactionResult, tokens_of
from .conversation import Conversation
from .convert import convert
from .failures import ErrorClass
from .hook_points import HookPoints
from .ledger import UsageLedger
from .model import ModelError, ModelRequest, ToolCall, Usage
from .model_calls import ModelAnswer, ModelCalls
from .options import AgentOptions, TurnResult, TurnStatus
from .recovery import Recovery


class Worker(Protocol):
    """What a turn needs of the agent it is a turn of."""

    options: AgentOptions
    session_id: str
    model_name: str
    directives: list[str]
    conversation: Conversation
    places: HookPoints
    asking: ModelCalls
    calls: ToolCalls
    ledger: UsageLedger

    def system(self) -> str:
        """Return the model's instructions."""
        ...

    async def spent(self, model: str, usage: Usage) -> None:
        """Enter an answer's price."""
        ...

    async def shorten(self, trigger: str) -> CompactionResult:
        """Shorten the conversation."""
        ...

    async def may_stop(self, said: str, *, again: bool) -> str | None:
        """Return ``None`` if the agent may stop, else why not."""
        ...


class AgentTurn:
    """From a prompt to the moment the agent hands back."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker
        self._conversation = worker.conversation
        self._turns = 0
        self._stays_full = False
        self._paid_before = worker.ledger.micro_dollars
        self._used_before = worker.ledger.usage

    async def run(self, prompt: str, images: Sequence[ImageBlock] = ()) -> TurnResult:
        """Work on *prompt* and say how it ended."""
        if (refusal := await self._submit(prompt, images)) is not None:
            return self.result(TurnStatus.BLOCKED, error=refusal)
        try:
            status = await self._work()
        except ModelError as error:
            self._conversation.tell_user(str(error))
            await self._worker.places.host_event(
                "StopFailure", error=str(error), error_class=error.error_class
            )
            refused = error.error_class == ErrorClass.REFUSED
            return self.result(
                TurnStatus.BLOCKED if refused else TurnStatus.FAILED, error=str(error)
            )
        return self.result(status)

    def result(self, status: TurnStatus, *, error: str | None = None) -> TurnResult:
        """Return how this turn ended."""
        ledger = self._worker.ledger
        return TurnResult(
            status=status,
            text=self._last_words(),
            error=error,
            turns=self._turns,
            usage=ledger.usage - self._used_before,
            micro_dollars=ledger.micro_dollars - self._paid_before,
            estimated=ledger.estimated,
        )

    async def _submit(self, prompt: str, images: Sequence[ImageBlock]) -> str | None:
        """Add *prompt* to the conversation, or return why a hook erased it.

        It reaches the disk only once the hooks have let it pass: what is erased was never kept.
        """
        places = self._worker.places
        message = self._conversation.add(Role.USER, TextBlock(content=prompt), *images, kept=False)
        try:
            said = await places.user_prompt_submit(prompt)
        except BaseException:
            self._conversation.erase(message, kept=False)  # nobody has let it pass
            raise
        if said is not None and verdict(said) is Verdict.DENY:
            reason = said.reason or SPEECHLESS
            self._conversation.erase(message, kept=False)
            self._conversation.tell_user(reason)
            places.pass_on(said, contexts=False)
            return reason
        if said is not None and said.modified_prompt is not None:
            text = TextBlock(content=said.modified_prompt)
            message = replace(message, blocks=(text, *images))
        self._conversation.put(message)
        if said is not None:
            self._worker.directives.extend(said.captured_directives)
            places.pass_on(said)
        return None

    async def _work(self) -> TurnStatus:
        worker, sent_back = self._worker, False
        while self._turns < worker.options.max_turns:
            if self._over_budget():
                return TurnStatus.MAX_COST
            await self._make_room()
            answer = await self._ask()
            self._turns += 1
            await worker.spent(answer.model, answer.usage)
            message, calls = self._heard(answer)
            if message is not None and calls:
                worker.ledger.tool_calls += len(calls)
                await self._conversation.settle()  # before anything happens in the world
                await worker.calls.run(message, calls)
                continue
            reason = await worker.may_stop(self._last_words(), again=sent_back)
            if reason is None:
                return TurnStatus.DONE
            self._conversation.tell_agent(reason)
            sent_back = True
        self._conversation.tell_user(
            f"agent: stopped after {self._turns} answers. Send a message to let it go on."
        )
        return TurnStatus.MAX_TURNS

    async def _ask(self) -> ModelAnswer:
        """Return the model's answer; what was said before it reaches the disk meanwhile."""
        settling = asyncio.create_task(self._conversation.settle())
        try:
            return await self._worker.asking.ask(self._request, changed=self._changed)
        finally:
            await settling

    def _heard(self, answer: ModelAnswer) -> tuple[Message | None, list[ToolCall]]:
        answer.calls = _with_own_ids(answer.calls)
        if not answer.blocks:
            return None, []
        message = self._conversation.add(Role.ASSISTANT, *answer.blocks, kept=False)
        message = replace(message, usage=answer.usage)
        self._conversation.put(message)
        if answer.cut_short:
            self._conversation.tell_user("model: the answer was cut off at its length limit.")
        return self._conversation[message.id], answer.calls

    def _request(self) -> ModelRequest:
        worker = self._worker
        return ModelRequest(
            model=worker.model_name,
            system=worker.system(),
            messages=convert(self._conversation.messages),
            tools=tuple(tool.spec for tool in worker.options.tools),
            max_tokens=worker.options.max_tokens,
            session_id=worker.session_id,
        )

    async def _changed(self, recovery: Recovery) -> None:
        """Apply what a recovery changes."""
        if recovery.model:
            self._worker.model_name = recovery.model
        if recovery.prompt is not None:
            self._reword(recovery.prompt)
        if recovery.compact:
            await self._worker.shorten("auto")

    def _reword(self, prompt: str) -> None:
        for message in reversed(self._conversation.messages):
            if message.role is Role.USER and not message.meta:
                others = [b for b in message.blocks if not isinstance(b, TextBlock)]
                self._conversation.put(
                    replace(message, blocks=(TextBlock(content=prompt), *others))
                )
                return

    async def _make_room(self) -> None:
        options = self._worker.options
        full = options.context_tokens * options.compact_at
        if self._stays_full or tokens_of(self._conversation.messages) < full:
            return
        compacted = await self._worker.shorten("auto")
        if not compacted.done:
            self._conversation.tell_user(f"compaction: not done. {compacted.why}")
        self._stays_full = tokens_of(self._conversation.messages) >= full

    def _over_budget(self) -> bool:
        limit = self._worker.options.max_micro_dollars
        spent = self._worker.ledger.micro_dollars
        if limit is None or spent < limit:
            return False
        self._conversation.tell_user(
            f"agent: stopped at ${spent / 1e6:.4f}; the limit is ${limit / 1e6:.4f}. "
            "Raise --max-cost to go on."
        )
        return True

    def _last_words(self) -> str:
        for message in reversed(self._conversation.messages):
            if message.role is Role.ASSISTANT and message.text:
                return message.text
        return ""


def _with_own_ids(calls: Sequence[ToolCall]) -> list[ToolCall]:
    """Return *calls* with an id each: some servers give none, or the same one twice."""
    seen: set[str] = set()
    named: list[ToolCall] = []
    for number, call in enumerate(calls, start=1):
        own = call.id if call.id and call.id not in seen else f"{call.id or 'call'}_{number}"
        seen.add(own)
        named.append(replace(call, id=own))
    return named
