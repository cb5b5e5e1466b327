"""Attacks on the record: each is found, and called by its name."""

import gzip
import shutil
from hashlib import sha256

import msgspec
import pytest

from snaphook.stores.eventlog import EventLog, LogSettings, Record
from snaphook.stores.eventlog.chain import GENESIS, link
from snaphook.stores.eventlog.tidy import pack
from snaphook.stores.eventlog.trail.check import check
from snaphook.stores.eventlog.trail.finding import Attack
from snaphook.stores.eventlog.trail.keys import make_key
from snaphook.stores.eventlog.trail.seal import FILE, Seal, seals
from snaphook.stores.eventlog.trail.settings import AuditSettings
from snaphook.stores.eventlog.trail.trail import Trail

pytest.importorskip("cryptography")
NOW = 1_800_000_000.0


def write(folder, numbers, *, stream="daemon", segment_bytes=1 << 20, time=None):
    log = EventLog(folder, stream=stream, segment_bytes=segment_bytes)
    for n in numbers:
        log.append(
            [
                Record(
                    id=f"r{n}",
                    time=NOW + n if time is None else time,
                    event="PreToolUse",
                    session=f"s{n % 2}",
                    tool="Bash",
                    project="/repo",
                    input={"tool_args": {"command": f"echo {n}", "note": "x" * 100}},
                    salt=f"{n:016x}",
                )
            ]
        )
    log.close()


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "log"


@pytest.fixture
def trail(tmp_path, folder):
    make_key(tmp_path / "audit")
    return Trail(
        folder,
        LogSettings(),
        AuditSettings(copy_to=str(tmp_path / "elsewhere")),
        key_folder=tmp_path / "audit",
    )


@pytest.fixture
def sealed(trail, folder):
    """Ten records, sealed after the sixth and after the tenth, copied, in one segment."""
    write(folder, range(6))
    trail.seal(now=NOW + 10)
    write(folder, range(6, 10))
    trail.seal(now=NOW + 20)
    trail.copy()
    return trail


def lines_of(folder):
    return (folder / "daemon" / "00000001.log").read_bytes().splitlines(keepends=True)


def put(folder, lines):
    (folder / "daemon" / "00000001.log").write_bytes(b"".join(lines))


def body_of(line):
    return line[130:-1]


def rechained(lines):
    """Return *lines* as a forger who knows the format would write them: a chain without a flaw."""
    head, forged = GENESIS, []
    for line in lines:
        head, whole = link(head, body_of(line))
        forged.append(whole)
    return forged


def checked(trail, *, elsewhere=True):
    found = check(trail.folder, trail.elsewhere() if elsewhere else {}, keys=trail.keys())
    return next(each for each in found if each.stream == "daemon")


def names(found):
    return [finding.attack for finding in found.findings]


@pytest.mark.req("SQ-9")
def test_an_honest_record_is_intact_and_complete_up_to_its_last_checkpoint(sealed):
    found = checked(sealed)

    assert (found.lines, found.intact, found.complete_to, found.findings) == (11, True, 2, ())
    assert found.elsewhere
    assert len(found.signed_by) == 16


def test_what_came_after_the_last_checkpoint_is_intact_but_not_vouched_for(sealed, folder):
    write(folder, [99])

    found = checked(sealed)
    assert (found.lines, found.intact, found.complete_to) == (12, True, 2)


def edited(lines):
    return [*lines[:4], lines[4].replace(b"echo 3", b"echo 8"), *lines[5:]]


def edited_with_its_digest(lines):
    body = body_of(lines[4]).replace(b"echo 3", b"echo 8")
    digest = sha256(body).hexdigest().encode()
    return [*lines[:4], lines[4][:65] + digest + b" " + body + b"\n", *lines[5:]]


def edited_with_its_chain(lines):
    body = body_of(lines[4]).replace(b"echo 3", b"echo 8")
    _, line = link(lines[3][:64], body)
    return [*lines[:4], line, *lines[5:]]


def with_body(lines, n, body):
    return [*lines[:n], link(b"1" * 64, body)[1], *lines[n:]]


