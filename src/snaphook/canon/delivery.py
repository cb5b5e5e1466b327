"""Who hears what of an output.

Event, Output  ->  texts for the agent, texts for the person

The recipient is a property of the outcome: a stop's reason goes where the table says, the reason for
asking or allowing goes to the person, and a message names its own. Hosts render this, each its way.
"""

from msgspec import Struct

from .events import Event, UserPromptSubmit
from .outputs import Output, contexts, reason, verdict
from .table import spec_of
from .verdict import Recipient, Verdict


class Delivery(Struct, frozen=True, kw_only=True):
    """What an output comes to in words."""

    verdict: Verdict | None = None
    to_agent: tuple[str, ...] = ()
    to_user: tuple[str, ...] = ()
    context: tuple[str, ...] = ()
    """Added to what the model knows, in order."""
    prompt_erased: bool = False


def deliver(event: Event, output: Output | None) -> Delivery:
    """Return who hears what of *output*; the reason comes before the messages."""
    if output is None:
        return Delivery()
    said = verdict(output)
    heard: list[tuple[str, Recipient]] = []
    if said is not None and (why := reason(output)):
        heard.append((why, spec_of(event).reason_to if said.stops else Recipient.USER))
    heard += [(message.text, message.to) for message in output.messages]
    return Delivery(
        verdict=said,
        to_agent=tuple(text for text, to in heard if to.reaches_agent),
        to_user=tuple(text for text, to in heard if to.reaches_user),
        context=contexts(output),
        prompt_erased=isinstance(event, UserPromptSubmit) and said is Verdict.DENY,
    )
