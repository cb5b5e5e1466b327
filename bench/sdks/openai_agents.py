"""openai-agents."""

from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    Runner,
    Usage,
    function_tool,
    set_tracing_disabled,
)
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from bench.sdks import CALLS, Pair, work
from snaphook.bridges.openai_agents import Hooked


def pair(hooks: Any) -> Pair:
    set_tracing_disabled(True)
    agent = Agent[Any](name="main", model=Scripted(), tools=[function_tool(work)])
    hooked, turns = Hooked(hooks), CALLS + 1
    return (
        lambda: Runner.run(agent, "go", max_turns=turns),
        lambda: hooked.run(agent, "go", max_turns=turns),
    )


class Scripted(Model):
    """Calls the tool so many times, then says so."""

    async def get_response(self, *given: Any, **named: Any) -> ModelResponse:
        step = sum(isinstance(item, dict) and "output" in item for item in named["input"])
        if step < CALLS:
            said: Any = ResponseFunctionToolCall(
                call_id=f"{step}",
                name="work",
                arguments=f'{{"step": {step}}}',
                type="function_call",
            )
        else:
            text = ResponseOutputText(text="done", annotations=[], type="output_text")
            said = ResponseOutputMessage(
                id="1", content=[text], role="assistant", status="completed", type="message"
            )
        return ModelResponse(output=[said], usage=Usage(), response_id=None)

    def stream_response(self, *given: Any, **named: Any) -> Any:
        raise NotImplementedError
