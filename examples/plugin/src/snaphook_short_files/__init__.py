"""A provider that keeps files short.

PreToolUse(Write)  ->  deny, with a word to the agent
"""

from snaphook import HookContext, HooksProvider, PreToolUse, PreToolUseOutput, Verdict


class ShortFiles(HooksProvider):
    """Deny writing a file of more than *most* lines."""

    name = "short-files"

    def __init__(self, most: int = 400) -> None:
        self._most = most

    async def on_pre_tool_use(
        self, event: PreToolUse, context: HookContext
    ) -> PreToolUseOutput | None:
        """Look at what would be written; the tool's name is the same on every host."""
        lines = str(event.tool_args.get("content", "")).count("\n")
        if event.tool_name != "Write" or lines <= self._most:
            return None
        return PreToolUseOutput(
            decision=Verdict.DENY,
            reason=f"{lines} lines in one file. Keep it to {self._most}; split it by what it holds.",
        )