ATTACKS = [
    pytest.param(edited, Attack.EDITED, id="edit a body"),
    pytest.param(edited_with_its_digest, Attack.EDITED, id="edit a body and its digest"),
    pytest.param(edited_with_its_chain, Attack.EDITED, id="edit a body, its digest and its chain"),
    pytest.param(lambda ls: with_body(ls, 4, b'{"id":"x"}'), Attack.INSERTED, id="insert a line"),
    pytest.param(lambda ls: [*ls[:4], ls[2], *ls[4:]], Attack.INSERTED, id="insert a copy"),
    pytest.param(lambda ls: [*ls[:4], *ls[5:]], Attack.DELETED, id="delete a line"),
    pytest.param(lambda ls: [*ls[:4], *ls[7:]], Attack.DELETED, id="delete three"),
    pytest.param(lambda ls: [*ls[:4], ls[5], ls[4], *ls[6:]], Attack.REORDERED, id="swap two"),
    pytest.param(lambda ls: [*ls[:2], *ls[3:6], ls[2], *ls[6:]], Attack.REORDERED, id="move one"),
    pytest.param(lambda ls: ls[:9], Attack.CUT, id="cut the tail"),
    pytest.param(lambda ls: rechained(edited(ls)), Attack.FORKED, id="edit and chain anew"),
    pytest.param(lambda ls: rechained([*ls[:4], *ls[5:]]), Attack.FORKED, id="delete, chain anew"),
    pytest.param(
        lambda ls: rechained([*ls[:4], *ls[5:], *ls[2:4]]),
        Attack.FORKED,
        id="delete, add, chain anew",
    ),
    pytest.param(lambda ls: [*ls[:4], b"rubbish\n", *ls[5:]], Attack.EDITED, id="overwrite"),
]


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize(("attack", "name"), ATTACKS)
def test_an_attack_is_found_and_named(sealed, folder, attack, name):
    put(folder, attack(lines_of(folder)))

    found = checked(sealed)

    assert names(found)[0] is name
    assert not found.intact or name is Attack.CUT
    assert (found.complete_to or 0) < 2


@pytest.mark.req("SQ-9")
def test_a_record_written_anew_after_a_checkpoint_is_a_fork_from_there(sealed, folder):
    put(folder, lines_of(folder)[:7])
    write(folder, range(70, 74))

    found = checked(sealed)

    assert names(found)[0] in (Attack.FORKED, Attack.CUT)
    assert found.complete_to == 1


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize("number", ["00000001", "00000002", "00000003"])
def test_a_whole_file_that_is_gone_is_missed(trail, folder, number):
    write(folder, range(30), segment_bytes=3000)
    trail.seal(now=NOW + 60)
    trail.copy()
    kept = [path.name for path in sorted((folder / "daemon").glob("*.log"))]
    assert len(kept) >= 3
    gone = number if number != "00000003" else kept[-1][:8]
    (folder / "daemon" / f"{gone}.log").unlink()

    found = checked(trail)

    assert names(found) == [Attack.GONE]
    assert not found.intact


@pytest.mark.req("SQ-9")
def test_a_stream_that_is_gone_is_missed(sealed, folder):
    shutil.rmtree(folder / "daemon")

    found = checked(sealed)

    assert Attack.GONE in names(found)
    assert not found.intact


@pytest.mark.req("SQ-9")
@pytest.mark.parametrize("elsewhere", [True, False], ids=["second place", "journal alone"])
def test_checkpoints_that_were_removed_are_missed(sealed, folder, elsewhere):
    (folder / "daemon" / FILE).unlink()

    found = checked(sealed, elsewhere=elsewhere)

    assert names(found) == [Attack.CHECKPOINT_GONE, Attack.CHECKPOINT_GONE]
    assert found.complete_to == (2 if elsewhere else None)


@pytest.mark.req("SQ-9")
def test_the_last_checkpoint_removed_with_the_tail_it_saw_is_missed(sealed, folder):
    put(folder, lines_of(folder)[:7])
    first = (folder / "daemon" / FILE).read_bytes().splitlines(keepends=True)[0]
    (folder / "daemon" / FILE).write_bytes(first)

    assert names(checked(sealed)) == [Attack.CHECKPOINT_GONE, Attack.CUT]
    assert names(checked(sealed, elsewhere=False)) == [Attack.CHECKPOINT_GONE]


