"""Which keys count, and what a process that can write every file of its user gains by it."""

import os
import shutil
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from snaphook.errors import UsageError
from snaphook.stores.overrides import keys as keys_module
from snaphook.stores.overrides import passphrase, root
from snaphook.stores.overrides.keys import Anchor, KeyStore
from snaphook.stores.overrides.override import Level, Method, Override, signed_bytes
from snaphook.stores.overrides.proof import Proof, endorsed_bytes, key_id, verify
from snaphook.stores.overrides.standing import Standing, StandingOverrides

pytestmark = pytest.mark.req("BB-PT-8")
TERMS = Override(id="a1", command="rm -rf ~", duration="always", level=Level.DENY)


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(passphrase, "COST", 1 << 4)
    monkeypatch.setattr(passphrase, "LEAST_COST", 1 << 4)


@pytest.fixture
def store(tmp_path):
    return KeyStore(tmp_path / "keys", tmp_path / "anchor.json")


def enrolled(store, secret="correct horse", by=None, **changes):
    key = replace(passphrase.new_key(secret), **changes)
    if by is not None:
        signature = passphrase.sign(by, "correct horse", endorsed_bytes(key))
        key = replace(key, endorsed_by=by.id, endorsement=signature)
    store.add(key)
    return key


def test_only_the_passphrase_signs_and_the_file_does_not_hold_it(store):
    key = enrolled(store)
    proof = passphrase.sign(key, "correct horse", b"terms")

    assert proof is not None
    assert verify(key, b"terms", proof)
    assert not verify(key, b"terms2", proof)
    assert passphrase.sign(key, "Correct horse", b"terms") is None
    (path,) = store.folder.iterdir()
    assert path.stat().st_mode & 0o777 == 0o600
    assert b"horse" not in path.read_bytes()


def test_a_doctored_file_gets_no_signature(store):
    """Nothing leaves the prompt with a key that does not match: it could be guessed at."""
    key = enrolled(store)

    assert passphrase.sign(replace(key, salt=b"0" * 16), "correct horse", b"terms") is None
    assert passphrase.sign(replace(key, public=b"0" * 32), "correct horse", b"terms") is None


@pytest.mark.parametrize("weak", ["", "short", "aaaaaaaaaaaa"])
def test_a_weak_passphrase_is_refused(weak):
    with pytest.raises(UsageError):
        passphrase.new_key(weak)


def test_a_key_that_an_earlier_one_confirmed_takes_its_age_and_its_place(store):
    first = enrolled(store)
    os.utime(store.folder / f"{first.id}.json", (0, 0))  # what anybody can set does not count
    second = enrolled(store, "battery staple", by=first, replaces=first.id)

    (known,) = store.current()

    assert (known.key, known.root) == (second, first.id)
    assert known.since == (store.folder / f"{first.id}.json").stat().st_ctime
    assert known.since > 1_000_000


def test_a_key_that_claims_a_confirmation_it_does_not_have_counts_for_nothing(store):
    first = enrolled(store)
    forged = Proof(method=Method.PASSPHRASE, key=first.id, signature=b"\0" * 64)
    enrolled(store, "battery staple", endorsed_by=first.id, endorsement=forged, replaces=first.id)
    enrolled(store, "another one here", endorsed_by="nobody", endorsement=forged)

    assert [one.key for one in store.current()] == [first]


def test_damaged_renamed_and_linked_files_count_for_nothing(store, tmp_path):
    key = enrolled(store)
    raw = (store.folder / f"{key.id}.json").read_bytes()
    (store.folder / "0000.json").write_bytes(raw)
    (store.folder / "1111.json").write_bytes(raw[:20])
    other = passphrase.new_key("battery staple")
    (tmp_path / "real").write_bytes(msgspec.json.encode(other))
    (store.folder / f"{other.id}.json").symlink_to(tmp_path / "real")
    swapped = replace(other, id=key_id(b"x"))
    (store.folder / f"{swapped.id}.json").write_bytes(msgspec.json.encode(swapped))
    proof = passphrase.sign(swapped, "battery staple", b"terms")

    assert [one.key.id for one in store.current() if one.key.id != swapped.id] == [key.id]
    assert proof is not None
    assert not verify(swapped, b"terms", proof), "its name is not its public key's"


