"""A JSON document on a hook's stdout, as the dialects spell it.

{"decision": …, "hookSpecificOutput": {…}}  ->  HookReply

Pure. Claude Code's schema is the strict one: what it does not take is told and not obeyed. Our own
dialect also takes the spellings people reach for first, such as a flat ``permissionDecision``.
"""

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from snaphook.canon import Verdict


class NotUnderstood(Exception):  # noqa: N818 - it says what the document is
    """The document is JSON, but not of the shape its dialect reads."""


class MeansNothing(NotUnderstood):
    """The document has no key that anybody reads; it was hardly meant for us."""


class SpecificWire(Struct, rename="camel"):
    """``hookSpecificOutput``."""

    hook_event_name: str | None = None
    permission_decision: str | None = None
    permission_decision_reason: str | None = None
    updated_input: dict[str, Any] | None = None
    additional_context: str | None = None
    initial_user_message: str | None = None
    updated_tool_output: Any | UnsetType = UNSET
    updated_mcp_tool_output: Any | UnsetType = field(default=UNSET, name="updatedMCPToolOutput")
    worktree_path: str | None = None
    decision: Any = None
    """An object on PermissionRequest; a nested word on Stop is ignored, as Claude Code does."""


class FlatWire(Struct, rename="camel"):
    """What only our own dialect reads, spelled flat."""

    permission_decision: str | None = None
    permission_decision_reason: str | None = None
    updated_input: dict[str, Any] | None = None
    additional_context: str | None = None
    modified_prompt: str | None = None
    preserve_context: tuple[str, ...] = ()
    export_state: dict[str, Any] | None = None
    model: str | None = None
    retry: bool | None = None
    fallback_model: str | None = None
    backoff_ms: int | None = None


class DocumentWire(Struct, rename="camel"):
    """The top level; keys beyond these are harmless."""

    go_on: bool = field(default=True, name="continue")
    stop_reason: str | None = None
    system_message: str | None = None
    decision: str | None = None
    reason: str | None = None
    specific: SpecificWire | None = field(default=None, name="hookSpecificOutput")


class HookReply(Struct, frozen=True, kw_only=True):
    """The document, understood."""

    document: DocumentWire
    specific: SpecificWire
    flat: FlatWire
    word: Verdict | None
    """The top-level ``decision``."""
    permission: Verdict | None
    """The ``permissionDecision``."""
    strict: bool
    """Claude Code's schema: what it does not take on an event is not obeyed."""

    @property
    def refuses(self) -> bool:
        """Say whether the top-level word is a no."""
        return self.word is Verdict.DENY

    @property
    def context(self) -> str | None:
        """Return what the agent should know."""
        return self.specific.additional_context or None


_DOCUMENT = msgspec.json.Decoder(DocumentWire)
_FLAT = msgspec.json.Decoder(FlatWire)
_KEYS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_WORDS = {"approve": Verdict.ALLOW, "block": Verdict.DENY}
_OWN_WORDS = _WORDS | {"allow": Verdict.ALLOW, "deny": Verdict.DENY, "ask": Verdict.ASK}
_PERMISSIONS = {
    "allow": Verdict.ALLOW,
    "ask": Verdict.ASK,
    "defer": Verdict.ASK,
    "deny": Verdict.DENY,
}
_HARMLESS = {"suppressOutput", "async", "asyncTimeout", "terminalSequence"}
_KNOWN = frozenset({*DocumentWire.__struct_encode_fields__, *_HARMLESS})
_OWN_KNOWN = _KNOWN | set(FlatWire.__struct_encode_fields__)


def understand(text: str, event_name: str, *, strict: bool) -> HookReply | None:
    """Return what the document *text* says, or ``None`` if it is none: not one whole JSON object.

    Raise NotUnderstood if it is, and not what the dialect reads.
    """
    if not text.startswith("{"):
        return None
    try:
        keys = _KEYS.decode(text)
    except msgspec.DecodeError:
        return None
    if _OWN_KNOWN.isdisjoint(keys) and keys:
        raise MeansNothing(f"none of its keys ({', '.join(keys)}) means anything")
    if strict and _KNOWN.isdisjoint(keys) and keys:
        raise NotUnderstood(f"{', '.join(keys)} must stand under hookSpecificOutput")
    try:
        document = _DOCUMENT.decode(text)
        flat = FlatWire() if strict else _FLAT.decode(text)
    except msgspec.ValidationError as error:
        raise NotUnderstood(str(error)) from error
    specific = _filled(_specific(document, event_name, strict=strict), flat)
    return HookReply(
        document=document,
        specific=specific,
        flat=flat,
        word=_verdict("decision", document.decision, _WORDS if strict else _OWN_WORDS),
        permission=_verdict("permissionDecision", specific.permission_decision, _PERMISSIONS),
        strict=strict,
    )


def _specific(document: DocumentWire, event_name: str, *, strict: bool) -> SpecificWire:
    specific = document.specific
    if specific is None:
        return SpecificWire()
    named = specific.hook_event_name
    if named != event_name and (strict or named is not None):
        raise NotUnderstood(f"its hookEventName is {named!r}, not {event_name!r}")
    return specific


def _filled(specific: SpecificWire, flat: FlatWire) -> SpecificWire:
    """Return *specific* with what was spelled flat in the places left empty."""
    shared = set(specific.__struct_fields__) & set(flat.__struct_fields__)
    empty = {name: getattr(flat, name) for name in shared if getattr(specific, name) is None}
    return msgspec.structs.replace(specific, **empty)


def _verdict(key: str, word: str | None, words: dict[str, Verdict]) -> Verdict | None:
    if word is not None and word not in words:
        raise NotUnderstood(f"its {key} is {word!r}, not one of {', '.join(words)}")
    return words[word] if word is not None else None
