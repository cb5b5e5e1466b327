"""The wires a scripted model speaks, one module each.

To add one: a module with these five functions, and a line in the table.
"""

from collections.abc import Iterator
from typing import Any, Protocol

from snaphook.testing.script import Asked, Drop, Failure, Reply, Wait

from . import anthropic, augment, gemini, openai_chat, openai_responses


class Wire(Protocol):
    """A vendor's way of asking and answering over HTTP."""

    def claims(self, path: str) -> bool:
        """Say whether a POST to *path* is this wire's."""
        ...

    def decode(self, path: str, body: dict[str, Any]) -> Asked:
        """Return what was asked."""
        ...

    def objections(self, body: dict[str, Any]) -> list[str]:
        """Return why the real API would refuse *body*; empty when it would not."""
        ...

    def whole(self, reply: Reply, asked: Asked) -> dict[str, Any]:
        """Return the answer in one JSON object."""
        ...

    def stream(self, reply: Reply, asked: Asked) -> Iterator[bytes | Wait | Drop]:
        """Yield the answer as server-sent events, with the pauses and the break it holds."""
        ...

    def failure(self, failure: Failure) -> dict[str, Any]:
        """Return the body of an error."""
        ...


WIRES: dict[str, Wire] = {
    "anthropic": anthropic,
    "openai-chat": openai_chat,
    "openai-responses": openai_responses,
    "gemini": gemini,
    "augment": augment,
}


def wire_of(path: str) -> Wire | None:
    """Return the wire that *path* belongs to."""
    return next((wire for wire in WIRES.values() if wire.claims(path)), None)
