"""What sessions read is kept as fingerprints: bounded, shared, irreversible without the key."""

import stat

import pytest

from snaphook.stores.provenance import store as module
from snaphook.stores.provenance.entries import Approved, Secret, Source, Trust, Written
from snaphook.stores.provenance.parts import fingerprints, packed, parts
from snaphook.stores.provenance.seal import digest, start_value
from snaphook.stores.provenance.store import ProvenanceStore


def source(store, text, number=1, trust=Trust.OUTSIDE):
    prints = packed(fingerprints(parts(text), start_value(store.key)))
    return Source(
        number=number, trust=trust, tool="WebFetch", address="https://a.example", prints=prints
    )


@pytest.mark.parametrize(
    ("text", "value"),
    [
        pytest.param("visit evil-host.net", "evil-host.net", id="as it is"),
        pytest.param("visit EVIL-Host.NET", "evil-host.net", id="case"),
        pytest.param('"evil-" + "host.net"', "evil-host.net", id="in pieces"),
        pytest.param("evil\u200b-ho\u200bst.net", "evil-host.net", id="zero-width characters"),
        pytest.param("acme_fix", "acme-fix", id="punctuation"),
        pytest.param(
            "https://a.b.evil.net/x/y/z", "https://a.b.evil.net/x/y/z", id="longer than a window"
        ),
        pytest.param("ten.tsoh-live", "evil-host.net", id="reversed"),
    ],
)
def test_a_value_is_found_however_it_is_written(tmp_path, text, value):
    store = ProvenanceStore(tmp_path)
    session = store.keep("s", [source(store, text)])

    found = session.origin(value)
    assert found is not None
    assert found.source.address == "https://a.example"
    assert session.origin("another-host.net") is None


def test_another_process_sees_what_was_kept_before_and_after_it_began(tmp_path):
    first, second = ProvenanceStore(tmp_path), ProvenanceStore(tmp_path)
    first.keep("s", [source(first, "alpha-one")])
    assert second.of("s").origin("alpha-one")
    first.keep("s", [source(first, "beta-two", 2)])

    assert second.of("s").origin("beta-two")


def test_the_file_holds_no_text_and_is_its_owners_alone(tmp_path):
    store = ProvenanceStore(tmp_path)
    word = b"hunter2hunter2"
    secret = Secret(digest=digest(word, store.key), length=len(word), kind="password", number=1)
    store.keep("s", [source(store, "alpha-one beta-two"), secret])

    raw = next(tmp_path.glob("*.sources"))
    kept = raw.read_bytes()
    assert stat.S_IMODE(raw.stat().st_mode) == 0o600
    assert b"alpha" not in kept
    assert b"hunter2" not in kept
    assert source(store, "alpha-one beta-two").prints not in kept


def test_without_the_key_a_guess_cannot_be_checked(tmp_path):
    store = ProvenanceStore(tmp_path / "a")
    store.keep("s", [source(store, "alpha-one")])
    stolen = ProvenanceStore(tmp_path / "b")
    assert stolen.key != store.key
    file = next((tmp_path / "a").glob("*.sources"))
    (tmp_path / "b" / file.name).write_bytes(file.read_bytes())

    assert stolen.of("s").origin("alpha-one") is None


def test_a_session_stays_within_its_bound_and_keeps_what_matters(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 40_000)
    store = ProvenanceStore(tmp_path)
    word = b"hunter2hunter2"
    secret = Secret(digest=digest(word, store.key), length=len(word), kind="password", number=1)
    store.keep(
        "s", [source(store, "the-prompt", 0, Trust.PERSON), secret, Written(path="/x", number=1)]
    )
    for number in range(1, 60):
        text = " ".join(f"word{number}x{at}" for at in range(200))
        store.keep("s", [source(store, text, number)])

    session = store.of("s")
    assert next(tmp_path.glob("*.sources")).stat().st_size < 60_000
    assert session.named("the-prompt")
    assert session.has_secrets
    assert session.file("/x")
    assert session.origin("word59x7")
    assert len(session.sources) == 60


def test_half_a_frame_at_the_end_waits_for_its_rest(tmp_path):
    store = ProvenanceStore(tmp_path)
    store.keep("s", [source(store, "alpha-one")])
    file = next(tmp_path.glob("*.sources"))
    whole = file.read_bytes()
    file.write_bytes(whole + whole[: len(whole) // 2])
    late = ProvenanceStore(tmp_path)
    assert late.of("s").origin("alpha-one")
    file.write_bytes(whole + whole)

    assert len(late.of("s").sources) == 2


def test_what_a_person_approved_counts_as_named(tmp_path):
    store = ProvenanceStore(tmp_path)
    session = store.keep("s", [source(store, "alpha-one")])
    store.keep("s", [Approved(prints=packed(session.prints_of(["alpha-one"])))])

    assert ProvenanceStore(tmp_path).of("s").named("alpha-one")


def test_old_sessions_are_removed(tmp_path):
    store = ProvenanceStore(tmp_path)
    store.keep("s", [source(store, "alpha-one")])

    store.forget_old(now=2e9)

    assert list(tmp_path.glob("*.sources")) == []
