"""What a scripted model says, turn by turn, in Python or in a small text.

Asked  ->  Reply | Failure

A text is a list of turns; each turn is a list of steps, one a line, indented:

    turn
      think The file first.
      say I'll read it.
      call Read {"file_path": "README.md"}
    turn when "No such file"
      say It is not there.
    turn
      fail 529 retry-after 0.2 Overloaded
    turn
      say Half a sent
      drop
    otherwise
      say Nothing more to do.

``turn`` takes ``when "words"`` (something said since the model last spoke), ``system "words"``
(in its instructions), ``with tools`` / ``without tools``, and ``always`` (not used up). Turns that
set a condition are tried first, in order; then the next plain one speaks. The steps: ``say``,
``think``, ``call NAME JSON``, ``wait SECONDS``, ``drop`` (the connection breaks), ``garble`` (a
chunk that is no JSON), ``usage INPUT OUTPUT``, ``fail STATUS [retry-after SECONDS] [words]``. A
line that starts with ``|`` goes on with the text above it.
"""

import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from snaphook.errors import UsageError


class Say(Struct, frozen=True):
    """Say *text*."""

    text: str


class Think(Struct, frozen=True):
    """Think *text* aloud, where the wire has a place for it."""

    text: str


class Call(Struct, frozen=True):
    """Call a tool; an id is made where none is given."""

    name: str
    args: dict[str, Any] = field(default_factory=dict)
    id: str = ""


class Wait(Struct, frozen=True):
    """Pause before the next piece."""

    seconds: float


class Drop(Struct, frozen=True):
    """Break the connection here."""


class Garble(Struct, frozen=True):
    """Send a chunk that is no JSON."""


Step: TypeAlias = Say | Think | Call | Wait | Drop | Garble


class Tokens(Struct, frozen=True):
    """What the answer claims to have cost."""

    input: int = 100
    output: int = 20


class Reply(Struct, frozen=True, kw_only=True):
    """An answer, step by step."""

    steps: tuple[Step, ...] = ()
    tokens: Tokens = Tokens()
    piece: int = 24
    """How many characters a streamed piece holds."""

    @property
    def calls(self) -> tuple[Call, ...]:
        """Return the tool calls of this answer."""
        return tuple(step for step in self.steps if isinstance(step, Call))

    def text(self, kind: type[Say] | type[Think] = Say) -> str:
        """Return everything this answer says (or thinks), in one piece."""
        return "".join(step.text for step in self.steps if isinstance(step, kind))

    def pieces(self, text: str) -> Iterator[str]:
        """Yield *text* in streaming sizes."""
        for start in range(0, len(text), self.piece):
            yield text[start : start + self.piece]


class Failure(Struct, frozen=True, kw_only=True):
    """An HTTP error in place of an answer."""

    status: int
    message: str = "scripted failure"
    retry_after: float | None = None


Answer: TypeAlias = Reply | Failure


class Line(Struct, frozen=True, kw_only=True):
    """One thing a model was told: text, a call it made, a tool's result."""

    role: str
    kind: str
    text: str
    name: str = ""


class Asked(Struct, frozen=True, kw_only=True):
    """A request a scripted model saw, whatever its wire."""

    wire: str
    model: str = ""
    stream: bool = False
    system: str = ""
    lines: tuple[Line, ...] = ()
    tools: tuple[str, ...] = ()
    body: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    path: str = ""

    @property
    def news(self) -> str:
        """Return what was said since the model last spoke."""
        fresh: list[str] = []
        for line in reversed(self.lines):
            if line.role == "assistant":
                break
            fresh.append(line.text)
        return "\n".join(reversed(fresh))

    def heard(self, words: str) -> bool:
        """Say whether *words* are anywhere in what the model was told."""
        return words in self.system or any(words in line.text for line in self.lines)


class Turn(Struct, frozen=True, kw_only=True):
    """An answer, and when it is given."""

    answer: Answer
    when: str = ""
    system: str = ""
    tools: bool | None = None
    tool: str = ""
    """Only where this tool is offered: side requests may come with tools of their own."""
    always: bool = False

    @property
    def conditional(self) -> bool:
        """Say whether this turn waits for something."""
        return bool(self.when or self.system or self.tool or self.tools is not None)

    def fits(self, asked: Asked) -> bool:
        """Say whether *asked* is what this turn waits for."""
        return (
            self.when in asked.news
            and self.system in asked.system
            and (self.tools is None or self.tools is bool(asked.tools))
            and (not self.tool or self.tool in asked.tools)
        )


def say(text: str, *calls: Call, tokens: Tokens | None = None) -> Reply:
    """Return the everyday answer: some words, then some calls."""
    steps: tuple[Step, ...] = (*((Say(text),) if text else ()), *calls)
    return Reply(steps=steps, tokens=tokens or Tokens())


Responder: TypeAlias = Callable[[Asked], Answer]


class Script:
    """The turns of a scripted model, used up as they are spoken; safe to share between threads."""

    def __init__(
        self, turns: Iterable[Turn | Answer], *, otherwise: Answer | Responder | None = None
    ) -> None:
        self._turns = [turn if isinstance(turn, Turn) else Turn(answer=turn) for turn in turns]
        self._otherwise = otherwise
        self._lock = threading.Lock()
        self._calls = 0
        self.asked: list[Asked] = []
        """Every request so far, in order."""

    @classmethod
    def parse(cls, text: str) -> "Script":
        """Return the script that *text* tells; see the module's docstring for the form."""
        from .parse import parse

        turns, otherwise = parse(text)
        return cls(turns, otherwise=otherwise)

    @property
    def left(self) -> int:
        """Return how many turns have not been spoken yet, those that stay aside."""
        return sum(not turn.always for turn in self._turns)

    def answer(self, asked: Asked) -> Answer:
        """Return the answer to *asked*, and remember that it was asked."""
        with self._lock:
            self.asked.append(asked)
            answer = self._choose(asked)
            return self._with_ids(answer) if isinstance(answer, Reply) else answer

    def _choose(self, asked: Asked) -> Answer:
        for wanted in (True, False):
            for index, turn in enumerate(self._turns):
                if turn.conditional is wanted and turn.fits(asked):
                    if not turn.always:
                        del self._turns[index]
                    return turn.answer
        if callable(self._otherwise):
            return self._otherwise(asked)
        return self._otherwise or Failure(
            status=400, message="script: no turn is left for this request. Add one, or 'otherwise'."
        )

    def _with_ids(self, reply: Reply) -> Reply:
        steps = tuple(
            self._with_id(step) if isinstance(step, Call) else step for step in reply.steps
        )
        return replace(reply, steps=steps)

    def _with_id(self, call: Call) -> Call:
        self._calls += 1
        return call if call.id else replace(call, id=f"call_{self._calls:04d}")


def as_script(script: "Script | str | Iterable[Turn | Answer] | Responder") -> Script:
    """Return *script* as a Script, in whichever of its forms it came."""
    if isinstance(script, Script):
        return script
    if isinstance(script, str):
        return Script.parse(script)
    if callable(script):
        return Script((), otherwise=script)
    return Script(script)


def bad_script(line: int, what: str, fix: str) -> UsageError:
    """Return the error for a script that cannot be read at *line*."""
    return UsageError(where=f"script:{line}", what=what, fix=fix)
