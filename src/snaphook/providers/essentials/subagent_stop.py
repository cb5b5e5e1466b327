"""A subagent would end: whether what it leaves behind is good enough for its parent.

SubagentStop  ->  everything that is missing  ->  block, or taken and passed on

All failures are told at once, with what good looks like and how to set the check aside.
"""

import re
from pathlib import Path
from typing import Any

from snaphook.canon import SubagentStatus, SubagentStop, SubagentStopOutput, Verdict
from snaphook.notify.notice import Notice
from snaphook.stores.workspace.runs import is_filled

from .completion import completion, prose
from .notes import Child, ChildEnded
from .scope import EventScope
from .subagent_start import owes_results

SKIPS = ("RALF_SKIP_VALIDATION", "RALF_SKIP_DOC_VALIDATION")
SKIP_FILE = ".ralf-skip-validation"
GIVES_UP_AFTER = 3
"""Times that one subagent is sent back before its parent has to look for itself."""
GOOD = """
What is accepted: RESULTS.md in {folder}, such as

    # Results
    Status: COMPLETE
    ## Summary
    What was done, and how it was checked.

and a THOUGHTS.md there that says why. To set the check aside: RALF_SKIP_VALIDATION=1, or an empty file
{skip}."""


def answer(event: SubagentStop, scope: EventScope) -> SubagentStopOutput | None:
    """Take the result of *event*, or send it back with everything that is missing."""
    child = scope.session.child(event.agent_id or "") or _unknown(event, scope)
    problems = [] if _set_aside(scope) else failures(event, child, scope)
    before = sum(each.id == child.id and not each.accepted for each in scope.session.ended)
    summary = _summary(event, child)
    scope.notebook.add(
        ChildEnded(
            at=scope.now, id=child.id, type=child.type, accepted=not problems, summary=summary
        )
    )
    if problems and before < GIVES_UP_AFTER:
        return SubagentStopOutput(decision=Verdict.BLOCK, reason=_reason(problems, child, scope))
    _tell_the_workspace(event, child, problems, summary, scope)
    if problems:
        _escalate(child, problems, scope)
    return None


def failures(event: SubagentStop, child: Child, scope: EventScope) -> list[str]:
    """Return everything that keeps the result from being accepted."""
    found = []
    if event.status is not SubagentStatus.COMPLETED:
        found.append(f"it ended with status '{event.status}'")
    if child.run_dir and owes_results(child.type, scope):
        folder = Path(child.run_dir)
        found += _documents(folder, scope)
    found += _errors("its output", event.last_assistant_message or "", scope)
    return found


def _errors(where: str, text: str, scope: EventScope) -> list[str]:
    """Return the errors that *text* tells outside of code and quotations."""
    shown = prose(text)
    hits = (re.search(pattern, shown) for pattern in scope.settings.error_patterns)
    return [f"{where} contains an error: {hit[0].strip()[:80]}" for hit in hits if hit]


def _documents(folder: Path, scope: EventScope) -> list[str]:
    results = folder / "RESULTS.md"
    if not is_filled(results):
        missing = [f"no RESULTS.md was produced ({results})"]
    else:
        text = results.read_text(encoding="utf-8", errors="replace")
        missing = [
            f"RESULTS.md has no section '{name}'"
            for name in scope.settings.required_sections
            if not re.search(rf"(?mi)^#+[ \t]+{re.escape(name)}\b", text)
        ]
        missing += _errors("RESULTS.md", text, scope)
        if completion("", text) is None:
            missing.append("RESULTS.md does not say 'Status: COMPLETE', 'PARTIAL' or 'BLOCKED'")
    if not is_filled(folder / "THOUGHTS.md"):
        missing.append(f"THOUGHTS.md says nothing ({folder / 'THOUGHTS.md'})")
    return missing


def _set_aside(scope: EventScope) -> bool:
    if not scope.settings.validate_subagents:
        return True
    asked = any(scope.around.env.get(name, "") not in ("", "0", "false") for name in SKIPS)
    return asked or (scope.cwd / SKIP_FILE).exists()


def _unknown(event: SubagentStop, scope: EventScope) -> Child:
    """Return a subagent whose start nobody saw: it has no folder, so only its output is looked at."""
    kind = event.agent_name or "subagent"
    return Child(at=scope.now, id=event.agent_id or kind, type=kind)


def _reason(problems: list[str], child: Child, scope: EventScope) -> str:
    rows = "\n".join(f"- {problem}" for problem in problems)
    good = GOOD.format(folder=child.run_dir or "your run folder", skip=scope.cwd / SKIP_FILE)
    return f"[BB5] The result of {child.type} is not accepted:\n{rows}\n{good}"


def _summary(event: SubagentStop, child: Child) -> str:
    text = ""
    if child.run_dir and is_filled(results := Path(child.run_dir) / "RESULTS.md"):
        text = results.read_text(encoding="utf-8", errors="replace")
    found = re.search(r"(?msi)^#+[ \t]+summary\b[^\n]*\n(.*?)(?=^#|\Z)", text)
    told = found[1] if found else (event.last_assistant_message or "")
    return " ".join(told.split())[:300]


def _tell_the_workspace(
    event: SubagentStop, child: Child, problems: list[str], summary: str, scope: EventScope
) -> None:
    if scope.workspace is None:
        return
    row: dict[str, Any] = {
        "id": child.id,
        "type": child.type,
        "status": "idle",
        "run_id": child.run_id,
        "parent": child.parent or scope.identity.name,
        "task": scope.session.task,
        "started_at": child.at,
        "stopped_at": scope.now,
    }
    entry = {
        "type": "agent_stop",
        "agent": child.type,
        "agent_type": child.type,
        "agent_id": child.id,
        "parent_task": scope.session.task,
        "run_id": child.run_id,
        "notes": summary[:200],
        "source": "hook",
        "data": {"accepted": not problems, "status": event.status.value},
    }
    key = f"child-stop:{scope.session_id}:{child.id}:{scope.now}"
    scope.later("note", {"agents": [row], "entries": [entry]}, key=key)
    if scope.run_dir is not None:
        state = "accepted" if not problems else "NOT accepted: " + "; ".join(problems)
        text = (
            f"## {child.type} ({child.id})\n{state}\n\n{summary}\n\nRun: {child.run_dir or '–'}\n"
        )
        scope.later("attach", {"run_dir": str(scope.run_dir), "text": text}, key=f"attach:{key}")


def _escalate(child: Child, problems: list[str], scope: EventScope) -> None:
    """Tell people that a result was let through that its parent must look at."""
    notice = Notice(
        event="subagent",
        title=f"BB5: the result of {child.type} needs a review",
        text="; ".join(problems),
        facts={"": {"Agent": child.type, "Project": scope.identity.project, "Run": child.run_id}},
        made=scope.now,
    )
    from msgspec import to_builtins  # few results get here

    scope.later("notify", to_builtins(notice), key=f"escalate:{scope.session_id}:{child.id}")
