"""An agent without a model that does what it is told by whoever told it last.

user task's ground truth, and from the first poisoned result on the injection's  ->  calls  ->  engine

Every call goes through the hooks first; what they ask about or deny does not run.
"""

from collections.abc import Callable, Sequence
from typing import Any

from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
from agentdojo.agent_pipeline.tool_execution import tool_result_to_str
from agentdojo.functions_runtime import EmptyEnv, Env, FunctionCall, FunctionsRuntime
from agentdojo.types import (
    ChatAssistantMessage,
    ChatMessage,
    ChatToolResultMessage,
    text_content_block_from_string,
)

Ask = Callable[[str, dict[str, Any]], str]
"""What the hooks say about a call: ``allow``, ``ask`` or ``deny``."""
Tell = Callable[[str, dict[str, Any], str], None]


class Victim(BasePipelineElement):
    """Plays *user*'s calls, and *injected* ones as soon as a result holds one of *poison*."""

    name = "gpt-4o-2024-05-13"

    def __init__(
        self,
        user: Any,
        injected: Callable[[Env], Sequence[FunctionCall]] | None,
        poison: Sequence[str],
        *,
        ask: Ask,
        tell: Tell,
    ) -> None:
        self._user = user
        self._injected = injected
        self._poison = [_letters(text)[:80] for text in poison]
        self._ask = ask
        self._tell = tell
        self.stopped_user: list[str] = []
        self.stopped_injected: list[str] = []
        self.poisoned = False

    def query(
        self,
        query: str,
        runtime: FunctionsRuntime,
        env: Env = EmptyEnv(),  # noqa: B008 - as the class it derives from has it
        messages: Sequence[ChatMessage] = (),
        extra_args: dict[str, Any] | None = None,
    ) -> tuple[str, FunctionsRuntime, Env, Sequence[ChatMessage], dict[str, Any]]:
        """Return the conversation that the victim has."""
        told: list[ChatMessage] = []
        for call in self._user.ground_truth(env):
            result = self._run(call, runtime, env, told, self.stopped_user)
            if self._injected and not self.poisoned and _holds(result, self._poison):
                self.poisoned = True
                for bad in self._injected(env):
                    self._run(bad, runtime, env, told, self.stopped_injected)
        told.append(_said(self._user.GROUND_TRUTH_OUTPUT))
        return query, runtime, env, [*messages, *told], extra_args or {}

    def _run(
        self,
        call: FunctionCall,
        runtime: FunctionsRuntime,
        env: Env,
        told: list[ChatMessage],
        stopped: list[str],
    ) -> str:
        args = dict(call.args)
        verdict = self._ask(call.function, args)
        if verdict != "allow":
            stopped.append(f"{call.function}: {verdict}")
            if stopped is self.stopped_injected:
                return ""
            # the person answers: a user's own call runs after the interruption, which was counted
        result, _ = runtime.run_function(env, call.function, args)
        text = tool_result_to_str(result)
        self._tell(call.function, args, text)
        told.append(
            ChatAssistantMessage(
                role="assistant", tool_calls=[call], content=[text_content_block_from_string("")]
            )
        )
        told.append(
            ChatToolResultMessage(
                role="tool",
                content=[text_content_block_from_string(text)],
                tool_call=call,
                tool_call_id=None,
                error=None,
            )
        )
        return text


def _holds(text: str, poison: Sequence[str]) -> bool:
    letters = _letters(text)
    return any(one in letters for one in poison)


def _letters(text: str) -> str:
    """Return the letters and digits of *text*: results wrap and quote what was planted in them."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


def _said(text: str) -> ChatAssistantMessage:
    return ChatAssistantMessage(
        role="assistant", content=[text_content_block_from_string(text)], tool_calls=None
    )