def forged(made, **changes):
    return msgspec.json.encode(msgspec.structs.replace(made, **changes)) + b"\n"


@pytest.mark.req("SQ-9")
def test_checkpoints_that_were_replaced_are_told_from_the_real_ones(sealed, folder, tmp_path):
    """By no signature, another's signature, or a signature of something else."""
    file = folder / "daemon" / FILE
    real = file.read_bytes()
    first, second = seals(folder / "daemon")
    mallory = make_key(tmp_path / "mallory")
    theirs = msgspec.structs.replace(second, public=mallory.public, signature="")
    signed = msgspec.structs.replace(theirs, signature=mallory.sign(theirs.said).hex())
    for replaced in (
        forged(first) + forged(second, signature="", public=""),
        forged(first) + forged(signed),
        forged(first) + forged(second, time_ms=second.time_ms + 1),
        forged(first) + b"no seal at all\n",
        forged(second),
    ):
        file.write_bytes(replaced)
        assert Attack.CHECKPOINT_REPLACED in names(checked(sealed))
        assert Attack.CHECKPOINT_REPLACED in names(checked(sealed, elsewhere=False))
    file.write_bytes(real)
    assert names(checked(sealed)) == []


@pytest.mark.req("SQ-9")
def test_a_clock_that_was_put_back_is_told(sealed, folder):
    write(folder, [50], time=NOW - 86_400)

    found = checked(sealed)

    assert names(found) == [Attack.CLOCK]
    assert found.intact
    assert "86" in found.findings[0].what


def test_a_checkpoint_dated_before_the_one_above_it_is_told(sealed, folder):
    write(folder, [11])
    sealed.seal(now=NOW - 9_999)
    sealed.copy()

    assert Attack.CLOCK in names(checked(sealed))


def test_before_there_was_a_key_checkpoints_are_not_signed_and_that_is_no_attack(tmp_path, folder):
    bare = Trail(folder, LogSettings(), AuditSettings(), key_folder=tmp_path / "audit")
    write(folder, range(3))
    bare.seal(now=NOW)
    assert names(checked(bare)) == []
    make_key(tmp_path / "audit")
    write(folder, range(3, 6))
    bare.seal(now=NOW + 1)

    assert names(checked(bare)) == []
    assert checked(bare).signed_by


def test_sealing_reads_on_from_the_last_seal_and_closes_every_segment(trail, folder):
    write(folder, range(30), segment_bytes=3000)
    trail.seal(now=NOW)
    write(folder, range(30, 40), segment_bytes=3000)
    trail.seal(now=NOW + 1)
    assert trail.seal(now=NOW + 2) == []

    made = seals(folder / "daemon")
    ends = {each.segment for each in made}
    assert ends == {path.name[:8] for path in (folder / "daemon").glob("*.log")}
    assert [each.number for each in made] == list(range(1, len(made) + 1))
    assert checked(trail, elsewhere=False).complete_to == made[-1].number


def test_packed_segments_are_checked_like_any_other(trail, folder):
    write(folder, range(30), segment_bytes=3000)
    trail.seal(now=NOW)
    pack(folder / "daemon" / "00000001.log")
    assert checked(trail, elsewhere=False).intact

    packed = folder / "daemon" / "00000001.log.gz"
    raw = gzip.decompress(packed.read_bytes()).replace(b"echo 3", b"echo 8")
    packed.write_bytes(gzip.compress(raw))
    assert names(checked(trail, elsewhere=False)) == [Attack.EDITED]


def test_a_seal_is_told_in_full():
    made = Seal(
        stream="s",
        number=1,
        count=2,
        head="h",
        root="r",
        frontier=("f",),
        segment="1",
        size=9,
        time_ms=5,
    )

    assert made.said == (
        b'{"before":"","count":2,"frontier":["f"],"head":"h","number":1,"public":"","root":"r",'
        b'"segment":"1","size":9,"stream":"s","time_ms":5}'
    )
