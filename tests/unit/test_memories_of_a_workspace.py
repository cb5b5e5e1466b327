"""A workspace with thousands of notes: what a person would call relevant reaches the session."""

import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.unit.config.helpers import put

from snaphook import canon
from snaphook.canon import HookContext
from snaphook.config import Environment
from snaphook.config.caller import caller_environment
from snaphook.engine import dispatch_sync
from snaphook.stores.memory.extract import DocumentOrigin
from snaphook.stores.memory.open import open_store
from snaphook.stores.memory.retain import retain
from snaphook.stores.workspace import FileWorkspace, layout_at, make_workspace
from snaphook.stores.workspace.task import Task
from snaphook.wiring import build_engine

NOW = 1_790_000_000.0
AGE = 200 * 86_400.0
"""Old enough for every kind of memory to have faded."""

TOPICS = {
    "login rate limit": ("token bucket", "password attempts", "429 answers", "redis counters"),
    "invoice rendering": ("pdf margins", "currency columns", "tax totals", "letterhead fonts"),
    "search ranking": ("tokenizer stems", "synonym lists", "query typos", "relevance scores"),
    "image thumbnails": ("webp encoder", "crop ratios", "exif rotation", "resize workers"),
    "email digests": ("unsubscribe links", "bounce handling", "weekly batches", "smtp relay"),
    "session storage": ("cookie flags", "idle expiry", "sticky routing", "signing secrets"),
    "feature flags": ("rollout percentage", "kill switches", "stale toggles", "audience rules"),
    "backup restore": ("snapshot retention", "restore drills", "checksum files", "cold archive"),
    "payment webhooks": ("idempotency keys", "signature headers", "retry storms", "ledger rows"),
    "map tiles": ("zoom levels", "vector layers", "tile pyramid", "projection errors"),
}
THINGS = [
    "cache",
    "parser",
    "queue",
    "index",
    "adapter",
    "client",
    "server",
    "schema",
    "worker",
    "module",
    "pipeline",
    "config",
]
VERBS = [
    "rewrote",
    "measured",
    "split",
    "merged",
    "renamed",
    "simplified",
    "profiled",
    "documented",
    "removed",
    "guarded",
]
SAYS = (
    "The {part} of {topic} needed {n} tries before the {thing} held.",
    "We {verb} the {thing} so that {part} no longer break {topic}.",
    "Under load the {part} took {n} ms, and {topic} stayed within its budget.",
    "Two {thing} tests cover {part} now.",
)
NOISE = (
    "We {verb} the {thing} and {n} lines went away.",
    "The {thing} took {n} ms in the profile of run {n}.",
    "Ran the checks of the {thing} {n} times without a failure.",
    "The {thing} and the {other} are deployed together in release {n}.",
)


def note(dice: random.Random, topic: str | None) -> str:
    words = {
        "thing": dice.choice(THINGS),
        "other": dice.choice(THINGS),
        "verb": dice.choice(VERBS),
        "n": dice.randrange(2, 900),
    }
    if topic is None:
        return dice.choice(NOISE).format(**words)
    return dice.choice(SAYS).format(topic=topic, part=dice.choice(TOPICS[topic]), **words)


def write_run(folder: Path, dice: random.Random, topic: str | None) -> None:
    """Write what an agent leaves behind: mostly everyday notes, a few about its topic."""
    for name in ("THOUGHTS", "DECISIONS", "RESULTS"):
        lines = [note(dice, topic if topic and at < 2 else None) for at in range(5)]
        text = f"# {name.title()}\n\n## Summary\n\n" + "\n".join(f"- {line}" for line in lines)
        path = put(folder / f"{name}.md", f"{text}\n\nPROMISE_COMPLETE\nStatus: COMPLETE\n")
        os.utime(path, (NOW - AGE, NOW - AGE))


class Workspace:
    """A project with two hundred and fifty runs behind it."""

    def __init__(self, folder: Path) -> None:
        dice = random.Random(7)
        self.root = folder / "project"
        self.root.mkdir()
        make_workspace(self.root)
        self.around = Environment(
            cwd=self.root, home=folder / "home", env={}, managed=folder / "etc"
        )
        put(self.around.config_dir / "snaphook.toml", "[essentials]\n[memory]\n")
        names = list(TOPICS)
        for number in range(250):
            topic = names[number % len(names)] if number % 3 == 0 else None
            write_run(self.root / "runs" / f"run-20260206-{number:06}", dice, topic)
        decided = "# Decisions\n\n## Storage backend\n\nSQLite in WAL mode, no server.\n"
        put(self.root / "runs" / "run-20260207-000001" / "DECISIONS.md", decided)
        store = open_store("", graph="", data_dir=self.around.data_dir, embed=None)
        self.kept = retain(
            store, [self.root / "runs"], DocumentOrigin(project=str(self.root))
        ).memories
        store.close()

    def begin(self, session: str) -> Any:
        """Return what a session of the executor starts with."""
        root = str(self.root)
        context = HookContext(session_id=session, cwd=root, team_root=root, timestamp=NOW)
        return self.tell(canon.SessionStart(context=context))

    def tell(self, event: canon.Event) -> Any:
        env = {"BB5_AGENT_TYPE": "executor", "BB5_AGENT_NAME": "executor"}
        before = caller_environment.set(env)
        try:
            return dispatch_sync(build_engine(self.around), event).output
        finally:
            caller_environment.reset(before)

    def work_on(self, number: int, title: str, objective: str) -> None:
        """Have the executor hold one task, and no other."""
        place = FileWorkspace(layout_at(self.root))
        task = f"TASK-{number:03}"
        place.add(Task(id=task, title=title))
        text = f"# {task}: {title}\n\n## Objective\n{objective}\n"
        put(layout_at(self.root).task_folder(task) / "task.md", text)
        claim = place.claim("executor", task)
        assert claim is not None
        self.claim, self.place = claim, place

    def done(self) -> None:
        self.place.complete(self.claim)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    return Workspace(tmp_path_factory.mktemp("bb5"))


@pytest.fixture(autouse=True)
def _asleep(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("snaphook.stores.outbox.workers.wake", lambda _around: None)


@pytest.mark.req("BB-SS-3", "BB-SS-6")
def test_a_session_starts_with_what_earlier_runs_learned_about_its_task(workspace):
    assert workspace.kept > 3_000
    for number, (topic, parts) in enumerate(TOPICS.items(), 100):
        workspace.work_on(number, f"Improve the {topic}", f"Make {parts[0]} and {parts[1]} better.")
        begun = workspace.begin(f"s{number}")
        workspace.done()

        told = begun.details["context"]["relevantMemories"]
        about = [each for each in told if any(p in each["content"] for p in (topic, *parts))]
        assert len(told) == 5
        assert len(about) == 5, (topic, [each["content"] for each in told])
        assert all(each["confidence"] > 0.7 for each in told)
        assert begun.details["context"]["claimedTask"]["id"] == f"TASK-{number:03}"
        assert all(each["content"] in str(begun.additional_context) for each in told)
        assert "PROMISE_COMPLETE" not in str(told)


@pytest.mark.req("BB-SS-3")
@pytest.mark.parametrize(
    "question",
    ["which storage backend do we use?", "What did we decide about the storage backend?"],
)
def test_a_decision_under_a_heading_is_found_by_a_question_about_it(workspace, question):
    root = str(workspace.root)
    context = HookContext(session_id=question, cwd=root, team_root=root, timestamp=NOW)
    said = workspace.tell(canon.UserPromptSubmit(context=context, prompt=question))

    assert "Storage backend: SQLite in WAL mode" in str(said.additional_context)
