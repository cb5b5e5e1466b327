"""The transcript of Codex, its *rollout*: a head, then items as they went to and from the model.

{"type": "response_item", "payload": {"type": "function_call", "arguments": "{…}", …}, …}

Its hooks tell of a shell call as ``Bash``, whatever the model's tool was called, and so do we. Usage
is told twice by newer versions (``token_usage_record`` and ``token_count``) and once by older ones;
the second is believed only until the first is seen.
"""

import os
import shlex
from collections.abc import Iterator
from typing import Any

import msgspec

from .entries import Called, Entry, Prompted, Returned, Said, Used
from .lines import Line, moment, number, text_of

HOST = "codex"
_CALLS = {"function_call": "arguments", "custom_tool_call": "input", "local_shell_call": "action"}
_SHELLS = ("exec_command", "local_shell", "shell", "shell_command", "container.exec")
_RETURNS = ("function_call_output", "custom_tool_call_output")
_OURS = ("<environment_context>", "<user_instructions>", "<turn_aborted>", "# AGENTS.md")
"""What Codex itself puts where a person's words stand."""


def knows(line: Line) -> bool:
    """Say whether *line* is one of Codex's."""
    return "payload" in line and "type" in line


class Reader:
    """Turns lines into entries; remembers what the head and the turns said."""

    def __init__(self) -> None:
        self._session = ""
        self._cwd = ""
        self._model = ""
        self._subagent = False
        self._records = False
        self._counted = 0

    def entries(self, line: Line) -> Iterator[Entry]:
        """Yield what *line* tells."""
        payload = line.get("payload")
        if not isinstance(payload, dict):
            return
        match line.get("type"):
            case "session_meta":
                self._session = str(payload.get("id") or payload.get("session_id") or "")
                self._cwd = str(payload.get("cwd") or "")
                self._subagent = isinstance(payload.get("source"), dict)
            case "turn_context":
                self._cwd = str(payload.get("cwd") or self._cwd)
                self._model = str(payload.get("model") or self._model)
            case "response_item":
                yield from self._item(payload, self._shared(line))
            case "token_usage_record":
                self._records = True
                yield from self._used(payload.get("usage"), self._shared(line))
            case "event_msg" if payload.get("type") == "token_count" and not self._records:
                info = payload.get("info")
                last = info.get("last_token_usage") if isinstance(info, dict) else None
                yield from self._used(last, self._shared(line))

    def _shared(self, line: Line) -> dict[str, Any]:
        return {
            "host": HOST,
            "session": self._session,
            "time": moment(line.get("timestamp")),
            "cwd": self._cwd,
            "subagent": self._subagent,
        }

    def _item(self, item: dict[str, Any], shared: dict[str, Any]) -> Iterator[Entry]:
        kind = item.get("type")
        if kind == "message":
            text = text_of(item.get("content"))
            if item.get("role") == "assistant" and text:
                yield Said(text=text, **shared)
            elif item.get("role") == "user" and text and not text.startswith(_OURS):
                yield Prompted(text=text, **shared)
        elif isinstance(kind, str) and kind in _CALLS:
            tool = str(item.get("name") or "local_shell")
            args = _arguments(item.get(_CALLS[kind]))
            where = args.get("workdir") or args.get("working_directory")
            if isinstance(where, str) and tool in _SHELLS:
                shared |= {"cwd": os.path.join(self._cwd, where)}  # noqa: PTH118 - names, not files
            yield Called(
                id=str(item.get("call_id") or item.get("id") or ""),
                tool="Bash" if tool in _SHELLS else tool,
                args={"command": _command(args)} if tool in _SHELLS else args,
                **shared,
            )
        elif kind in _RETURNS:
            output = item.get("output")
            text = output if isinstance(output, str) else text_of(output)
            yield Returned(
                id=str(item.get("call_id") or ""), text=text, failed=_failed(text), **shared
            )

    def _used(self, usage: object, shared: dict[str, Any]) -> Iterator[Entry]:
        if not isinstance(usage, dict):
            return
        self._counted += 1
        cached = number(usage.get("cached_input_tokens"))
        written = number(usage.get("cache_write_input_tokens"))
        yield Used(
            id=f"{self._session}:{self._counted}",
            model=self._model,
            input_tokens=max(0, number(usage.get("input_tokens")) - cached - written),
            output_tokens=number(usage.get("output_tokens")),
            cache_read_tokens=cached,
            cache_write_tokens=written,
            **shared,
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
    return shlex.join(words)


def _failed(output: str) -> bool:
    """Say whether a command failed; newer versions say it in words, older ones in JSON."""
    head = output[:400]
    told = "exited with code " in head and "exited with code 0" not in head
    return told or ('"exit_code":' in output and '"exit_code":0' not in output)
