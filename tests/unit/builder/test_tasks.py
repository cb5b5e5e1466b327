"""Which lines of tasks.md are tasks."""

import pytest

from snaphook.builder.tasks import Tasks, parse_tasks, read_tasks
from snaphook.errors import StoreError


@pytest.mark.parametrize(
    ("text", "tasks"),
    [
        pytest.param("", Tasks(), id="an empty file"),
        pytest.param("- [ ] a\n- [ ] b", Tasks(pending=("a", "b")), id="two, no last newline"),
        pytest.param("- [x] a\n- [X] b\n", Tasks(done=("a", "b")), id="ticked"),
        pytest.param("  - [ ] a\n\t- [ ] b\n", Tasks(), id="indented boxes are notes"),
        pytest.param("* [ ] a\n+ [ ] b\n1. [ ] c\n", Tasks(), id="other bullets"),
        pytest.param("-  [ ] a\n- [  ] b\n- [] c\n", Tasks(), id="other spacing"),
        pytest.param("# Tasks\n\ntext - [ ] a\n", Tasks(), id="not at the beginning"),
        pytest.param("- [ ] a\r\n- [ ] b\r\n", Tasks(pending=("a", "b")), id="Windows line ends"),
        pytest.param("- [ ]\n", Tasks(pending=("",)), id="a task without words"),
        pytest.param("- [ ] ü — é\n", Tasks(pending=("ü — é",)), id="beyond ASCII"),
    ],
)
def test_only_a_box_at_the_beginning_of_a_line_is_a_task(text, tasks):
    assert parse_tasks(text) == tasks


@pytest.mark.parametrize(
    ("now", "ticked"),
    [
        pytest.param("- [x] a\n- [ ] b\n", True, id="one was ticked"),
        pytest.param("- [ ] b\n", True, id="its line was removed"),
        pytest.param("- [x] a\n- [ ] b\n- [ ] c\n", True, id="ticked, and another added"),
        pytest.param("- [ ] a\n- [ ] b\n", False, id="nothing"),
        pytest.param("- [ ] a!\n- [ ] b\n", False, id="only reworded"),
        pytest.param("- [ ] a\n- [ ] b\n- [ ] c\n", False, id="only added"),
    ],
)
def test_a_tick_is_noticed_by_what_is_left_and_what_is_done(now, ticked):
    assert parse_tasks(now).ticked_since(pending=2, done=0) is ticked


@pytest.mark.parametrize("content", [None, b"- [ ] \xff"], ids=["missing", "no UTF-8"])
def test_a_list_that_cannot_be_read_is_told_with_its_path(tmp_path, content):
    path = tmp_path / "tasks.md"
    if content:
        path.write_bytes(content)

    with pytest.raises(StoreError, match=str(path)):
        read_tasks(path)
