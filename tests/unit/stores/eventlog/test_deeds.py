"""Held, redacted, retained, proved: and the chain is whole after each."""

import json
import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from snaphook.errors import StoreError, UsageError
from snaphook.stores.eventlog import EventLog, LogSettings
from snaphook.stores.eventlog.read import records
from snaphook.stores.eventlog.tidy import pack
from snaphook.stores.eventlog.trail import check_proof
from snaphook.stores.eventlog.trail.check import check
from snaphook.stores.eventlog.trail.finding import Attack
from snaphook.stores.eventlog.trail.hold import Hold, holds, place, release
from snaphook.stores.eventlog.trail.journal import STREAM
from snaphook.stores.eventlog.trail.keys import load_key, make_key
from snaphook.stores.eventlog.trail.prove import prove
from snaphook.stores.eventlog.trail.redact import redact
from snaphook.stores.eventlog.trail.settings import AuditSettings, KeepRule

from .test_trail import NOW, folder, sealed, trail, write

__all__ = ["folder", "sealed", "trail"]
DAY = 86_400.0
SCRIPT = Path(check_proof.__file__)


def intact(trail):
    found = check(trail.folder, keys=trail.keys())
    return [f for each in found for f in each.findings] == [] and all(f.intact for f in found)


def raw(folder):
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize("packed", [False, True])
def test_what_is_redacted_is_gone_from_the_disk_and_the_chain_is_whole(trail, folder, packed):
    write(folder, range(20), segment_bytes=3000)
    trail.seal(now=NOW)
    if packed:
        pack(folder / "daemon" / "00000001.log")
    assert b"echo 3" in raw(folder) or packed

    gone, held = redact(folder, lambda r: r.id == "r3", why="GDPR 17", now=NOW)

    assert ([each.id for each in gone], held) == (["r3"], [])
    assert "r3" not in {record.id for record in records(folder)}
    assert b'echo 3"' not in raw(folder)
    assert intact(trail)
    assert next(c for c in check(folder) if c.stream == "daemon").redacted == 1


@pytest.mark.req("SQ-9")
def test_one_field_can_go_and_the_rest_stay_vouched_for(sealed, folder):
    redact(folder, lambda r: r.id == "r3", fields=["input.tool_args.command"], why="x", now=NOW)
    line = next(
        line
        for line in (folder / "daemon/00000001.log").read_bytes().splitlines()
        if b'"r3"' in line
    )
    left = json.loads(line[130:])

    assert left["redacted"] == 1
    assert left["record"]["input"] == {"tool_args": {"note": "x" * 100}}
    assert intact(sealed)

    file = folder / "daemon/00000001.log"
    whole = file.read_bytes()
    file.write_bytes(whole.replace(line, line.replace(b'"tool":"Bash"', b'"tool":"Dash"')))
    found = next(c for c in check(folder) if c.stream == "daemon")
    assert [f.attack for f in found.findings] == [Attack.REDACTED]


@pytest.mark.req("SQ-9")
def test_a_redaction_that_the_journal_does_not_know_is_an_attack(sealed, folder):
    file = folder / "daemon/00000001.log"
    lines = file.read_bytes().splitlines(keepends=True)
    body = b'{"redacted":["*"]}'.ljust(len(lines[4]) - 131)
    lines[4] = lines[4][:130] + body + b"\n"
    file.write_bytes(b"".join(lines))

    found = next(c for c in check(folder) if c.stream == "daemon")

    assert [f.attack for f in found.findings] == [Attack.REDACTED]
    assert found.intact


def test_the_writer_goes_on_after_a_redaction_under_its_hands(folder, trail):
    write(folder, range(3))
    log = EventLog(folder)
    redact(folder, lambda r: r.id == "r2", why="x", now=NOW)
    log.close()
    write(folder, range(3, 6))
    trail.seal(now=NOW)

    assert intact(trail)


@pytest.mark.req("SQ-9")
def test_what_is_held_is_not_redacted_and_not_retired(folder, trail):
    write(folder, range(20), segment_bytes=3000)
    place(folder, Hold(name="smith", why="litigation", session="s1"), now=NOW)

    gone, held = redact(folder, lambda r: r.id in ("r2", "r3"), why="x", now=NOW)
    assert ([g.id for g in gone], [h.id for h in held]) == (["r2"], ["r3"])

    for path in (folder / "daemon").glob("*.log"):
        os.utime(path, (NOW - 9 * 365 * DAY,) * 2)
    trail.seal(now=NOW)
    trail.retain(now=NOW)
    assert (folder / "daemon/00000001.log.gz").exists()

    release(folder, "smith", "settled", now=NOW)
    for path in (folder / "daemon").glob("*.gz"):
        os.utime(path, (NOW - 9 * 365 * DAY,) * 2)
    trail.retain(now=NOW)
    assert not (folder / "daemon/00000001.log.gz").exists()
    assert intact(trail)


def test_holds_are_listed_released_and_written_down(folder):
    place(folder, Hold(name="a", why="because", project="/repo"), now=NOW)

    (held,) = holds(folder)
    assert (held.name, held.why, held.project, held.placed) == ("a", "because", "/repo", NOW)
    with pytest.raises(UsageError, match="a hold with this name exists already"):
        place(folder, Hold(name="a", why="again"), now=NOW)
    release(folder, "a", "over", now=NOW + 1)
    assert holds(folder) == []
    with pytest.raises(UsageError, match="unknown hold"):
        release(folder, "a", "over", now=NOW)
    assert [r.event for r in records(folder)] == ["AuditHold", "AuditRelease"]
    assert (folder / STREAM).is_dir()


