"""The one table of events: which method hears it, what may be said, who hears why.

Read by the engine, by every dialect, by the reference page and by the tests.
"""

from collections.abc import Mapping

from msgspec import Struct

from . import events as e
from . import outputs as o
from .verdict import Recipient, Verdict

_ALLOW, _MODIFY, _ASK, _DENY, _BLOCK = Verdict


class EventSpec(Struct, frozen=True, kw_only=True):
    """One row: an event, and what a provider may do about it."""

    event: type[e.Event]
    output: type[o.Output]
    method: str
    may_say: tuple[Verdict, ...] = ()
    reason_to: Recipient = Recipient.USER
    """Who hears the reason of a verdict that stops."""
    concurrent: bool = False
    """Nobody's answer depends on another's, so all fire at once; a block still counts."""
    when: str

    @property
    def name(self) -> str:
        """Return the event's name as settings files spell it."""
        return self.event.__name__

    @property
    def can_block(self) -> bool:
        """Say whether any answer can stop what is happening."""
        return any(verdict.stops for verdict in self.may_say)


EVENTS: tuple[EventSpec, ...] = (
    EventSpec(
        event=e.SessionStart,
        output=o.SessionStartOutput,
        method="on_session_start",
        when="A session starts, resumes, is cleared or was compacted; before anything else.",
    ),
    EventSpec(
        event=e.UserPromptSubmit,
        output=o.UserPromptOutput,
        method="on_user_prompt_submitted",
        may_say=(_DENY,),
        when="A prompt was submitted, before the model sees it.",
    ),
    EventSpec(
        event=e.PreToolUse,
        output=o.PreToolUseOutput,
        method="on_pre_tool_use",
        may_say=(_ALLOW, _ASK, _DENY, _MODIFY),
        reason_to=Recipient.AGENT,
        when="A tool is about to run.",
    ),
    EventSpec(
        event=e.PermissionRequest,
        output=o.PermissionRequestOutput,
        method="on_permission_request",
        may_say=(_ALLOW, _DENY),
        reason_to=Recipient.BOTH,
        when="A person is about to be asked whether a tool may run.",
    ),
    EventSpec(
        event=e.PostToolUse,
        output=o.PostToolUseOutput,
        method="on_post_tool_use",
        may_say=(_BLOCK,),
        reason_to=Recipient.AGENT,
        when="A tool ran and succeeded.",
    ),
    EventSpec(
        event=e.PostToolUseFailure,
        output=o.PostToolUseFailureOutput,
        method="on_post_tool_use_failure",
        when="A tool ran and failed.",
    ),
    EventSpec(
        event=e.Stop,
        output=o.StopOutput,
        method="on_stop",
        may_say=(_BLOCK,),
        reason_to=Recipient.AGENT,
        when="The agent would stop: no more tool calls.",
    ),
    EventSpec(
        event=e.SubagentStart,
        output=o.SubagentStartOutput,
        method="on_subagent_start",
        may_say=(_ALLOW, _DENY),
        reason_to=Recipient.AGENT,
        when="A subagent is about to start.",
    ),
    EventSpec(
        event=e.SubagentStop,
        output=o.SubagentStopOutput,
        method="on_subagent_stop",
        may_say=(_BLOCK,),
        reason_to=Recipient.AGENT,
        concurrent=True,
        when="A subagent finished, before its result is taken.",
    ),
    EventSpec(
        event=e.PreCompact,
        output=o.PreCompactOutput,
        method="on_pre_compact",
        may_say=(_BLOCK,),
        when="The conversation is about to be shortened.",
    ),
    EventSpec(
        event=e.ErrorOccurred,
        output=o.ErrorRecoveryOutput,
        method="on_error_occurred",
        when="A model call, a tool or the network failed.",
    ),
    EventSpec(
        event=e.Notification,
        output=o.NotificationOutput,
        method="on_notification",
        concurrent=True,
        when="The host tells the person something.",
    ),
    EventSpec(
        event=e.SessionEnd,
        output=o.SessionEndOutput,
        method="on_session_end",
        concurrent=True,
        when="The session is over; after the last Stop.",
    ),
    EventSpec(
        event=e.HostEvent,
        output=o.HostEventOutput,
        method="on_host_event",
        concurrent=True,
        when="Something only this host has; carried whole.",
    ),
)

SPECS: Mapping[type[e.Event], EventSpec] = {spec.event: spec for spec in EVENTS}
BY_NAME: Mapping[str, EventSpec] = {
    spec.name: spec for spec in EVENTS if spec.event is not e.HostEvent
}
METHODS: Mapping[str, EventSpec] = {spec.method: spec for spec in EVENTS}


def spec_of(event: e.Event) -> EventSpec:
    """Return the row of *event*."""
    return SPECS[type(event)]
