"""A task's own document: what it is for, and when it is done.

task.md  ->  TaskDocument;  text + status  ->  text
"""

import re
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from snaphook.errors import StoreError

from .layout import Layout, safe_name
from .parse import parse

_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n(.*?)^---[ \t]*\r?$\n?", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"(?m)^(#{1,6})[ \t]+(.+?)[ \t]*\r?$")
_BOLD = re.compile(r"(?m)^\*\*([A-Za-z ]+):\*\*[ \t]*(.*?)[ \t]*\r?$")
_BOX = re.compile(r"(?m)^[ \t]*[-*][ \t]+\[([ xX])\][ \t]+(.+?)[ \t]*\r?$")
_FENCE = re.compile(r"(?ms)^(```|~~~).*?^\1[^\n]*$")
_BULLET = re.compile(r"(?m)^[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]+(?!\[[ xX]\])(.+?)[ \t]*\r?$")
CRITERIA = ("acceptance criteria", "success criteria", "verification criteria")


class Criterion(Struct, frozen=True):
    """One thing that must hold before the task is done."""

    text: str
    met: bool


class TaskDocument(Struct, frozen=True, kw_only=True):
    """What a task's document says."""

    id: str = ""
    title: str = ""
    status: str = ""
    priority: str = ""
    goal: str = ""
    plan: str = ""
    objective: str = ""
    context: str = ""
    approach: str = ""
    criteria: tuple[Criterion, ...] = ()
    sections: Mapping[str, str] = {}
    """The text under each heading of the second level, by its title in lower case."""
    front: Mapping[str, Any] = {}
    """Everything that stands before the text, between two '---' lines."""
    problems: tuple[str, ...] = ()
    """What is missing or cannot be read."""


def find_document(layout: Layout, task_id: str) -> TaskDocument:
    """Return the document of *task_id*, wherever its folder is; one that is missing says so."""
    safe_name(task_id, "a task id")
    for path in sorted(layout.tasks.glob(f"*/{task_id}/task.md")):
        try:
            return read_document(
                path.read_text(encoding="utf-8", errors="replace"), where=str(path)
            )
        except OSError as error:
            return TaskDocument(
                id=task_id, problems=(f"{path}: cannot be read ({error.strerror})",)
            )
    missing = f"{layout.tasks}: has no task.md for {task_id}"
    return TaskDocument(id=task_id, problems=(missing,))


def read_document(text: str, *, where: str = "task.md") -> TaskDocument:
    """Return what *text* says; nothing it may lack is an error, all of it is named."""
    front, body, problems = _front(text, where)
    sections = _sections(body)
    bold = {name.strip().lower(): value for name, value in _BOLD.findall(_FENCE.sub("", body))}
    heading = next((title for depth, title in _HEADING.findall(body) if depth == "#"), "")
    task_id, _, title = heading.partition(":") if ":" in heading else ("", "", heading)

    def told(*names: str) -> str:
        found = (front.get(name) or bold.get(name) for name in names)
        return str(next((value for value in found if value), ""))

    criteria = next((sections[name] for name in sections if name.startswith(CRITERIA)), "")
    document = TaskDocument(
        id=told("task_id", "id", "task id") or task_id.strip(),
        title=told("title") or title.strip(),
        status=told("status"),
        priority=told("priority").upper(),
        goal=told("linked_goal", "goal"),
        plan=told("linked_plan", "plan"),
        objective=sections.get("objective", ""),
        context=sections.get("context", ""),
        approach=sections.get("approach", ""),
        criteria=_criteria(criteria),
        sections=sections,
        front=front,
    )
    missing = [what for what in ("title", "objective", "criteria") if not getattr(document, what)]
    problems += [f"{where}: has no {what}" for what in missing]
    return TaskDocument(**{**_fields(document), "problems": tuple(problems)})


def _criteria(text: str) -> tuple[Criterion, ...]:
    """Return the items with a box; where none has one, every item is still to be met."""
    boxed = tuple(Criterion(item, box != " ") for box, item in _BOX.findall(text))
    return boxed or tuple(Criterion(item, met=False) for item in _BULLET.findall(text))


def with_status(text: str, status: str) -> str:
    """Return *text* with the status changed wherever the document states it."""
    front = _FRONT.match(text)
    if front is not None:
        head = re.sub(r"(?m)^(status:[ \t]*).*?(\r?)$", rf"\g<1>{status}\2", front[0], count=1)
        text = head + text[front.end() :]
    return re.sub(r"(?m)^(\*\*Status:\*\*[ \t]*).*?(\r?)$", rf"\g<1>{status}\2", text, count=1)


def _fields(document: TaskDocument) -> dict[str, Any]:
    return {name: getattr(document, name) for name in document.__struct_fields__}


def _front(text: str, where: str) -> tuple[Mapping[str, Any], str, list[str]]:
    found = _FRONT.match(text)
    if found is None:
        return {}, text, []
    try:
        front = parse(found[1], where=where)
    except StoreError as error:
        return {}, text[found.end() :], [str(error)]
    body = text[found.end() :]
    if not isinstance(front, dict):
        return {}, body, [f"{where}: its front matter is not a mapping"]
    return front, body, []


def _sections(body: str) -> dict[str, str]:
    """Return the text under each second-level heading; headings inside code do not count."""
    hidden = _FENCE.sub(lambda code: re.sub(r"[^\n]", " ", code[0]), body)
    marks = [found for found in _HEADING.finditer(hidden) if len(found[1]) == 2]
    ends = [*(mark.start() for mark in marks), len(body)][1:]
    return {
        mark[2].lower(): _without_rules(body[mark.end() : end])
        for mark, end in zip(marks, ends, strict=False)
    }


def _without_rules(text: str) -> str:
    return re.sub(r"(?m)^(?:---|\*\*\*)[ \t]*\r?$", "", text).strip()