def test_what_root_wrote_decides_which_keys_count(store, monkeypatch):
    mine, planted = enrolled(store), enrolled(store, "the agent's own")
    added = enrolled(store, "battery staple", by=mine)
    monkeypatch.setattr(keys_module, "is_roots_own", lambda path: path.exists())
    monkeypatch.setattr(os, "getuid", lambda: 1000)
    assert len(store.current()) == 3

    store.anchor.write_bytes(msgspec.json.encode(Anchor(keys=(mine.id,))))

    assert {one.key.id: one.anchored for one in store.current()} == {mine.id: True, added.id: True}
    assert planted.id not in {one.key.id for one in store.current()}
    store.anchor.write_text("damaged")
    assert store.current() == ()


def test_an_override_on_disk_counts_as_signed_and_not_otherwise(store, tmp_path):
    key = enrolled(store)
    standing = StandingOverrides(tmp_path / "always", store)
    proof = passphrase.sign(key, "correct horse", signed_bytes(TERMS))
    assert proof is not None
    standing.add(Standing(override=TERMS, proof=proof, made=0.0))
    for name, changes in (
        ("a2", {"command": "rm -rf /"}),
        ("a3", {"project": "/p"}),
        ("a4", {"duration": "for"}),
    ):
        forged = replace(TERMS, id=name, **changes)
        standing.add(Standing(override=forged, proof=proof, made=0.0))

    assert [one.override for one, _ in standing.valid()] == [TERMS]
    assert {path.name for path in standing.invalid()} == {"a2.json", "a3.json", "a4.json"}
    enrolled(store, "battery staple", by=key, replaces=key.id)
    assert list(standing.valid()) == [], "a changed passphrase ends what the old one signed"


@pytest.mark.skipif(os.getuid() != 0, reason="only root can write root's files")
def test_roots_word_is_a_file_that_nobody_else_could_have_written(tmp_path, monkeypatch):
    place = Path("/run") / f"snaphook-test-{os.getpid()}"
    monkeypatch.setattr(root, "PLACE", place)
    monkeypatch.setattr(root, "asks_no_password", lambda: False)
    monkeypatch.setattr(os, "getuid", lambda: 65534)
    file = root.place_of("ab12")
    try:
        assert not root.is_proved("ab12", b"terms"), "not there"
        file.parent.mkdir(parents=True, mode=0o755)
        file.write_bytes(root.answer_to(b"terms"))
        file.chmod(0o644)
        assert root.is_proved("ab12", b"terms")
        assert not root.is_proved("ab12", b"other terms")
        file.chmod(0o666)
        assert not root.is_proved("ab12", b"terms"), "others could write it"
        file.chmod(0o644)
        os.chown(file.parent, 65534, 65534)
        assert not root.is_proved("ab12", b"terms"), "in a folder of another user"
        os.chown(file.parent, 0, 0)
        monkeypatch.setattr(root, "asks_no_password", lambda: True)
        assert not root.is_proved("ab12", b"terms"), "sudo asks nobody"
        monkeypatch.setattr(os, "getuid", lambda: 0)
        assert root.command(file) == (), "root proves nothing to itself"
    finally:
        shutil.rmtree(place, ignore_errors=True)


def test_the_systems_own_programs_are_used_and_path_is_not_asked(tmp_path, monkeypatch):
    fake = tmp_path / "sudo"
    fake.write_text("#!/bin/sh\nexit 0\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")

    assert root.system_program("sudo") in ("", "/usr/bin/sudo", "/bin/sudo")
    assert root.system_program("install")
