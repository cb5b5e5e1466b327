"""The queue as a file holds it, in any of its three shapes.

text  ->  Queue  ->  tasks;  Queue + task + fields  ->  text in the same shape
"""

import math
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from . import claims, round_trip
from .fields import apply, new_item, with_fields
from .listing import Listing, read_items, take_apart
from .parse import parse, unreadable
from .single import is_single, single_changed, single_task
from .task import Claim, Task, TaskStatus, task_from

LISTS = ("tasks", "queue")
"""What the list of tasks is called, the current name first."""
ID_KEYS = ("id", "task_id")


class QueueRow(Struct, frozen=True, array_like=True):
    """A task, and the fingerprint of the lines it was read from."""

    print: bytes
    task: Task


class Queue(Struct, frozen=True, kw_only=True):
    """A queue file, read."""

    where: Path
    text: str
    rows: Sequence[QueueRow]
    listing: Listing | None
    """Where its list can be taken apart."""
    schema: str = ""
    """Which version of the schema it says it follows."""

    @property
    def tasks(self) -> list[Task]:
        """Return its tasks, in the order of the file."""
        return [row.task for row in self.rows]

    @property
    def items(self) -> list[dict[str, Any]]:
        """Return everything it says of each task."""
        if self.listing is not None:
            return read_items(self.listing.items, where=self.where)
        held = parse(self.text, where=self.where)
        return [] if is_single(held) else [dict(item) for item in _items(held, self.where)]

    def position(self, task_id: str) -> int | None:
        """Return where *task_id* stands; where an id stands twice, the first."""
        return next((n for n, row in enumerate(self.rows) if row.task.id == task_id), None)


class TooMuchError(Exception):
    """More would have to be parsed than the caller has time for."""


def read_queue(
    text: str, *, where: Path, known: Sequence[QueueRow] = (), most: float = math.inf
) -> Queue:
    """Return the queue that *text* holds; lines that *known* rows were read from are not parsed again.

    Where more than *most* characters would have to be parsed, TooMuchError is raised instead.
    """
    listing = take_apart(text, LISTS)
    if listing is not None:
        rest = parse(listing.head + listing.tail, where=where)
        if not isinstance(rest, dict):
            raise unreadable(where, f"'{listing.key}' is not in a mapping")
        rows = _rows(listing, where, known, most)
        return Queue(where=where, text=text, rows=rows, listing=listing, schema=_schema(rest))
    if len(text) > most:
        raise TooMuchError
    held = parse(text, where=where)
    if is_single(held):
        task = single_task(held)
        rows = [QueueRow(b"", task)] if task else []
        return Queue(where=where, text=text, rows=rows, listing=None, schema=_schema(held))
    rows = [QueueRow(b"", task_from(item)) for item in _items(held, where)]
    return Queue(where=where, text=text, rows=rows, listing=None, schema=_schema(held))


def with_task(queue: Queue, position: int, changes: Mapping[str, Any]) -> Queue:
    """Return *queue* with *changes* made to the task at *position* and to nothing else."""
    row, listing = queue.rows[position], queue.listing
    if listing is not None:
        item = with_fields(listing.items[position], changes)
        if item is not None:
            task = task_from(read_items([item], where=queue.where)[0])
            rows = [
                *queue.rows[:position],
                QueueRow(fingerprint(item), task),
                *queue.rows[position + 1 :],
            ]
            taken = listing.with_item(position, item)
            return replace(queue, text=taken.text, rows=rows, listing=taken)

    def change(held: Any) -> None:
        if is_single(held):
            single_changed(held, row.task, changes)
            return
        item = _items(held, queue.where)[position]
        for name, value in changes.items():
            if value is None:
                item.pop(name, None)
            else:
                item[name] = round_trip.quoted(value)

    return _whole(queue, change, wanted=(position, changes))


def with_new(queue: Queue, fields: Mapping[str, Any]) -> Queue:
    """Return *queue* with a task of *fields* at its end, spelled as the queue spells its keys."""
    listing = queue.listing
    if listing is not None:
        first = read_items(listing.items[:1], where=queue.where)[0]
        item = new_item(_spelled(fields, first), indent=listing.indent, newline=listing.newline)
        return read_queue(listing.with_more(item).text, where=queue.where, known=queue.rows)

    def change(held: Any) -> None:
        if is_single(held):
            held["next_task"], held["status"] = fields["id"], "ready"
            if fields.get("title"):
                held["context_summary"] = fields["title"]
            return
        name = next((name for name in LISTS if name in held), LISTS[0])
        items = held.get(name)
        spelled = _spelled(fields, items[0] if items else {"task_id": 0} if name == "queue" else {})
        if items:
            items.append(round_trip.quoted(spelled))
        else:
            held[name] = [round_trip.quoted(spelled)]

    return _whole(queue, change)


def ended(queue: Queue, claim: Claim, status: TaskStatus, fields: Mapping[str, Any]) -> Queue:
    """Return *queue* with the task of *claim* brought to *status*; the same one if it was there before."""
    position = queue.position(claim.task_id)
    task = None if position is None else queue.rows[position].task
    if position is not None and claims.already(task, claim, status):
        return queue
    claims.check(task, claim)
    assert position is not None
    return with_task(queue, position, fields)


def fingerprint(item: str) -> bytes:
    """Return what tells *item* from any other."""
    return blake2b(item.encode(), digest_size=12).digest()


def _whole(queue: Queue, change: Any, wanted: tuple[int, Mapping[str, Any]] | None = None) -> Queue:
    """Change the file as a whole, and look that this and nothing else came of it."""
    text = round_trip.changed(queue.text, change, where=queue.where)
    after = read_queue(text, where=queue.where)
    before, now = parse(queue.text, where=queue.where), parse(text, where=queue.where)
    if wanted is not None and not is_single(before):
        expected = [dict(item) for item in _items(before, queue.where)]
        expected[wanted[0]] = apply(expected[wanted[0]], wanted[1])
        if _items(now, queue.where) != expected:
            raise unreadable(queue.where, "a change to it failed verification")
    return after


def _rows(listing: Listing, where: Path, known: Sequence[QueueRow], most: float) -> list[QueueRow]:
    """Return the rows of *listing*; only items that no known row was read from are parsed."""
    prints = [fingerprint(item) for item in listing.items]
    read = {row.print: row.task for row in known}
    new = [n for n, print_ in enumerate(prints) if print_ not in read]
    if sum(len(listing.items[n]) for n in new) > most:
        raise TooMuchError
    items = read_items([listing.items[n] for n in new], where=where) if new else []
    read |= {prints[n]: task_from(item) for n, item in zip(new, items, strict=True)}
    return [QueueRow(print_, read[print_]) for print_ in prints]


def _schema(held: Mapping[str, Any]) -> str:
    schema = held.get("schema")
    version = schema.get("version") if isinstance(schema, dict) else held.get("version")
    return "" if version is None else str(version)


def _items(held: Any, where: Path) -> Any:
    """Return the list of items of a queue that was read whole."""
    if held is None:
        raise unreadable(where, "it is empty")
    name = next((name for name in LISTS if isinstance(held, dict) and name in held), None)
    items = held[name] if name else None
    if name is not None and items is None:
        return []
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise unreadable(where, "it has no list 'tasks' or 'queue' of mappings")
    return items


def _spelled(fields: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """Return *fields* with the id under the key that *like* uses."""
    key = next((key for key in ID_KEYS if key in like), ID_KEYS[0])
    return {key if name == "id" else name: value for name, value in fields.items()}
