"""``snaphook memory``: what a person sees and does."""

import json

import pytest

from snaphook.cli.main import main
from snaphook.stores.eventlog import EventLog, Record
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore

DECISIONS = """\
## D-001: Storage backend
**Decision:** SQLite in WAL mode
**Rationale:** no server is needed

## D-002: Mirror
**Decision:** The mirror is called quetzalcoatlus
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capfd):
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("NO_COLOR", "1")
    project = tmp_path / "project"
    (project / ".git").mkdir(parents=True)
    monkeypatch.chdir(project)

    def call(*words):
        status = main(["memory", *words])
        said = capfd.readouterr()
        return status, said.out, said.err

    return call


@pytest.fixture
def document(tmp_path):
    path = tmp_path / "DECISIONS.md"
    path.write_text(DECISIONS)
    return path


def test_before_anything_is_learned_it_says_how_to(run):
    assert "snaphook memory retain PATH" in run("recall", "storage")[1]


def test_retain_counts_and_twice_changes_nothing(run, document):
    assert run("retain", "--own", str(document))[:2] == (
        0,
        "3 memories in 1 documents: 3 new, 0 strengthened, 0 known, 0 superseded.\n",
    )
    assert "0 new, 0 strengthened, 3 known" in run("retain", str(document))[1]


def test_retain_of_nothing_readable_fails_and_says_why(run, tmp_path):
    status, _, err = run("retain", str(tmp_path / "gone.md"))

    assert (status, err) == (1, f"not read: {tmp_path}/gone.md: there is no such file or folder\n")


def test_recall_explains_itself(run, document):
    run("retain", "--own", str(document))

    status, out, _ = run("recall", "which storage backend", "--explain")

    assert status == 0
    assert "fact        Storage backend: SQLite in WAL mode" in out
    assert "words" in out
    assert "storag backend" in out


def test_recall_as_json_tells_everything(run, document):
    run("retain", str(document))

    [first, *_] = json.loads(run("recall", "storage backend", "--json")[1])

    assert first["memory"]["text"] == "Storage backend: SQLite in WAL mode"
    assert {reason["sign"] for reason in first["reasons"]} >= {"words", "recency", "scope"}


def test_list_show_and_stats_tell_what_is_there(run, document):
    run("retain", str(document), "--task", "TASK-7")

    lines = run("list", "--task", "TASK-7", "--json")[1].splitlines()
    assert len(lines) == 3
    ids = {json.loads(line)["text"]: json.loads(line)["id"] for line in lines}
    shown = run("show", ids["Storage backend: SQLite in WAL mode"][:6])[1]
    assert f"{document}:2" in shown or "DECISIONS.md:2" in shown
    assert "TASK-7" in shown
    assert "3 memories in sqlite" in run("stats")[1]
    assert run("show", "0000")[0] == 2


def test_forget_removes_from_the_store_and_the_views(run, document, tmp_path):
    run("retain", str(document))
    folder = tmp_path / ".local/share/snaphook"
    assert any(b"quetzalcoatlus" in file.read_bytes() for file in files(folder))

    _, out, _ = run("forget", "--about", "mirror quetzalcoatlus", "--yes")
    assert out.splitlines()[0] == "1 forgotten."
    assert "The event log keeps what was said and told; '--record' removes it" in out
    assert "Its source is a file of its own and stays:" in out

    assert not any(b"quetzalcoat" in file.read_bytes() for file in files(folder))
    document.write_text(DECISIONS)
    assert "1 were deleted before" in run("retain", str(document))[1]


def test_one_command_forgets_the_record_as_well(run, document, tmp_path):
    text = "The mirror is called quetzalcoatlus"
    run("retain", str(document))
    folder = tmp_path / ".local/share/snaphook"
    log = EventLog(folder / "log", stream="direct")
    told = {"additional_context": f"## Relevant memories\n- {text} (confidence 0.8)"}
    for number, output in enumerate((told, {"additional_context": "something else " * 20})):
        log.append(
            [Record(id=f"r{number}", time=1.0, event="SessionStart", session="s", output=output)]
        )
    log.close()
    store = SqliteRecordStore(folder / "log" / "records.sqlite")
    ship(folder / "log", store)
    store.close()
    document.unlink()

    status, out, _ = run(
        "forget", "--about", "mirror quetzalcoatlus", "--record", "--wait", "--yes"
    )

    assert status == 0
    assert "1 records redacted." in out
    assert not any(b"quetzalcoat" in file.read_bytes() for file in files(folder))
    assert any(b"something else" in file.read_bytes() for file in files(folder / "log"))


def files(folder):
    return [path for path in folder.rglob("*") if path.is_file()]


def test_export_and_import_carry_memories_over(run, document, tmp_path):
    run("retain", str(document))
    exported = tmp_path / "memories.jsonl"
    exported.write_text(run("export")[1])
    (tmp_path / ".local/share/snaphook/memory.sqlite").unlink()

    assert run("import", str(exported))[1].startswith("3 new")
    assert run("import", str(exported))[1].startswith("0 new, 0 strengthened, 3 known")


def test_a_line_that_is_no_memory_is_told(run, tmp_path):
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"kind": "fact"}\n')

    status, _, err = run("import", str(bad))

    assert status == 2
    assert err.startswith(f"snaphook: {bad}:1: is not a valid memory:")


def test_reflect_says_what_it_did(run, tmp_path):
    for number, said in enumerate(
        ("The unit tests are slow on the build machine", "unit tests are slow on build machine")
    ):
        notes = tmp_path / f"run-2026050{number}" / "LEARNINGS.md"
        notes.parent.mkdir()
        notes.write_text(f"- {said}\n")
        run("retain", str(notes))

    assert "1 would be absorbed" in run("reflect", "--dry-run")[1]
    assert "1 absorbed, 0 dropped" in run("reflect")[1]


def test_a_document_of_a_project_nobody_approved_is_quoted_until_a_person_confirms_it(
    run, document
):
    _, out, _ = run("retain", str(document))
    assert "3 are kept as quotes" in out
    _, listed, _ = run("list", "--json")
    found = [json.loads(line) for line in listed.splitlines()]
    assert {each["author"] for each in found} == {"outside"}

    assert run("confirm", found[0]["id"][:8], "--yes")[1] == "1 confirmed.\n"

    _, listed, _ = run("list", "--json")
    authors = sorted(json.loads(line).get("author", "agent") for line in listed.splitlines())
    assert authors == ["outside", "outside", "person"]
