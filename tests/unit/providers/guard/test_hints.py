"""The quick look for protected paths misses none."""

from snaphook.providers.guard import leash


def test_every_protected_name_holds_a_hint():
    assert [name for name in leash._NAMES if not leash.is_hinted(f"/home/me/{name}")] == []
