"""A person speaks: what they are about to do, what would be lost, what they set aside.

UserPromptSubmit  ->  intents  ->  context, a warning, or the prompt sent back

| the prompt says | what happens |
|---|---|
| exit | unsaved work is named; nothing is kept from leaving |
| complete | sent back while something is missing |
| abort | the reason is logged |
| skip, skip docs | tracked |
| something destructive | sent back |
| just do it, force | let through, and tracked |
| exit anyway | what is lost is named and logged |
"""

from typing import Any

from snaphook.canon import Message, Recipient, UserPromptOutput, UserPromptSubmit, Verdict
from snaphook.stores.workspace.runs import REQUIRED, is_filled

from .briefing import document_of
from .holding import held
from .intents import Bypass, Intents, PromptIntent, intents
from .notes import Bypassed, PromptGiven
from .off_task import foreign_words
from .scope import EventScope

CONSTRAINTS = {
    "executor": (("queue.yaml",), "An executor must not change the queue: the planner does."),
    "planner": (("events.yaml",), "A planner must not write to the event log."),
}
"""What an agent may not be asked for, by its type: the words, and why."""


def answer(event: UserPromptSubmit, scope: EventScope) -> UserPromptOutput | None:
    """Return what is to be said about the prompt of *event*."""
    meant = intents(event.prompt)
    scope.notebook.add(PromptGiven(at=scope.now))
    for bypass in meant.bypasses:
        scope.notebook.add(Bypassed(at=scope.now, phrase=bypass.value, prompt=event.prompt[:500]))
    if meant.intent is PromptIntent.SKIP and not meant.bypasses:
        scope.notebook.add(Bypassed(at=scope.now, phrase="skip", prompt=event.prompt[:500]))
    if entry := _entry(meant, event.prompt):
        _log(scope, entry)
    if scope.settings.block_prompts and not meant.overrides and (why := _refusal(meant, scope)):
        return UserPromptOutput(decision=Verdict.DENY, reason=why)
    warnings = [*_on_leaving(meant, scope), *_off_task(meant, event.prompt, scope)]
    if not warnings and not meant.bypasses:
        return None
    notes = tuple(Message(text, Recipient.USER) for text in warnings)
    context = [
        *warnings,
        *(f"The person said '{each}'; that is on record." for each in meant.bypasses),
    ]
    return UserPromptOutput(additional_context=tuple(context), messages=notes)


def unsaved(scope: EventScope) -> list[str]:
    """Return what would be lost if the session ended now."""
    lost = []
    if (task := _task(scope)) is not None:
        lost.append(f"{task.id} is still in progress")
    if (run := scope.run_dir) is not None and (scope.session.files or scope.session.tools):
        lost += [f"{name} is still empty" for name in REQUIRED if not is_filled(run / name)]
    lost += [
        f"subagent {child.type} ({child.id}) has not finished" for child in scope.session.at_work
    ]
    return lost


def _task(scope: EventScope) -> Any:
    place = scope.workspace
    return held(place.snapshot(entries=0), scope.identity) if place else None


def _refusal(meant: Intents, scope: EventScope) -> str:
    if meant.destructive:
        return (
            f"[BB5] '{meant.destructive}' looks destructive, so the prompt was not sent.\n"
            "Say exactly what to delete, or send it again with 'force' at the end."
        )
    if meant.intent is PromptIntent.COMPLETE and (missing := _incomplete(scope)):
        rows = "\n".join(f"- {each}" for each in missing)
        return (
            f"[BB5] The task is not complete yet:\n{rows}\n"
            "Have these done first, or send the prompt again with 'just do it'."
        )
    return ""


def _incomplete(scope: EventScope) -> list[str]:
    """Return everything that stands between the task and its end."""
    place, task = scope.workspace, _task(scope)
    if place is None or task is None:
        return []
    open_ones = [each.text for each in document_of(place.layout, task.id).criteria if not each.met]
    missing = [f"{task.id}: not met: {text}" for text in open_ones]
    if (run := scope.run_dir) is not None:
        missing += [
            f"{run / name} is still empty" for name in REQUIRED if not is_filled(run / name)
        ]
    return missing


def _on_leaving(meant: Intents, scope: EventScope) -> list[str]:
    if meant.intent is not PromptIntent.EXIT and Bypass.EXIT_ANYWAY not in meant.bypasses:
        return []
    lost = unsaved(scope)
    if not lost:
        return []
    rows = "\n".join(f"- {each}" for each in lost)
    if Bypass.EXIT_ANYWAY in meant.bypasses:
        return [f"[BB5] Exited anyway. This is not saved:\n{rows}"]
    how = "Say 'exit anyway' to exit without saving."
    return [f"[BB5] Before you exit: this is not saved yet.\n{rows}\n{how}"]


def _off_task(meant: Intents, prompt: str, scope: EventScope) -> list[str]:
    found = []
    words, why = CONSTRAINTS.get(scope.identity.agent_type, ((), ""))
    asks = any(
        verb in prompt.lower() for verb in ("edit", "change", "modify", "update", "write", "add to")
    )
    if asks and any(word in prompt for word in words):
        found.append(f"[BB5] {why}")
    task = _task(scope)
    if task is None or task.id in meant.tasks or meant.intent is not None:
        return found
    if meant.tasks:
        found.append(
            f"[BB5] Off task: this run is about {task.id}, the prompt names {', '.join(meant.tasks)}. "
            "ONE task per run: complete, block or release it first."
        )
    elif _is_foreign(prompt, task, scope):
        found.append(
            f"[BB5] Off task? This run is about {task.id} ({task.title}), and the prompt shares no word with "
            "it. ONE task per run: queue the request, or complete, block or release the task first."
        )
    return found


def _is_foreign(prompt: str, task: Any, scope: EventScope) -> bool:
    """Say whether *prompt* asks for work that *task* does not speak of."""
    place = scope.workspace
    document = document_of(place.layout, task.id) if place else None
    known = [task.title, scope.identity.project]
    if document is not None:
        known += [document.title, *document.sections.values()]
    return bool(foreign_words(prompt, known, scope.session.files))


def _entry(meant: Intents, prompt: str) -> dict[str, Any] | None:
    """Return the row for the log, where the prompt is worth one."""
    if meant.intent is PromptIntent.ABORT:
        return {"type": "aborted", "notes": prompt[:500]}
    if meant.bypasses or meant.intent is PromptIntent.SKIP:
        phrases = [each.value for each in meant.bypasses] or ["skip"]
        return {"type": "bypass", "notes": prompt[:500], "data": {"phrases": phrases}}
    return None


def _log(scope: EventScope, entry: dict[str, Any]) -> None:
    if scope.workspace is None:
        return
    identity = scope.identity
    row = {
        **entry,
        "agent": identity.agent_type,
        "run_id": identity.run_id,
        "task_id": scope.session.task,
        "source": "hook",
    }
    scope.later("note", {"entries": [row]}, key=f"prompt:{scope.session_id}:{scope.now}")