@pytest.mark.req("SQ-9")
def test_retention_is_by_policy_in_years_and_shorter_for_some(folder, trail):
    """Seven years for all, thirty days for one event, one day in one project."""
    settings = AuditSettings(
        keep=(
            KeepRule(event="Stop", days=30),
            KeepRule(project="/repo", days=1),
        )
    )
    write(folder, range(3))
    object.__setattr__(trail, "settings", settings)
    trail.retain(now=NOW + DAY / 2)
    assert len([r for r in records(folder) if r.event == "PreToolUse"]) == 3
    trail.retain(now=NOW + 2 * DAY)

    assert [r.event for r in records(folder)] == ["AuditRedaction"] * 3
    assert intact(trail)
    assert settings.keep_days == 2557


def test_the_log_may_not_let_go_before_the_audit_does(folder, trail):
    from snaphook.stores.eventlog.trail.retention import kept_settings

    kept = kept_settings(LogSettings(keep_days=3, max_mb=2), AuditSettings(keep_years=7))
    assert (kept.keep_days, kept.max_mb > 1 << 30) == (2557, True)


def bare(*words, cwd):
    """Run the shipped script in an interpreter that has nothing of ours."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(cwd / "check_proof.py"), *words],
        capture_output=True,
        text=True,
        cwd=cwd,
    )


@pytest.fixture
def proof(sealed, folder, tmp_path):
    """A stranger's folder: the proof and the script."""
    desk = tmp_path / "stranger"
    desk.mkdir()
    (desk / "check_proof.py").write_bytes(SCRIPT.read_bytes())
    (desk / "proof.json").write_bytes(msgspec.json.encode(prove(folder, "r3")))
    return desk


@pytest.mark.req("SQ-9")
def test_a_stranger_checks_a_proof_with_a_bare_interpreter(proof):
    done = bare("proof.json", cwd=proof)

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("PROVED: record r3 was line 5 of 7")
    assert "not checked" in done.stdout


@pytest.mark.req("SQ-9")
def test_with_the_key_the_signature_must_hold_too(proof, sealed):
    (key,) = sealed.keys()
    script = [sys.executable, str(proof / "check_proof.py"), str(proof / "proof.json"), "--key"]

    done = subprocess.run([*script, key], capture_output=True, text=True)
    assert (done.returncode, "the key you gave" in done.stdout) == (0, True)
    done = subprocess.run([*script, "00" * 32], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (
        1,
        "NOT PROVED: the checkpoint is not signed by the key you gave\n",
    )
    assert bare("proof.json", "--key", key, cwd=proof).returncode == 1


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda p: p.update(body=p["body"].replace("echo 3", "echo 4")), id="body"),
        pytest.param(lambda p: p.update(index=4 + 1), id="place"),
        pytest.param(lambda p: p.update(path=p["path"][1:]), id="path"),
        pytest.param(lambda p: p["path"].__setitem__(0, "00" * 32), id="a step"),
        pytest.param(lambda p: p["seal"].update(root="00" * 32), id="root"),
        pytest.param(lambda p: p["seal"].update(count=9), id="count"),
        pytest.param(lambda p: p.update(id="r4"), id="id"),
        pytest.param(lambda p: p.pop("seal"), id="no seal"),
    ],
)
def test_a_proof_that_was_tampered_with_proves_nothing(proof, change):
    made = json.loads((proof / "proof.json").read_text())
    change(made)
    (proof / "proof.json").write_text(json.dumps(made))

    done = bare("proof.json", cwd=proof)

    assert (done.returncode, done.stdout.startswith("NOT PROVED")) == (1, True)


def test_a_redacted_record_can_still_be_proved_to_have_been_there(sealed, folder, proof):
    redact(folder, lambda r: r.id == "r3", why="x", now=NOW)
    made = prove(folder, "r3")
    (proof / "proof.json").write_bytes(msgspec.json.encode(made))

    assert made.body is None
    assert "its contents were redacted" in bare("proof.json", cwd=proof).stdout


def test_a_proof_outlives_the_retirement_of_what_came_before(trail, folder, tmp_path):
    write(folder, range(40), segment_bytes=3000)
    trail.seal(now=NOW)
    for path in sorted((folder / "daemon").glob("*.log"))[:2]:
        os.utime(path, (NOW - 9 * 365 * DAY,) * 2)
    trail.retain(now=NOW)
    assert not list((folder / "daemon").glob("00000001*"))
    (tmp_path / "check_proof.py").write_bytes(SCRIPT.read_bytes())
    (tmp_path / "proof.json").write_bytes(msgspec.json.encode(prove(folder, "r39")))

    assert bare("proof.json", cwd=tmp_path).returncode == 0
    assert intact(trail)


@pytest.mark.parametrize(
    ("record", "told"), [("nope", "unknown record id"), ("r77", "no checkpoint covers it yet")]
)
def test_what_cannot_be_proved_says_why(sealed, folder, record, told):
    write(folder, [77])

    with pytest.raises(UsageError, match=told):
        prove(folder, record)


def test_a_key_is_for_its_owners_eyes_alone(tmp_path):
    signer = make_key(tmp_path / "audit")
    path = tmp_path / "audit/key.pem"

    assert path.stat().st_mode & 0o777 == 0o600
    loaded = load_key(tmp_path / "audit")
    assert loaded is not None
    assert loaded.public == signer.public
    with pytest.raises(UsageError, match="a key exists already"):
        make_key(tmp_path / "audit")
    path.chmod(0o644)
    with pytest.raises(StoreError, match="others may read the key"):
        load_key(tmp_path / "audit")
    path.chmod(0o600)
    path.write_text("no key")
    with pytest.raises(StoreError, match="is not a valid key"):
        load_key(tmp_path / "audit")
    assert load_key(tmp_path) is None
