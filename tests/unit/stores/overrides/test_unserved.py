"""Denials given while no daemon runs keep their numbers when one does."""

from snaphook.stores.overrides.override import BlockedCall
from snaphook.stores.overrides.recent import RecentCalls
from snaphook.stores.overrides.unserved import FILE, note_unserved, take_over


def call(command: str, session: str = "s", use: str = "") -> BlockedCall:
    return BlockedCall(
        command=command, tool="Bash", rules=frozenset({"git.push"}), fixed=False, reason="no",
        project="/p", cwd="/p", session=session, call=use,
    )  # fmt: skip


def test_a_daemon_knows_them_by_the_numbers_that_people_were_told(tmp_path):
    assert note_unserved(tmp_path, call("one"), 10.0) == 1
    assert note_unserved(tmp_path, call("two"), 11.0) == 2
    assert note_unserved(tmp_path, call("one", use="another try"), 12.0) == 1

    recent = RecentCalls()
    take_over(tmp_path, recent, 20.0)

    found = recent.find("2", "/p")
    assert found is not None
    assert found.call.command == "two"
    assert recent.add(call("three"), 21.0)[0].number == 3
    assert not (tmp_path / FILE).exists()


def test_old_and_damaged_lines_name_nothing_and_move_no_number(tmp_path):
    note_unserved(tmp_path, call("old"), 10.0)
    with (tmp_path / FILE).open("ab") as file:
        file.write(b"{half a li\n")
    assert note_unserved(tmp_path, call("new"), 100_000.0) == 3

    recent = RecentCalls()
    take_over(tmp_path, recent, 100_001.0)

    assert [(one.number, one.call.command) for one in recent.latest()] == [(3, "new")]


def test_nobody_fills_the_disk_with_them(tmp_path):
    numbers = [note_unserved(tmp_path, call(f"c{at}"), 1.0) for at in range(103)]

    assert numbers[99:] == [100, 0, 0, 0]
