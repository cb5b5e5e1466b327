"""audit key, checkpoint, verify, hold, redact, prove: a compliance officer's day."""

import json
import time

import pytest

from snaphook.cli.main import main
from snaphook.stores.eventlog import EventLog, Record
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.sqlite import SqliteRecordStore

pytest.importorskip("cryptography")


@pytest.fixture
def home(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "SNAPHOOK_TENANT"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    settings = tmp_path / ".config/snaphook/snaphook.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text(f'[audit]\ncopy_to = "{tmp_path}/elsewhere"\n')
    log = EventLog(tmp_path / ".local/share/snaphook/log", stream="direct")
    log.append(
        [
            Record(
                id=f"r{n}",
                time=time.time(),
                event="PreToolUse",
                session="s1",
                input={"tool_args": {"command": f"mail bob{n}@example.com", "pad": "-" * 200}},
            )
            for n in range(3)
        ]
    )
    log.close()
    return tmp_path


def run(capsys, *words):
    status = main(["audit", *words])
    said = capsys.readouterr()
    return status, said.out, said.err


@pytest.mark.req("SQ-9")
def test_signed_sealed_copied_and_verified(home, capsys):
    _, key, _ = run(capsys, "key")
    assert run(capsys, "key", "--export")[1] == key
    _, printed, _ = run(capsys, "checkpoint")
    assert [json.loads(line)["stream"] for line in printed.splitlines()] == ["audit", "direct"]
    (home / "kept.jsonl").write_text(printed)

    status, out, _ = run(
        capsys, "verify", "--against", str(home / "kept.jsonl"), "--key", key.strip()
    )
    assert status == 0
    assert "✓ direct: 3 records, intact." in out
    assert "Complete up to checkpoint 1" in out
    assert ", copied to a second location." in out


@pytest.mark.req("SQ-9")
def test_an_attack_is_named_and_the_exit_status_is_one(home, capsys):
    run(capsys, "key")
    run(capsys, "checkpoint")
    file = home / ".local/share/snaphook/log/direct/00000001.log"
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(lines[:-1]))

    status, out, _ = run(capsys, "verify")
    assert (status, "direct: tail cut:" in out) == (1, True)
    status, out, _ = run(capsys, "verify", "--json")
    trail = next(each["trail"] for each in json.loads(out) if each["stream"] == "direct")
    assert [found["attack"] for found in trail["findings"]] == ["tail cut"]


@pytest.mark.req("SQ-9")
def test_held_then_released_then_redacted_everywhere(home, capsys):
    folder = home / ".local/share/snaphook/log"
    shelf = SqliteRecordStore(folder / "records.sqlite")
    ship(folder, shelf)
    shelf.close()
    assert run(capsys, "hold", "add", "case-7", "--session", "s1", "--why", "litigation")[0] == 0
    assert "case-7: session s1" in run(capsys, "hold", "list")[1]
    status, _, err = run(capsys, "redact", "--id", "r1", "--why", "erasure")
    assert (status, "r1 is under a legal hold" in err) == (1, True)

    run(capsys, "hold", "release", "case-7", "--why", "settled")
    assert run(capsys, "hold", "list")[1] == "No hold is in force.\n"
    assert run(capsys, "redact", "--id", "r1", "--why", "erasure")[:2] == (
        0,
        "1 records redacted.\n",
    )

    everything = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
    assert b"bob0@example.com" in everything
    assert b"bob1@example.com" not in everything
    assert run(capsys, "verify")[0] == 0


@pytest.mark.req("SQ-9")
def test_a_redaction_that_was_cut_off_is_told_of_and_finished(home, capsys):
    segment = home / ".local/share/snaphook/log/direct/00000001.log"
    before = segment.read_bytes()
    run(capsys, "redact", "--session", "s1", "--why", "erasure")
    segment.write_bytes(before)  # as if it had been killed after the journal was written
    (segment.parents[1] / "audit/.redacted").unlink()

    status, out, _ = run(capsys, "verify")
    assert status == 0
    assert "! direct: 3 redactions were started and not finished." in out

    assert run(capsys, "redact", "--finish")[:2] == (0, "3 records redacted.\n")
    _, out, _ = run(capsys, "verify")
    assert "✓ direct: 3 records, intact, 3 redacted." in out
    assert "not finished" not in out
    assert b"example.com" not in segment.read_bytes()


def test_a_proof_and_its_script_are_printed(home, capsys):
    run(capsys, "checkpoint")
    _, proof, _ = run(capsys, "prove", "r2")
    assert json.loads(proof)["id"] == "r2"
    _, script, _ = run(capsys, "prove", "--script")
    assert script.startswith("#!/usr/bin/env python3")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["prove"], "which record?"),
        (["redact", "--why", "x"], "Give --id or --session"),
        (["send"], "no endpoint is set"),
        (["key", "--export"], "no key exists yet"),
        (["hold", "release", "x", "--why", "y"], "unknown hold"),
    ],
)
def test_words_that_make_no_sense_are_refused_with_what_would(home, capsys, words, told):
    status, _, err = run(capsys, *words)
    assert (status, told in err) == (2, True)
