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
from .desk import Desk
from .holding import held
from .intents import Bypass, Intent, Intents, intents
from .notes import Bypassed, Prompted
from .off_task import foreign_words

CONSTRAINTS = {
    "executor": (("queue.yaml",), "An executor does not change the queue: the planner does."),
    "planner": (("events.yaml",), "A planner does not write to the log of events."),
}
"""What an agent may not be asked for, by its type: the words, and why."""


def answer(event: UserPromptSubmit, desk: Desk) -> UserPromptOutput | None:
    """Return what is to be said about the prompt of *event*."""
    meant = intents(event.prompt)
    desk.notebook.add(Prompted(at=desk.now))
    for bypass in meant.bypasses:
        desk.notebook.add(Bypassed(at=desk.now, phrase=bypass.value, prompt=event.prompt[:500]))
    if meant.intent is Intent.SKIP and not meant.bypasses:
        desk.notebook.add(Bypassed(at=desk.now, phrase="skip", prompt=event.prompt[:500]))
    if entry := _entry(meant, event.prompt):
        _log(desk, entry)
    if desk.settings.block_prompts and not meant.overrides and (why := _refusal(meant, desk)):
        return UserPromptOutput(decision=Verdict.DENY, reason=why)
    warnings = [*_on_leaving(meant, desk), *_off_task(meant, event.prompt, desk)]
    if not warnings and not meant.bypasses:
        return None
    notes = tuple(Message(text, Recipient.USER) for text in warnings)
    context = [
        *warnings,
        *(f"The person said '{each}'; that is on record." for each in meant.bypasses),
    ]
    return UserPromptOutput(additional_context=tuple(context), messages=notes)


def unsaved(desk: Desk) -> list[str]:
    """Return what would be lost if the session ended now."""
    lost = []
    if (task := _task(desk)) is not None:
        lost.append(f"{task.id} is still in progress")
    if (run := desk.run_dir) is not None and (desk.session.files or desk.session.tools):
        lost += [f"{name} says nothing yet" for name in REQUIRED if not is_filled(run / name)]
    lost += [f"subagent {child.type} ({child.id}) has not ended" for child in desk.session.at_work]
    return lost


def _task(desk: Desk) -> Any:
    place = desk.workspace
    return held(place.snapshot(entries=0), desk.identity) if place else None


def _refusal(meant: Intents, desk: Desk) -> str:
    if meant.destructive:
        return (
            f"[BB5] '{meant.destructive}' sounds destructive, so the prompt was not sent.\n"
            "Say what exactly should go, or send it again with 'force' at the end."
        )
    if meant.intent is Intent.COMPLETE and (missing := _incomplete(desk)):
        rows = "\n".join(f"- {each}" for each in missing)
        return (
            f"[BB5] The task is not complete yet:\n{rows}\n"
            "Have these done first, or send the prompt again with 'just do it'."
        )
    return ""


def _incomplete(desk: Desk) -> list[str]:
    """Return everything that stands between the task and its end."""
    place, task = desk.workspace, _task(desk)
    if place is None or task is None:
        return []
    open_ones = [each.text for each in document_of(place.layout, task.id).criteria if not each.met]
    missing = [f"{task.id}: not met: {text}" for text in open_ones]
    if (run := desk.run_dir) is not None:
        missing += [
            f"{run / name} says nothing yet" for name in REQUIRED if not is_filled(run / name)
        ]
    return missing


def _on_leaving(meant: Intents, desk: Desk) -> list[str]:
    if meant.intent is not Intent.EXIT and Bypass.EXIT_ANYWAY not in meant.bypasses:
        return []
    lost = unsaved(desk)
    if not lost:
        return []
    rows = "\n".join(f"- {each}" for each in lost)
    if Bypass.EXIT_ANYWAY in meant.bypasses:
        return [f"[BB5] Left all the same. This is not saved:\n{rows}"]
    return [
        f"[BB5] Before you leave: this is not saved yet.\n{rows}\nSay 'exit anyway' to leave it so."
    ]


def _off_task(meant: Intents, prompt: str, desk: Desk) -> list[str]:
    found = []
    words, why = CONSTRAINTS.get(desk.identity.agent_type, ((), ""))
    asks = any(
        verb in prompt.lower() for verb in ("edit", "change", "modify", "update", "write", "add to")
    )
    if asks and any(word in prompt for word in words):
        found.append(f"[BB5] {why}")
    task = _task(desk)
    if task is None or task.id in meant.tasks or meant.intent is not None:
        return found
    if meant.tasks:
        found.append(
            f"[BB5] Off task: this run is about {task.id}, the prompt names {', '.join(meant.tasks)}. "
            "ONE task per run: complete, block or release it first."
        )
    elif _is_foreign(prompt, task, desk):
        found.append(
            f"[BB5] Off task? This run is about {task.id} ({task.title}), and the prompt shares no word with "
            "it. ONE task per run: queue the request, or complete, block or release the task first."
        )
    return found


def _is_foreign(prompt: str, task: Any, desk: Desk) -> bool:
    """Say whether *prompt* asks for work that *task* does not speak of."""
    place = desk.workspace
    document = document_of(place.layout, task.id) if place else None
    known = [task.title, desk.identity.project]
    if document is not None:
        known += [document.title, *document.sections.values()]
    return bool(foreign_words(prompt, known, desk.session.files))


def _entry(meant: Intents, prompt: str) -> dict[str, Any] | None:
    """Return the row for the log, where the prompt is worth one."""
    if meant.intent is Intent.ABORT:
        return {"type": "aborted", "notes": prompt[:500]}
    if meant.bypasses or meant.intent is Intent.SKIP:
        phrases = [each.value for each in meant.bypasses] or ["skip"]
        return {"type": "bypass", "notes": prompt[:500], "data": {"phrases": phrases}}
    return None


def _log(desk: Desk, entry: dict[str, Any]) -> None:
    if desk.workspace is None:
        return
    identity = desk.identity
    row = {
        **entry,
        "agent": identity.agent_type,
        "run_id": identity.run_id,
        "task_id": desk.session.task,
        "source": "hook",
    }
    desk.later("note", {"entries": [row]}, key=f"prompt:{desk.session_id}:{desk.now}")
