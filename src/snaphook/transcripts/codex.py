"""The transcript of Codex, its *rollout*: a head, then items as they went to and from the model.

{"type": "response_item", "payload": {"type": "function_call", "arguments": "{…}", …}, …}

Its hooks tell of a shell call as ``Bash``, whatever the model's tool was called, and so do we. Usage
is told as a sum, twice by newer versions (``token_usage_record`` and ``token_count``) and once by
older ones: a sum that has not grown tells nothing new.
"""

import os
from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct

from snaphook.canon import Usage

from .entries import (
    AssistantText,
    ToolCalled,
    ToolReturned,
    TranscriptEntry,
    UsageReported,
    UserPrompt,
)
from .lines import Line, moment, text_of
from .usage import of_openai

HOST = "codex"
_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}
_SHELLS = ("exec_command", "local_shell", "shell", "shell_command", "container.exec")
_RETURNS = ("function_call_output", "custom_tool_call_output")
_OURS = ("<environment_context>", "<user_instructions>", "<turn_aborted>", "# AGENTS.md")
"""What Codex itself puts where a person's words stand."""


def knows(line: Line) -> bool:
    """Say whether *line* is one of Codex's."""
    return "payload" in line and "type" in line


class Reader(Struct, tag=HOST, kw_only=True, omit_defaults=True):
    """Turns lines into entries; remembers what the head and the turns said."""

    session: str = ""
    cwd: str = ""
    model: str = ""
    subagent: bool = False
    total: Usage = Usage()
    """What was used so far."""

    def entries(self, line: Line) -> Iterator[TranscriptEntry]:
        """Yield what *line* tells."""
        payload = line.get("payload")
        if not isinstance(payload, dict):
            return
        match line.get("type"):
            case "session_meta":
                self.session = str(payload.get("id") or payload.get("session_id") or "")
                self.cwd = str(payload.get("cwd") or "")
                self.subagent = isinstance(payload.get("source"), dict)
            case "turn_context":
                self.cwd = str(payload.get("cwd") or self.cwd)
                self.model = str(payload.get("model") or self.model)
            case "response_item":
                yield from self._item(payload, self._shared(line))
            case _:
                yield from self.used(line)

    def used(self, line: Line) -> Iterator[UsageReported]:
        """Yield what *line* tells was used since the line before that told."""
        match line:
            case {"type": "turn_context", "payload": {"model": str(model)}}:
                self.model = model
            case {"type": "token_usage_record", "payload": {"thread_token_usage": dict(total)}} | {
                "type": "event_msg",
                "payload": {"type": "token_count", "info": {"total_token_usage": dict(total)}},
            }:
                yield from self._grown(of_openai(total), line)

    def _shared(self, line: Line) -> dict[str, Any]:
        return {
            "host": HOST,
            "session": self.session,
            "time": moment(line.get("timestamp")),
            "cwd": self.cwd,
            "subagent": self.subagent,
        }

    def _item(self, item: dict[str, Any], shared: dict[str, Any]) -> Iterator[TranscriptEntry]:
        kind = item.get("type")
        if kind == "message":
            text = text_of(item.get("content"))
            if item.get("role") == "assistant" and text:
                yield AssistantText(text=text, **shared)
            elif item.get("role") == "user" and text and not text.startswith(_OURS):
                yield UserPrompt(text=text, by_person=not self.subagent, **shared)
        elif isinstance(kind, str) and kind in _CALLS:
            tool = str(item.get("name") or "local_shell")
            args = _arguments(item.get(_CALLS[kind]))
            where = args.get("workdir") or args.get("working_directory")
            if isinstance(where, str) and tool in _SHELLS:
                shared |= {"cwd": os.path.join(self.cwd, where)}  # noqa: PTH118 - names, not files
            yield ToolCalled(
                id=str(item.get("call_id") or item.get("id") or ""),
                tool="Bash" if tool in _SHELLS else tool,
                args={"command": _command(args)} if tool in _SHELLS else args,
                **shared,
            )
        elif kind in _RETURNS:
            output = item.get("output")
            text = output if isinstance(output, str) else text_of(output)
            yield ToolReturned(
                id=str(item.get("call_id") or ""), text=text, failed=_failed(text), **shared
            )

    def _grown(self, total: Usage, line: Line) -> Iterator[UsageReported]:
        if total == self.total:
            return
        more = total - self.total
        if min(msgspec.structs.astuple(more)) < 0:  # a thread taken up again counts anew
            more = total
        self.total = total
        yield UsageReported(
            id=f"at {total.input_tokens}+{total.output_tokens}",
            model=self.model,
            usage=more,
            **self._shared(line),
        )


def _arguments(given: object) -> dict[str, Any]:
    """Return the arguments of a call: JSON in a string, a table, or a patch as plain text."""
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given)
        except msgspec.DecodeError:
            return {"command": given}
    return given if isinstance(given, dict) else {}


def _command(args: dict[str, Any]) -> str:
    """Return the command line of a shell call; a list is one that was split already."""
    given = args.get("cmd") or args.get("command") or ""
    if not isinstance(given, list):
        return str(given)
    words = [str(word) for word in given]
    if len(words) == 3 and words[1] in ("-c", "-lc"):  # bash -lc '…'
        return words[2]
    import shlex  # what was used is read on the hook path, where nothing is joined

    return shlex.join(words)


def _failed(output: str) -> bool:
    """Say whether a command failed; newer versions say it in words, older ones in JSON."""
    head = output[:400]
    told = "exited with code " in head and "exited with code 0" not in head
    return told or ('"exit_code":' in output and '"exit_code":0' not in output)
