"""The text form of a script.

text  ->  turns, and what is said otherwise

Pure. The form is shown in the docstring of :mod:`snaphook.testing.script`.
"""

import json
import shlex
from typing import Any, NoReturn

from msgspec.structs import replace

from .script import (
    Answer,
    Call,
    Drop,
    Failure,
    Garble,
    Reply,
    Say,
    Step,
    Think,
    Tokens,
    Turn,
    Wait,
    bad_script,
)

_STEPS = "say, think, call, wait, drop, garble, usage, fail"


def parse(text: str) -> tuple[list[Turn], Answer | None]:
    """Return the turns of *text* in order, and its ``otherwise``."""
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), start=1):
        reader.read(number, line.strip())
    return reader.finish()


class _Reader:
    """Collects turns line by line."""

    def __init__(self) -> None:
        self.turns: list[Turn] = []
        self.otherwise: Answer | None = None
        self._head: Turn | None = None
        self._is_otherwise = False
        self._steps: list[Step] = []
        self._tokens = Tokens()
        self._failure: Failure | None = None

    def read(self, number: int, line: str) -> None:
        if not line or line.startswith("#"):
            return
        if line.startswith("|"):
            self._go_on(number, line[1:].removeprefix(" "))
            return
        word, _, rest = line.partition(" ")
        if word in {"turn", "otherwise"}:
            self._close()
            self._head = _head(number, rest)
            self._is_otherwise = word == "otherwise"
        elif self._head is None:
            _refuse(number, f"'{word}' stands before the first turn", "Write 'turn' above it.")
        else:
            self._step(number, word, rest.strip())

    def finish(self) -> tuple[list[Turn], Answer | None]:
        self._close()
        return self.turns, self.otherwise

    def _step(self, number: int, word: str, rest: str) -> None:
        match word:
            case "say":
                self._steps.append(Say(rest))
            case "think":
                self._steps.append(Think(rest))
            case "call":
                self._steps.append(_call(number, rest))
            case "wait":
                self._steps.append(Wait(_number(number, rest)))
            case "drop":
                self._steps.append(Drop())
            case "garble":
                self._steps.append(Garble())
            case "usage":
                read, _, written = rest.partition(" ")
                self._tokens = Tokens(int(_number(number, read)), int(_number(number, written)))
            case "fail":
                self._failure = _failure(number, rest)
            case _:
                _refuse(number, f"no step is called '{word}'", f"Use one of: {_STEPS}.")

    def _go_on(self, number: int, text: str) -> None:
        last = self._steps[-1] if self._steps else None
        if not isinstance(last, Say | Think):
            _refuse(number, "'|' follows no text", "Put it under a 'say' or a 'think'.")
        self._steps[-1] = replace(last, text=f"{last.text}\n{text}".lstrip("\n"))

    def _close(self) -> None:
        if self._head is None:
            return
        reply = Reply(steps=tuple(self._steps), tokens=self._tokens)
        answer: Answer = self._failure or reply
        if self._is_otherwise:
            self.otherwise = answer
        else:
            self.turns.append(replace(self._head, answer=answer))
        self._head, self._steps, self._tokens, self._failure = None, [], Tokens(), None


def _head(number: int, rest: str) -> Turn:
    words = iter(_split(number, rest))
    conditions: dict[str, Any] = {}
    for word in words:
        match word:
            case "when" | "system":
                conditions[word] = next(words, "")
            case "with" | "without":
                next(words, "")
                conditions["tools"] = word == "with"
            case "always":
                conditions["always"] = True
            case _:
                _refuse(
                    number,
                    f"a turn does not take '{word}'",
                    'Use when "…", system "…", with tools, without tools, always.',
                )
    return Turn(answer=Reply(), **conditions)


def _call(number: int, rest: str) -> Call:
    name, _, given = rest.partition(" ")
    try:
        args = json.loads(given or "{}")
    except ValueError as error:
        raise bad_script(number, f"the arguments are no JSON ({error})", "Write {…}.") from None
    if not name or not isinstance(args, dict):
        _refuse(number, "a call needs a name and an object", 'Write: call Read {"file_path": "a"}')
    return Call(name, args)


def _failure(number: int, rest: str) -> Failure:
    status, _, words = rest.partition(" ")
    retry_after = None
    if words.startswith("retry-after "):
        seconds, _, words = words.removeprefix("retry-after ").partition(" ")
        retry_after = _number(number, seconds)
    return Failure(
        status=int(_number(number, status)),
        message=words or "scripted failure",
        retry_after=retry_after,
    )


def _number(number: int, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise bad_script(number, f"'{text}' is no number", "Write one, such as 0.5.") from None


def _split(number: int, text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise bad_script(number, f"{error}", "Close the quotes.") from None


def _refuse(number: int, what: str, fix: str) -> NoReturn:
    raise bad_script(number, what, fix)
